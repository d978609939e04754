//! Every public type of the library can be logged: `defmt::Format` behind the feature `defmt`.
//!
//! With the feature this file is only compiled (`cargo xtask test` does it): the macros of defmt link only into an image
//! that has a logger. Without it, a test checks that the list below leaves nothing out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[cfg(feature = "defmt")]
mod every_type {
    use defmt::Format;
    use sadcbo::gp::*;
    use sadcbo::*;

    const fn can_be_logged<V: Format>() {}

    macro_rules! all {
        ($($name:ty),* $(,)?) => {
            const _: () = {
                $(can_be_logged::<$name>();)*
            };
        };
    }

    all!(
        Action, Actuator, Beta, Best<1, 2>, CaBo, CapacityPolicy, Cbo, Collapse, Config<1, 2>, ConfigError,
        ContextVariable, Controller<8, 1, 2>, Cost, CostError, CostModel<8, 2>, CsvHeader<'static, 1, 2, f32>,
        CsvLine<'static, 1, 2, f32>, Cubo, Decision<1, 2>, DesignVariable, Divergence, Dropout, EliteRule, Error,
        Explanation<'static, 1, 2, f32>, Forecast, Input, MmdBo, NotTaken<1, 2>, Outcome, Overspend, Phase, Place<8, 1, 2>,
        Point<1, 2>, ReplayError, RunningCosts<2>, Sadcbo, Settings, StepRecord<1, 2>, SwitchFigures, SwitchRule, VarSet,
        Vbo, Work,
    );

    // The surrogate's.
    all!(
        Fit<1, 2>, FitConfig, FitReport, Gp<8, 1, 2>, Hyper<1, 2>, Kernel, Likelihood<1, 2>, OutputScale, Outputs,
        Posterior, PosteriorGradient<1, 2>, Prefix<'static, 8, 1, 2>, Prior,
    );
}

/// What the library's root and its module `gp` export.
#[cfg(not(feature = "defmt"))]
#[test]
fn the_list_is_complete() {
    const TRAITS: [&str; 2] = ["Scalar", "Policy"];
    let list = include_str!("defmt.rs");
    let (_, list) = list.split_once("all!(\n").expect("the list begins");
    let (list, _) = list.split_once("\n}\n").expect("the list ends");
    let listed: Vec<&str> = list
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let mut types = 0;
    for source in [
        include_str!("../src/lib.rs"),
        include_str!("../src/gp/mod.rs"),
    ] {
        for export in exports(source) {
            let is_type = export.starts_with(|c: char| c.is_uppercase())
                && export.contains(|c: char| c.is_lowercase());
            if is_type && !TRAITS.contains(&export) {
                assert!(listed.contains(&export), "{export} is not in the list");
                types += 1;
            }
        }
    }
    assert!(types > 50, "only {types} types found");
}

/// The words of all `pub use` of a file that are not hidden, and its own public types.
#[cfg(not(feature = "defmt"))]
fn exports(source: &str) -> Vec<&str> {
    let mut exports = Vec::new();
    let mut before = "";
    for part in source.split("\npub ") {
        let (what, rest) = part.split_once(' ').unwrap_or((part, ""));
        if !before.ends_with("#[doc(hidden)]") {
            let names = match what {
                "use" => rest.split(';').next(),
                "struct" | "enum" => rest.split(['<', ' ', ';', '(']).next(),
                _ => None,
            }
            .into_iter();
            exports.extend(
                names.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_')),
            );
        }
        before = part;
    }
    exports
}
