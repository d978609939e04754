//! What an experiment is about, or nothing yet.

use crate::{Config, ContextVariable, Cost, DesignVariable, Scalar, Settings};

/// The instrument and how decisions are made.
///
/// Before the start there is neither. With this representation that is nothing but zeros, where `Option` may use any
/// bits that no configuration has: a [`Place`](super::Place) can then lie in a section that takes no flash.
#[derive(Clone, Debug)]
#[repr(u8)]
#[allow(
    clippy::large_enum_variant,
    reason = "it is the smaller variant that never lasts"
)]
pub(super) enum Plan<const D: usize, const C: usize, T> {
    /// A place without a controller; nobody outside sees it.
    Vacant = 0,
    /// An experiment.
    Made {
        config: Config<D, C, T>,
        settings: Settings<T>,
    } = 1,
}

impl<const D: usize, const C: usize, T: Scalar> Plan<D, C, T> {
    /// The instrument.
    #[inline]
    pub(super) fn config(&self) -> &Config<D, C, T> {
        match self {
            Self::Vacant => T::blank_config(),
            Self::Made { config, .. } => config,
        }
    }

    /// How decisions are made.
    #[inline]
    pub(super) fn settings(&self) -> &Settings<T> {
        match self {
            Self::Vacant => T::blank_settings(),
            Self::Made { settings, .. } => settings,
        }
    }
}

/// What a vacant place would answer with, instead of a panic that would be linked though it cannot happen.
pub trait Blank: Sized + 'static {
    /// An instrument on which nothing can be afforded.
    fn blank_config<const D: usize, const C: usize>() -> &'static Config<D, C, Self>;
    /// The default.
    fn blank_settings() -> &'static Settings<Self>;
}

macro_rules! blank {
    ($($float:ident),*) => {
        $(
            impl Blank for $float {
                fn blank_config<const D: usize, const C: usize>() -> &'static Config<D, C, Self> {
                    const {
                        &Config {
                            design: [DesignVariable::new("", "", 0.0, 1.0); D],
                            context: [ContextVariable::recorded("", "", 0.0, 1.0); C],
                            run_cost: Cost::ZERO,
                            budget: Cost::ZERO,
                            seed: 0,
                        }
                    }
                }

                fn blank_settings() -> &'static Settings<Self> {
                    const { &Settings::DEFAULT }
                }
            }
        )*
    };
}

// Not generic: a constant of a number type that is not known may not be referred to for ever.
blank!(f32, f64);
