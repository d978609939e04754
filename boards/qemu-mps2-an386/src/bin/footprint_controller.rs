//! What a controller of 64 observations of 2 design and 5 context variables takes: the image for flash and RAM, a whole
//! experiment for the stack.
#![no_std]
#![no_main]

use sadcbo::{Config, ContextVariable, Cost, DesignVariable, Phase, Place, Settings};
use sadcbo_emulated::{console, entry, exit, stack};
use sadcbo_workload::footprint;

const COST: Cost = Cost::from_milli(1_000);
const CONFIG: Config<2, 5> = Config::<2, 5, f32>::new(
    [DesignVariable::new("design", "", 0.0, 1.0); 2],
    [ContextVariable::actuated("context", "", 0.0, 1.0, COST); 5],
    COST,
    Cost::from_milli(1_000_000),
);

#[entry]
fn main() -> ! {
    static mut PLACE: Place<64, 2, 5> = Place::new();
    let Ok(controller) = PLACE.start(CONFIG, Settings::DEFAULT) else {
        exit(1)
    };
    let outcome = footprint::controller(controller);
    // The stack of a phase that the run did not see would be missing.
    if outcome.is_err() || controller.phase() != Phase::Optimization {
        exit(1)
    }
    let peak = stack::peak();
    console::print(format_args!("figure stack_peak/controller/64x2x5 {peak}"));
    exit(0)
}
