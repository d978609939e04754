//! Sobol indices of the synthetic functions, to set beside what SADCBO selects.

use std::collections::HashMap;

use serde::Deserialize;

#[derive(Deserialize)]
struct Indices {
    #[serde(rename = "exact_ST")]
    total: Vec<f64>,
}

/// Total index of each named context; `None` where it is not known. Irrelevant contexts have 0.
pub fn total(problem: &str, contexts: &[String]) -> Option<Vec<f64>> {
    let table: HashMap<String, Indices> =
        serde_json::from_str(include_str!("../../data/sobol.json")).ok()?;
    let indices = table.get(problem)?;
    // Contexts are called by the 1-based place of their coordinate: z2, z3; irrelevant ones w1, w2.
    let place = |name: &String| {
        name.strip_prefix('z')?
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
    };
    let of = |name: &String| {
        place(name)
            .and_then(|i| indices.total.get(i).copied())
            .unwrap_or(0.0)
    };
    Some(contexts.iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_lead_to_the_right_index() {
        let names = ["z2", "z3", "w1"].map(str::to_string);
        let total = super::total("hartmann4", &names).unwrap();
        assert!((total[0] - 0.2784).abs() < 1e-3 && (total[1] - 0.1026).abs() < 1e-3);
        assert_eq!(total[2], 0.0);
        assert!(super::total("robot", &names).is_none());
    }
}
