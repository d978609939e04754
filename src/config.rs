//! What the instrument is: variables in physical units, costs, budget. Checked once.

use core::fmt;

use crate::{Cost, Error, Input, Point, Scalar, VarSet};

/// A variable that every step sets.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DesignVariable<T = f32> {
    /// What it is called in logs, such as `spin speed`.
    pub name: &'static str,
    /// Its unit, such as `rpm`.
    pub unit: &'static str,
    /// Smallest value.
    pub low: T,
    /// Largest value.
    pub high: T,
}

impl<T> DesignVariable<T> {
    /// A variable from `low` to `high`.
    pub const fn new(name: &'static str, unit: &'static str, low: T, high: T) -> Self {
        Self {
            name,
            unit,
            low,
            high,
        }
    }
}

/// A variable that the environment sets, unless it is actuated.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ContextVariable<T = f32> {
    /// What it is called in logs, such as `humidity`.
    pub name: &'static str,
    /// Its unit, such as `%RH`.
    pub unit: &'static str,
    /// Smallest value.
    pub low: T,
    /// Largest value.
    pub high: T,
    /// What it takes to hold it at a chosen value; `None` if it can only be recorded.
    pub actuator: Option<Actuator<T>>,
}

impl<T> ContextVariable<T> {
    /// A variable that can only be recorded.
    pub const fn recorded(name: &'static str, unit: &'static str, low: T, high: T) -> Self {
        Self {
            name,
            unit,
            low,
            high,
            actuator: None,
        }
    }

    /// A variable that can be held at a chosen value, at this cost.
    pub const fn actuated(
        name: &'static str,
        unit: &'static str,
        low: T,
        high: T,
        cost: Cost,
    ) -> Self {
        Self {
            name,
            unit,
            low,
            high,
            actuator: Some(Actuator {
                cost,
                slew: None,
                settle_seconds: None,
            }),
        }
    }
}

/// What it takes to hold a context at a chosen value.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Actuator<T = f32> {
    /// Cost of one step with it, on top of the run's (λ_j).
    pub cost: Cost,
    /// Hint for the firmware: fastest allowed change, in units per second.
    pub slew: Option<T>,
    /// Hint for the firmware: how long a value has to hold before it counts as reached.
    pub settle_seconds: Option<T>,
}

/// The instrument, and what an experiment may cost.
///
/// With feature `serde` it can be written, as the head of a log, but not read: its names live in the firmware.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(bound(serialize = "T: serde::Serialize"))
)]
pub struct Config<const D: usize, const C: usize, T = f32> {
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::arrays::serialize"))]
    pub(crate) design: [DesignVariable<T>; D],
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::arrays::serialize"))]
    pub(crate) context: [ContextVariable<T>; C],
    pub(crate) run_cost: Cost,
    pub(crate) budget: Cost,
    pub(crate) seed: u64,
}

/// Which variable a [`ConfigError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ConfigError {
    /// A bound of this variable is NaN or infinite.
    NonFiniteBound(&'static str),
    /// The upper bound of this variable is not above the lower one, or too close to tell values apart.
    EmptyRange(&'static str),
    /// This variable has a bound beyond ±10³⁰, or a range beyond that.
    TooLarge(&'static str),
    /// A run costs nothing, so that the budget would never end.
    FreeRun,
    /// There is no variable to choose.
    NoDesign,
    /// This setting is not a finite number, or outside its range.
    Setting(&'static str),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFiniteBound(name) => write!(f, "{name}: a bound is not a finite number"),
            Self::EmptyRange(name) => {
                write!(f, "{name}: the upper bound is not above the lower one")
            }
            Self::TooLarge(name) => write!(f, "{name}: a bound is too large"),
            Self::FreeRun => f.write_str("the cost of a run is 0, so the budget would never end"),
            Self::NoDesign => f.write_str("there is no design variable"),
            Self::Setting(name) => write!(f, "setting {name} is out of range"),
        }
    }
}

impl core::error::Error for ConfigError {}

impl<const D: usize, const C: usize, T: Scalar> Config<D, C, T> {
    /// An instrument with these variables, on which a run costs `run_cost` and the experiment at most `budget`.
    pub fn try_new(
        design: [DesignVariable<T>; D],
        context: [ContextVariable<T>; C],
        run_cost: Cost,
        budget: Cost,
    ) -> Result<Self, ConfigError> {
        if D == 0 {
            return Err(ConfigError::NoDesign);
        }
        if run_cost == Cost::ZERO {
            return Err(ConfigError::FreeRun);
        }
        for variable in &design {
            check_bounds(variable.name, variable.low, variable.high)?;
        }
        for variable in &context {
            check_bounds(variable.name, variable.low, variable.high)?;
        }
        Ok(Self {
            design,
            context,
            run_cost,
            budget,
            seed: 0,
        })
    }

    /// The same instrument, with randomness from another seed.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The design variables.
    pub const fn design(&self) -> &[DesignVariable<T>; D] {
        &self.design
    }

    /// The context variables.
    pub const fn context(&self) -> &[ContextVariable<T>; C] {
        &self.context
    }

    /// Cost of one run (λ_x).
    pub const fn run_cost(&self) -> Cost {
        self.run_cost
    }

    /// What the experiment may cost (Λ).
    pub const fn budget(&self) -> Cost {
        self.budget
    }

    /// The contexts that have an actuator.
    pub fn actuatable(&self) -> VarSet {
        let with =
            |(index, variable): (usize, &ContextVariable<T>)| variable.actuator.map(|_| index);
        self.context.iter().enumerate().filter_map(with).collect()
    }

    /// A point of the cube from physical values.
    ///
    /// Each has to be finite and within its bounds or, since a sensor reports what it sees, at most half a range beyond.
    pub(crate) fn unit_of(&self, physical: &Point<D, C, T>) -> Result<Point<D, C, T>, Error> {
        let mut unit = Point::ORIGIN;
        for (index, (to, variable)) in unit.design.iter_mut().zip(&self.design).enumerate() {
            let value = physical.design.get(index).copied().unwrap_or(variable.low);
            *to = to_unit(value, variable.low, variable.high, Input::Design(index))?;
        }
        for (index, (to, variable)) in unit.context.iter_mut().zip(&self.context).enumerate() {
            let value = physical.context.get(index).copied().unwrap_or(variable.low);
            *to = to_unit(value, variable.low, variable.high, Input::Context(index))?;
        }
        Ok(unit)
    }

    /// Physical values of a point of the cube, never beyond the bounds.
    pub(crate) fn physical_within(&self, unit: &Point<D, C, T>) -> Point<D, C, T> {
        let mut physical = self.physical_of(unit);
        let designs = self.design.iter().map(|design| (design.low, design.high));
        let contexts = self
            .context
            .iter()
            .map(|context| (context.low, context.high));
        for (value, (low, high)) in physical.iter_mut().zip(designs.chain(contexts)) {
            *value = value.max(low).min(high);
        }
        physical
    }

    /// Physical values of a point that was observed, wherever it was.
    pub(crate) fn physical_of(&self, unit: &Point<D, C, T>) -> Point<D, C, T> {
        let mut physical = *unit;
        for (value, variable) in physical.design.iter_mut().zip(&self.design) {
            *value = variable.low + *value * (variable.high - variable.low);
        }
        for (value, variable) in physical.context.iter_mut().zip(&self.context) {
            *value = variable.low + *value * (variable.high - variable.low);
        }
        physical
    }

    /// λ_j of each context; 0 where there is no actuator.
    #[allow(
        clippy::indexing_slicing,
        reason = "the index is below the length of both arrays"
    )]
    pub(crate) const fn context_costs(&self) -> [Cost; C] {
        let mut costs = [Cost::ZERO; C];
        let mut index = 0;
        while index < C {
            if let Some(actuator) = &self.context[index].actuator {
                costs[index] = actuator.cost;
            }
            index += 1;
        }
        costs
    }
}

macro_rules! const_new {
    ($($float:ident),*) => {
        $(
            impl<const D: usize, const C: usize> Config<D, C, $float> {
                #[allow(clippy::indexing_slicing, reason = "the indices are below the lengths of the arrays")]
                /// [`try_new`](Self::try_new) for constants: what is wrong stops the compilation.
                ///
                /// ```
                /// use sadcbo::{Config, ContextVariable, Cost, DesignVariable};
                ///
                /// const OVEN: Config<1, 1> = Config::<1, 1, f32>::new(
                ///     [DesignVariable::new("annealing time", "min", 5.0, 60.0)],
                ///     [ContextVariable::recorded("humidity", "%RH", 20.0, 70.0)],
                ///     Cost::from_milli(1_000),
                ///     Cost::from_milli(40_000),
                /// );
                /// assert_eq!(OVEN.design()[0].unit, "min");
                /// ```
                ///
                /// ```compile_fail
                /// use sadcbo::{Config, Cost, DesignVariable};
                ///
                /// const UPSIDE_DOWN: Config<1, 0> = Config::<1, 0, f32>::new(
                ///     [DesignVariable::new("annealing time", "min", 60.0, 5.0)],
                ///     [],
                ///     Cost::from_milli(1_000),
                ///     Cost::from_milli(40_000),
                /// );
                /// assert_eq!(UPSIDE_DOWN.design()[0].unit, "min");
                /// ```
                pub const fn new(
                    design: [DesignVariable<$float>; D],
                    context: [ContextVariable<$float>; C],
                    run_cost: Cost,
                    budget: Cost,
                ) -> Self {
                    assert!(D > 0, "there is no design variable");
                    assert!(run_cost.milli() > 0, "the cost of a run is 0, so the budget would never end");
                    let mut index = 0;
                    while index < D {
                        assert_range(design[index].low as f64, design[index].high as f64);
                        index += 1;
                    }
                    index = 0;
                    while index < C {
                        assert_range(context[index].low as f64, context[index].high as f64);
                        index += 1;
                    }
                    Self { design, context, run_cost, budget, seed: 0 }
                }
            }
        )*
    };
}

const_new!(f32, f64);

/// How far beyond its bounds a value may be, in ranges.
const MARGIN: f64 = 0.5;

fn to_unit<T: Scalar>(value: T, low: T, high: T, input: Input) -> Result<T, Error> {
    if !value.is_finite() {
        return Err(Error::NonFinite(input));
    }
    let unit = (value - low) / (high - low);
    let margin = T::from_f64(MARGIN);
    if unit >= -margin && unit <= T::ONE + margin {
        Ok(unit)
    } else {
        Err(Error::OutOfRange(input))
    }
}

const LARGEST: f64 = 1e30;
/// A range narrower than this share of its bounds cannot be told from a point in single precision.
const NARROWEST: f64 = 1e-5;

const fn assert_range(low: f64, high: f64) {
    assert!(
        low.is_finite() && high.is_finite(),
        "a bound is not a finite number"
    );
    assert!(
        low.abs() <= LARGEST && high.abs() <= LARGEST,
        "a bound is too large"
    );
    assert!(
        is_wide(low, high),
        "the upper bound of a variable is not above the lower one"
    );
}

const fn is_wide(low: f64, high: f64) -> bool {
    high - low > NARROWEST * low.abs() && high - low > NARROWEST * high.abs() && high > low
}

fn check_bounds<T: Scalar>(name: &'static str, low: T, high: T) -> Result<(), ConfigError> {
    let (low, high) = (low.to_f64(), high.to_f64());
    if !(low.is_finite() && high.is_finite()) {
        Err(ConfigError::NonFiniteBound(name))
    } else if low.abs() > LARGEST || high.abs() > LARGEST {
        Err(ConfigError::TooLarge(name))
    } else if !is_wide(low, high) {
        Err(ConfigError::EmptyRange(name))
    } else {
        Ok(())
    }
}
