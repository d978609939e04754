//! The strategies that the paper compares, chosen by type so that firmware carries only its own (SPEC §7).

mod sealed {
    pub trait Sealed {}
}

/// A strategy: what the surrogate is built on, and what a step sets.
///
/// Chosen as the last parameter of [`Controller`](crate::Controller). The surrogate's prior is a setting of its own: the
/// paper's SAASBO is [`Vbo`] with [`Prior::saas`](crate::gp::Prior::saas).
pub trait Policy: sealed::Sealed + Copy {
    #[doc(hidden)]
    const START: Self;

    #[doc(hidden)]
    fn kind(self) -> Kind;
}

/// What [`Policy`] stands for: a constant, so that the code of the other strategies is not even linked.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sadcbo,
    Cbo,
    Cubo,
    Vbo,
    CaBo,
    Dropout,
    MmdBo,
}

macro_rules! policies {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            #[cfg_attr(feature = "defmt", derive(defmt::Format))]
            pub struct $name;

            impl sealed::Sealed for $name {}

            impl Policy for $name {
                const START: Self = Self;

                #[inline(always)]
                fn kind(self) -> Kind {
                    Kind::$name
                }
            }
        )*
    };
}

policies! {
    /// Learns which contexts matter; first only records them, then actuates those worth their cost.
    Sadcbo;
    /// Contextual optimisation: the surrogate knows all contexts, only the design is chosen.
    Cbo;
    /// Context-unaware optimisation: the surrogate knows the design only.
    Cubo;
    /// Vanilla optimisation: every variable is chosen in every step.
    Vbo;
    /// Cost-aware optimisation: expected improvement per unit of a cost that is 0 for staying at the ambient context.
    CaBo;
    /// A random half of the contexts, new in every step, is modelled and actuated.
    Dropout;
    /// The contexts with the largest HSIC score with being among the best are modelled and actuated.
    MmdBo;
}

/// Any of the strategies, chosen at run time: for a host that compares them and wants to compile one controller, not seven.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyPolicy(pub Kind);

impl sealed::Sealed for AnyPolicy {}

impl Policy for AnyPolicy {
    const START: Self = Self(Kind::Sadcbo);

    #[inline(always)]
    fn kind(self) -> Kind {
        self.0
    }
}
