//! Log lines where there is a logger; on the host there is none, and defmt's macros would not link.

macro_rules! line {
    ($level:ident, $($argument:tt)*) => {
        #[cfg(feature = "defmt")]
        defmt::$level!($($argument)*);
    };
}

pub(crate) use line;
