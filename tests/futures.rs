//! Work in slices can be dropped at any of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use sadcbo::{CaBo, CapacityPolicy, MmdBo, Policy, Sadcbo, Settings, SwitchRule};
use support::bench::{
    End, PLENTY, fingerprint, fingerprint_of, new, settings, step, text, weather,
};

/// Polls a future so many times; its result if it was ready by then.
fn poll<F: Future>(future: F, times: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    })
}

/// Dropped after k polls, for all k, a decision leaves no trace and neither does an observation; completed, they say
/// what the uninterrupted ones say.
fn can_be_dropped<P: Policy + Clone>(settings: Settings<f32>, steps: usize) {
    let mut controller = new::<P>(11, PLENTY, settings);
    for _ in 0..steps {
        step(&mut controller, End::Observed).unwrap();
    }
    let ambient = weather(controller.step());
    let before = fingerprint(&controller);
    let mut copy = controller.clone();
    let expected = copy.decide(&ambient).unwrap();
    let mut polls = 1;
    let decision = loop {
        if let Some(decision) = poll(controller.decide_async(&ambient), polls) {
            break decision.unwrap();
        }
        assert_eq!(before, fingerprint(&controller), "after {polls} polls");
        polls += 1;
    };
    assert_eq!(text(&decision), text(&expected));
    assert!(polls > 10, "a decision is many slices, not {polls}");

    let applied = *decision.point();
    let record = copy.observe(expected, &applied, 2.5).unwrap();
    let visible = fingerprint_of(&controller);
    let mut polls = 1;
    let observed = loop {
        let decision = controller.decide(&ambient).unwrap();
        if let Some(observed) = poll(controller.observe_async(decision, &applied, 2.5), polls) {
            break observed.unwrap();
        }
        assert_eq!(visible, fingerprint_of(&controller), "after {polls} polls");
        assert_eq!(before, fingerprint(&controller), "after {polls} polls");
        polls += 1;
    };
    assert_eq!(observed, record);
    assert_eq!(fingerprint(&copy), fingerprint(&controller));
    assert!(polls > 3, "an observation is several slices, not {polls}");
}

#[test]
fn futures_can_be_dropped() {
    let small = Settings {
        switch: SwitchRule::Adaptive,
        minimum_observational_steps: 100,
        ..settings()
    };
    can_be_dropped::<Sadcbo>(small, 4);
    can_be_dropped::<Sadcbo>(small, 6);
    can_be_dropped::<MmdBo>(small, 6);
    let forgetting = Settings {
        capacity: CapacityPolicy::ForgetLeastInformative,
        ..small
    };
    can_be_dropped::<Sadcbo>(forgetting, 14);
    can_be_dropped::<CaBo>(forgetting, 13);
}
