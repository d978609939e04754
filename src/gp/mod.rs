//! The surrogate.
