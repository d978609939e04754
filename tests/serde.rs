//! Public data through JSON and back: the same bits, and a refusal where the length is wrong.
#![cfg(feature = "serde")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use core::fmt::Debug;
use sadcbo::gp::{FitConfig, Gp, Hyper, Kernel, Outputs, Prior};
use sadcbo::{Cost, Error, Input, Point, RunningCosts, Sadcbo, Scalar, VarSet};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn round_trip<V: Serialize + DeserializeOwned + PartialEq + Debug>(value: V) -> String {
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(serde_json::from_str::<V>(&text).unwrap(), value, "{text}");
    text
}

#[test]
fn results_of_a_surrogate() {
    fn check<T: Scalar + Serialize + DeserializeOwned>() {
        let mut gp = Gp::<8, 1, 2, T>::new();
        for row in 0..6 {
            let third = T::ONE / T::from_count(row + 3);
            let at = Point::new([third], [T::HALF, third * third]);
            gp.push(&at, T::ONE - third).unwrap();
        }
        let at = Point::new([T::HALF], [T::ZERO, T::ONE]);
        round_trip(at);
        round_trip(*gp.hyper());
        round_trip(*gp.scale());
        round_trip(gp.posterior(&at).unwrap());
        round_trip(gp.posterior_gradient(&at).unwrap());
        round_trip(gp.likelihood().unwrap());
        round_trip(gp.fit(&FitConfig::default()).unwrap());
        round_trip(FitConfig::<T>::thorough());
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn settings_and_errors() {
    for kernel in [Kernel::SquaredExponential, Kernel::Matern52] {
        round_trip(kernel);
    }
    for prior in [
        Prior::Flat,
        Prior::LengthScales,
        Prior::Botorch,
        Prior::<f32>::saas(),
    ] {
        round_trip(prior);
    }
    round_trip([Outputs::Raw, Outputs::Standardised]);
    round_trip(VarSet::first(3).with(31));
    round_trip(Error::OutOfRange(Input::ContextLengthScale(4)));
}

#[test]
fn arrays_are_lists_of_their_length() {
    let text = round_trip(Point::<2, 1, f32>::new([0.5, 0.25], [1.0]));
    assert_eq!(text, r#"{"design":[0.5,0.25],"context":[1.0]}"#);
    // Beyond the lengths that serde knows, and none at all.
    round_trip(Point::<0, 40, f64>::ORIGIN);
    round_trip(Hyper::<40, 0, f64>::START);
    for wrong in [
        r#"{"design":[0.5],"context":[1.0]}"#,
        r#"{"design":[0.5,0.25,0.0],"context":[1.0]}"#,
        r#"{"design":[0.5,"x"],"context":[1.0]}"#,
        r#"{"design":[0.5,0.25]}"#,
    ] {
        assert!(
            serde_json::from_str::<Point<2, 1, f32>>(wrong).is_err(),
            "{wrong}"
        );
    }
}

/// A log of records as text is the experiment: the controller rebuilt from it decides the same, bit for bit.
#[test]
fn records_replay_from_text() {
    use support::bench::{Small, config, fingerprint, result, settings, weather};

    let mut controller = Box::new(Small::<Sadcbo>::new(config(4, 90_000), settings()).unwrap());
    let mut log = Vec::new();
    for step in 0..9 {
        let decision = controller.decide(&weather(step)).unwrap();
        let applied = *decision.point();
        let record = match step {
            3 => controller.reject(decision, Cost::from_milli(250)),
            _ => controller.observe(decision, &applied, result(&applied)),
        };
        log.push(round_trip(record.unwrap()));
    }
    round_trip(settings());
    let records = log.iter().map(|line| serde_json::from_str(line).unwrap());
    let replayed = Small::<Sadcbo>::replay(config(4, 90_000), settings(), records).unwrap();
    assert_eq!(fingerprint(&replayed), fingerprint(&controller));
    let head = serde_json::to_string(controller.config()).unwrap();
    assert!(
        head.contains(r#""name":"humidity","unit":"%RH","low":20.0"#),
        "{head}"
    );
}

/// Numbers that no running mean ever has, as a damaged file may hold them.
#[test]
fn damaged_costs_do_no_harm() {
    use support::bench::{Small, config, settings, weather};

    let mut controller = Box::new(Small::<Sadcbo>::new(config(4, 90_000), settings()).unwrap());
    let decision = controller.decide(&weather(0)).unwrap();
    let mut record = controller.fail(decision, Cost::ZERO).unwrap();
    record.actuated = VarSet::first(3);
    let mean = r#"{"micro":18446744073709551615,"reports":4294967295}"#;
    let text = format!(r#"{{"means":[{mean},{mean},{mean}]}}"#);
    let mut costs: RunningCosts<3> = serde_json::from_str(&text).unwrap();
    for _ in 0..3 {
        costs.learn(&record, &[Cost::from_milli(u32::MAX); 3]);
    }
    assert_eq!(costs.costs(), [Cost::from_milli(u32::MAX); 3]);
}
