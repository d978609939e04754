//! `defmt::Format` where a derived one would not do: types that are too large for a log say how far they are, and types
//! that are text say it.

use defmt::{Display2Format, Format, Formatter, write};

use crate::gp::{Fit, Gp, Prefix};
use crate::{Controller, CostModel, CsvHeader, CsvLine, Explanation, Place, Policy, Scalar};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Format
    for Controller<N, D, C, T, P>
{
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "Controller {{ step: {=u32}, phase: {}, observations: {=usize} of {=usize}, remaining: {} }}",
            self.step(),
            self.phase(),
            self.observations(),
            N,
            self.remaining()
        );
    }
}

impl<const N: usize, const D: usize, const C: usize, T, P> Format for Place<N, D, C, T, P> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Place for {=usize} observations", N);
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar + Format> Format for Gp<N, D, C, T> {
    fn format(&self, f: Formatter<'_>) {
        let (len, hyper) = (self.len(), self.hyper());
        write!(
            f,
            "Gp {{ observations: {=usize} of {=usize}, hyper: {} }}",
            len, N, hyper
        );
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar> Format for Prefix<'_, N, D, C, T> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Prefix of {=usize} observations", self.len());
    }
}

impl<const D: usize, const C: usize, T> Format for Fit<D, C, T> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Fit under way");
    }
}

impl<const M: usize, const C: usize, T> Format for CostModel<M, C, T> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "CostModel of the last {=usize} reports", M);
    }
}

/// Text: formatted on the part, so it costs the flash of `core::fmt`.
macro_rules! text {
    ($($name:ident),*) => {
        $(
            impl<const D: usize, const C: usize, T: Scalar> Format for $name<'_, D, C, T> {
                fn format(&self, f: Formatter<'_>) {
                    write!(f, "{}", Display2Format(self));
                }
            }
        )*
    };
}

text!(Explanation, CsvHeader, CsvLine);
