//! Capacity and dimensions are part of a controller's type: the shapes of the lab's problems are listed here.

use anyhow::{Result, bail, ensure};
use sadcbo::Scalar;

use super::{Adapter, Kind};
use crate::method::{Optimiser, Precision, Start};
use crate::problems::Problem;
use crate::settings::Settings;

/// A function that makes controllers of some shapes: capacity, designs, contexts.
///
/// Each shape costs seconds of compilation per precision, so there are no more than the report needs.
macro_rules! shapes {
    ($(#[$doc:meta])* $table:ident, $make:ident: $($n:literal $d:literal $c:literal,)*) => {
        $(#[$doc])*
        const $table: &[(usize, usize)] = &[$(($d, $c)),*];

        fn $make<T: Scalar>(kind: Kind, start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
            Ok(match shape(start.problem) {
                $(($d, $c) => Box::new(Adapter::<$n, $d, $c, T>::new(kind, start, settings)?),)*
                (d, c) => bail!("no controller for {d} designs and {c} contexts"),
            })
        }
    };
}

#[cfg(not(test))]
shapes! {
    /// The paper's problems, in both precisions.
    PROBLEMS, of_problem:
    92 1 5, // EggHolder
    100 2 5, // Hartmann4D
    112 3 9, // Hartmann6D
    128 2 11, // Ackley5D
    92 3 2, // Portfolio
    92 4 2, // Yacht
    164 6 8, // robot
    388 3 18, // alanine
}

#[cfg(not(test))]
shapes! {
    /// What the studies change, in single precision.
    CHANGED, of_changed:
    // More irrelevant contexts.
    92 1 11, // EggHolder
    92 1 21,
    100 2 12, // Hartmann4D
    100 2 22,
    112 3 15, // Hartmann6D
    112 3 23,
    128 2 17, // Ackley5D
    128 2 23,
    // Ackley5D with 4, 3 and 1 designs.
    76 4 9,
    92 3 10,
    228 1 12,
    // Three irrelevant designs.
    100 5 5, // Hartmann4D
    112 6 9, // Hartmann6D
}

// Unit tests make no controller; compiling all of them again would double the time of a test run.
#[cfg(test)]
shapes! {
    PROBLEMS, of_problem:
    4 1 1,
}

#[cfg(test)]
shapes! {
    CHANGED, of_changed:
    4 1 1,
}

fn shape(problem: &dyn Problem) -> (usize, usize) {
    (problem.design().len(), problem.context().len())
}

/// An error if there is no controller for such a problem.
pub fn check(problem: &dyn Problem, precision: Precision) -> Result<()> {
    let shape = shape(problem);
    let single = precision == Precision::F32;
    ensure!(
        PROBLEMS.contains(&shape) || single && CHANGED.contains(&shape),
        "there is no controller in {precision} for {} designs and {} contexts; in (designs, contexts), both precisions \
         have {PROBLEMS:?}, f32 also {CHANGED:?}",
        shape.0,
        shape.1
    );
    Ok(())
}

/// A policy of the library at the start of a trial.
pub fn start(kind: Kind, start: &Start, settings: Settings) -> Result<Box<dyn Optimiser>> {
    match start.precision {
        Precision::F32 if CHANGED.contains(&shape(start.problem)) => {
            of_changed::<f32>(kind, start, settings)
        }
        Precision::F32 => of_problem::<f32>(kind, start, settings),
        Precision::F64 => of_problem::<f64>(kind, start, settings),
    }
}
