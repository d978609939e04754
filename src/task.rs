//! Long work in slices: an `async fn` that yields, and the same code run to its end.

use core::future::Future;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

/// Lets other tasks run once.
pub(crate) fn yield_now() -> impl Future<Output = ()> {
    YieldNow { yielded: false }
}

struct YieldNow {
    yielded: bool,
}

impl Future for YieldNow {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.yielded {
            return Poll::Ready(());
        }
        self.yielded = true;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Runs a future of this library to its end. They only ever wait in `yield_now`, so polling again is always right.
pub fn run<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
