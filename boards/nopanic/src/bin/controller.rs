//! The whole controller: no panic but the one of a future that is polled after its end.
//!
//! Covered for `Controller<64, 2, 5>`, all policies in single precision and `Sadcbo` in double precision, with settings
//! that the compiler does not know: `Place`, `new`, `replay`, `seed_with`, `decide`, `decide_among`, `observe`, `observe_at_cost`,
//! `fail`, `reject`, `force`, `set_context_costs` and all questions to it; `Config::try_new`, `RunningCosts`, `CostModel`,
//! the questions to a `Decision`. The blocking methods run the futures of the `_async` ones, so those are covered too.
//!
//! The compiler lets every `async fn` panic when it is polled after its end. This library never does it to its own
//! futures, and an executor never does it to those of a user; but no optimiser proves that, so this one message is let
//! through. It is recognised by its text. If it is the only one left, the comparison is one of constants and vanishes,
//! and with it the call of the function that does not exist; if any other panic is left, the call stays.
//!
//! Not covered: `Display` and `Debug`, whose formatting of numbers is `core`'s.
#![no_std]
#![no_main]

use core::panic::PanicInfo;

use sadcbo::{
    CaBo, Cbo, Config, ContextVariable, Controller, Cost, CostModel, Cubo, DesignVariable, Dropout,
    MmdBo, Place, Point, Policy, RunningCosts, Sadcbo, Scalar, Settings, StepRecord, VarSet, Vbo,
};
use sadcbo_nopanic::{control, keep};

unsafe extern "C" {
    /// Defined nowhere.
    fn a_panic_path_survives() -> !;
}

#[panic_handler]
#[allow(
    unused_attributes,
    reason = "said to be ignored, but without it nothing is inlined and nothing vanishes"
)]
#[inline(always)]
fn panic(info: &PanicInfo<'_>) -> ! {
    if info.message().as_str() == Some("`async fn` resumed after completion") {
        loop {}
    }
    // SAFETY: never called, since no image that refers to it links.
    unsafe { a_panic_path_survives() }
}

const D: usize = 2;
const C: usize = 5;

/// Numbers and choices that the compiler must not guess.
pub struct Unknown<T> {
    numbers: Point<D, C, T>,
    index: usize,
    set: VarSet,
    costs: [Cost; C],
    design: [DesignVariable<T>; D],
    context: [ContextVariable<T>; C],
    settings: Settings<T>,
    record: StepRecord<D, C, T>,
    model: CostModel<16, C, T>,
    running: RunningCosts<C>,
}

type Any<T, P> = Controller<64, D, C, T, P>;
type Somewhere<T, P> = Place<64, D, C, T, P>;

#[unsafe(no_mangle)]
#[allow(
    clippy::too_many_arguments,
    reason = "one for each policy, and it is never called"
)]
pub fn _start(
    single: &mut Unknown<f32>,
    double: &mut Unknown<f64>,
    sadcbo: &mut Somewhere<f32, Sadcbo>,
    sadcbo_double: &mut Somewhere<f64, Sadcbo>,
    cbo: &mut Somewhere<f32, Cbo>,
    cubo: &mut Somewhere<f32, Cubo>,
    vbo: &mut Somewhere<f32, Vbo>,
    ca_bo: &mut Somewhere<f32, CaBo>,
    dropout: &mut Somewhere<f32, Dropout>,
    mmd_bo: &mut Somewhere<f32, MmdBo>,
) {
    control(single.index);
    everything(sadcbo, single);
    everything(sadcbo_double, double);
    everything(cbo, single);
    everything(cubo, single);
    everything(vbo, single);
    everything(ca_bo, single);
    everything(dropout, single);
    everything(mmd_bo, single);
    costs(single);
    costs(double);
}

fn instrument<T: Scalar>(unknown: &Unknown<T>) -> Option<Config<D, C, T>> {
    let (run, budget) = (unknown.costs[0], unknown.costs[1]);
    Config::try_new(unknown.design, unknown.context, run, budget).ok()
}

fn everything<T: Scalar, P: Policy>(place: &mut Somewhere<T, P>, unknown: &Unknown<T>) {
    let Some(config) = instrument(unknown) else {
        return;
    };
    let Ok(controller) = place.start(config, unknown.settings) else {
        return;
    };
    match Any::new(config, unknown.settings) {
        Ok(fresh) => *controller = fresh,
        Err(error) => keep(error),
    }
    let numbers = &unknown.numbers;
    let output = numbers.design[0];
    controller.force(unknown.set, unknown.set);
    controller.set_context_costs(unknown.costs);
    keep(controller.seed_with(numbers, output));
    let decide = |controller: &mut Any<T, P>| controller.decide(&numbers.context).ok();
    if let Some(decision) = decide(controller) {
        keep((
            decision.step(),
            decision.phase(),
            *decision.point(),
            *decision.ambient(),
        ));
        keep((
            decision.action(unknown.index),
            decision.actuated(),
            decision.selected(),
        ));
        keep((decision.forecast(), decision.cost(), decision.remaining()));
        keep(decision.is_restrained());
        keep(controller.observe(decision, numbers, output));
    }
    if let Some(decision) = decide(controller) {
        keep(controller.observe_at_cost(decision, numbers, output, &unknown.costs));
    }
    if let Some(decision) = decide(controller) {
        keep(controller.fail(decision, unknown.costs[0]));
    }
    if let Some(decision) = decide(controller) {
        keep(controller.reject(decision, unknown.costs[0]));
    }
    keep(controller.decide_among(&numbers.context, |free, number| {
        (number < unknown.index && free != unknown.set).then_some(*numbers)
    }));
    keep((
        controller.best(),
        controller.phase(),
        controller.step(),
        controller.remaining(),
    ));
    keep((controller.observations(), *controller.hyper()));
    keep(controller.forced());
    let records = (0..unknown.index).map(|_| unknown.record);
    match Any::replay(config, unknown.settings, records.clone()) {
        Ok(replayed) => *controller = replayed,
        Err(error) => keep(error),
    }
    keep(place.replay(config, unknown.settings, records).err());
}

fn costs<T: Scalar>(unknown: &mut Unknown<T>) {
    let Some(config) = instrument(unknown) else {
        return;
    };
    unknown.running.learn(&unknown.record, &unknown.costs);
    keep(unknown.running.costs());
    keep(RunningCosts::new(&config));
    keep(
        unknown
            .model
            .learn(&config, &unknown.record, &unknown.costs),
    );
    keep(unknown.model.costs(&config, &unknown.numbers.context));
}
