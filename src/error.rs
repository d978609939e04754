//! What can go wrong, and with which input.

use core::fmt;

/// The input that an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Input {
    /// Design variable of this index.
    Design(usize),
    /// Context variable of this index.
    Context(usize),
    /// The measured result.
    Output,
    /// Length scale of the design variable of this index.
    DesignLengthScale(usize),
    /// Length scale of the context variable of this index.
    ContextLengthScale(usize),
    /// Signal variance of the kernel.
    SignalVariance,
    /// Noise variance.
    NoiseVariance,
    /// Bounds of the length scales in a fit.
    LengthScaleBounds,
    /// Bounds of the signal variance in a fit.
    SignalVarianceBounds,
    /// Bounds of the noise variance in a fit.
    NoiseVarianceBounds,
    /// Scale of the global shrinkage (α of the SAAS prior).
    Shrinkage,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Design(index) => write!(f, "design variable {index}"),
            Self::Context(index) => write!(f, "context variable {index}"),
            Self::Output => f.write_str("output"),
            Self::DesignLengthScale(index) => write!(f, "length scale of design variable {index}"),
            Self::ContextLengthScale(index) => {
                write!(f, "length scale of context variable {index}")
            }
            Self::SignalVariance => f.write_str("signal variance"),
            Self::NoiseVariance => f.write_str("noise variance"),
            Self::LengthScaleBounds => f.write_str("bounds of the length scales"),
            Self::SignalVarianceBounds => f.write_str("bounds of the signal variance"),
            Self::NoiseVarianceBounds => f.write_str("bounds of the noise variance"),
            Self::Shrinkage => f.write_str("scale of the shrinkage"),
        }
    }
}

/// Why a call did nothing. The state is as it was before the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Error {
    /// This input is NaN or infinite.
    NonFinite(Input),
    /// This input is finite but outside what is allowed.
    OutOfRange(Input),
    /// There is no room for another observation.
    Full,
    /// There is no observation to work with.
    Empty,
    /// The kernel matrix could not be factorised, even with the largest jitter.
    NotPositiveDefinite,
    /// A result is too large for the number type.
    Overflow,
    /// The factor does not belong to the data: a fit was begun and not finished.
    Unfinished,
    /// What is left of the budget does not pay for another run.
    BudgetSpent,
    /// The decision is not the one that the controller waits for: another was observed since.
    Outdated,
    /// Data can be given only before the first step.
    TooLate,
    /// This setting is not a finite number, or outside its range.
    // A name that lives for ever cannot be read back from a buffer.
    #[cfg_attr(feature = "serde", serde(skip_deserializing))]
    Setting(#[cfg_attr(feature = "serde", serde(skip_deserializing))] &'static str),
    /// No point could be found at which the surrogate can be evaluated.
    NoCandidate,
    /// A condition that the library itself should have ensured does not hold: a bug in it, reported instead of a panic.
    LogicBug,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite(input) => write!(f, "{input} is not a finite number"),
            Self::OutOfRange(input) => write!(f, "{input} is out of range"),
            Self::Full => f.write_str("no room for another observation"),
            Self::Empty => f.write_str("no observation yet"),
            Self::NotPositiveDefinite => f.write_str("the kernel matrix could not be factorised"),
            Self::Overflow => f.write_str("a result is too large for the number type"),
            Self::Unfinished => f.write_str("a fit was begun and not finished"),
            Self::BudgetSpent => f.write_str("the budget does not pay for another run"),
            Self::Outdated => f.write_str("the decision is not the latest one"),
            Self::TooLate => f.write_str("data can be given only before the first step"),
            Self::Setting(name) => write!(f, "setting {name} is out of range"),
            Self::NoCandidate => f.write_str("no point could be evaluated"),
            Self::LogicBug => f.write_str("internal error of sadcbo, please report it"),
        }
    }
}

impl core::error::Error for Error {}
