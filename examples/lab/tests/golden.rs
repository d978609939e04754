//! The problems against values computed elsewhere.

use std::path::{Path, PathBuf};

use sadcbo_lab::problems::{self, Alanine, Domain, Problem};
use sadcbo_lab::settings::Settings;
use serde_json::Value;

/// Every tolerance of this file, each with its reason.
mod tolerance {
    /// Scaled outputs: the golden values are exact to a double, the scaling divides by constants
    /// known to 17 digits.
    pub const SYNTHETIC: f64 = 1e-9;
    /// Relative, as |difference| / (1 + |E|): wide energies reach 1e14. Two other programs agree to 1.3e-10.
    pub const ALANINE: f64 = 1e-8;
    /// Box2D 2.4.1 (this engine) changed contact code since 2.3.10 (the golden values).
    pub const ROBOT: f64 = 0.01;
    pub const ROBOT_CORRELATION: f64 = 0.99999;
    /// The best known points are printed with three decimals.
    pub const OPTIMUM: f64 = 1e-4;
}

fn problem(name: &str) -> Box<dyn Problem> {
    problems::by_name(name, &mut Settings::default(), None).unwrap()
}

/// `SADCBO_GOLDEN` or the library's own vectors.
fn golden(file: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    std::env::var_os("SADCBO_GOLDEN")
        .map_or(own, PathBuf::from)
        .join(file)
}

fn rows(file: &str) -> Vec<Vec<f64>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap())
        .collect()
}

/// A point in the function's own order, dealt out by the names of the variables (`x4`, `z2`, ...).
fn dealt(problem: &dyn Problem, point: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let of = |variables: &[problems::Variable]| -> Vec<f64> {
        let place = |name: &str| name[1..].parse::<usize>().unwrap() - 1;
        let value = |v: &problems::Variable| {
            if v.name.starts_with('w') {
                0.5
            } else {
                point[place(&v.name)]
            }
        };
        variables.iter().map(value).collect()
    };
    (of(problem.design()), of(problem.context()))
}

#[test]
fn synthetic_functions() {
    let text = std::fs::read_to_string(golden("functions.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert!(!cases.is_empty());
    for case in cases {
        let problem = problem(case["id"].as_str().unwrap());
        let points = case["input"]["unit"].as_array().unwrap();
        let expected = numbers(&case["expected"]["scaled"]);
        assert_eq!(points.len(), expected.len());
        for (point, expected) in points.iter().zip(expected) {
            let (design, context) = dealt(problem.as_ref(), &numbers(point));
            let value = problem.value(&design, &context);
            let error = (value - expected).abs();
            assert!(
                error <= tolerance::SYNTHETIC,
                "{} {point}: {value}, not {expected}",
                problem.name()
            );
        }
    }
}

#[test]
fn alanine_energies_term_by_term() {
    for (domain, file) in [
        (Domain::Wide, "alanine_golden_public.csv"),
        (Domain::Narrow, "alanine_narrow_golden_public.csv"),
    ] {
        let alanine = Alanine::new(domain).unwrap();
        let rows = rows(file);
        assert_eq!(rows.len(), 100);
        for row in rows {
            let (angles, expected) = row.split_at(21);
            let e = alanine.energy(angles);
            let terms = [
                e.total(),
                e.bond,
                e.angle,
                e.torsion,
                e.lennard_jones,
                e.coulomb,
            ];
            for (term, expected) in terms.iter().zip(expected) {
                let error = (term - expected).abs() / (1.0 + expected.abs());
                assert!(
                    error <= tolerance::ALANINE,
                    "{domain:?}: {term}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn robot_rewards_and_final_positions() {
    let rows = rows("robot_push_golden_public.csv");
    assert_eq!(rows.len(), 100);
    let mut pairs = Vec::new();
    for row in &rows {
        let inputs: [f64; 14] = row[..14].try_into().unwrap();
        let outcome = problems::simulate(&inputs);
        assert!(
            (outcome.reward - row[14]).abs() < tolerance::ROBOT,
            "{inputs:?}"
        );
        let positions = outcome.objects.as_flattened();
        for (position, expected) in positions.iter().zip(&row[15..19]) {
            assert!((position - expected).abs() < tolerance::ROBOT, "{inputs:?}");
        }
        pairs.push((outcome.reward, row[14]));
    }
    let correlation = correlation(&pairs);
    assert!(correlation > tolerance::ROBOT_CORRELATION, "{correlation}");
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let (ma, mb) = pairs
        .iter()
        .fold((0.0, 0.0), |(a, b), p| (a + p.0 / n, b + p.1 / n));
    let sum = |f: fn(f64, f64) -> f64| -> f64 { pairs.iter().map(|p| f(p.0 - ma, p.1 - mb)).sum() };
    sum(|a, b| a * b) / (sum(|a, _| a * a) * sum(|_, b| b * b)).sqrt()
}

#[test]
fn best_known_points_reach_the_optimum() {
    for name in [
        "eggholder",
        "hartmann4",
        "hartmann6",
        "ackley5",
        "robot",
        "alanine",
        "alanine-wide",
    ] {
        let problem = problem(name);
        let (design, context) = problem.optimum();
        let inside = |units: &[f64]| units.iter().all(|u| (0.0..=1.0).contains(u));
        assert!(inside(&design) && inside(&context), "{name}");
        assert_eq!(
            (design.len(), context.len()),
            (problem.design().len(), problem.context().len())
        );
        let value = problem.value(&design, &context);
        assert!((value - 1.0).abs() < tolerance::OPTIMUM, "{name}: {value}");
    }
}

#[test]
fn dimensions_are_the_papers() {
    for (name, design, context, relevant) in [
        ("eggholder", 1, 1 + 4, 2),
        ("hartmann4", 2, 2 + 3, 4),
        ("hartmann6", 3, 3 + 6, 6),
        ("ackley5", 2, 3 + 8, 5),
        ("robot", 6, 8, 14),
        ("alanine", 3, 18, 21),
        ("alanine-wide", 3, 18, 21),
    ] {
        let problem = problem(name);
        let found = (
            problem.design().len(),
            problem.context().len(),
            problem.relevant(),
        );
        assert_eq!(found, (design, context, relevant), "{name}");
    }
}

#[test]
fn irrelevant_contexts_change_nothing() {
    let mut settings = Settings::parse(&["irrelevant=20".to_string()]).unwrap();
    let problem = problems::by_name("hartmann6", &mut settings, None).unwrap();
    assert_eq!(problem.context().len(), 3 + 20);
    let mut context = vec![0.3; 23];
    let value = problem.value(&[0.2, 0.4, 0.6], &context);
    context[3..].fill(0.9);
    assert_eq!(problem.value(&[0.2, 0.4, 0.6], &context), value);
    context[2] = 0.9;
    assert_ne!(problem.value(&[0.2, 0.4, 0.6], &context), value);
}
