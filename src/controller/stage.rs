//! The parts of a step that take time.

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Taking data in, and fitting the full surrogate.
    Fit,
    /// The promising points and the relevance of the contexts.
    Select,
    /// Fitting the reduced surrogate.
    Reduce,
    /// Maximising the acquisition.
    Search,
    /// The switching criterion.
    Switch,
}
