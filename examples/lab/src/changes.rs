//! One thing changed: pairs of results of the same problem that differ in a choice, an extension or the precision.

use crate::compare::difference;
use crate::method::{self, Precision};
use crate::paper::ALTERNATIVES;
use crate::stats::Test;
use crate::summary::Summary;

/// A result and the one that it is compared with.
pub struct Change<'a> {
    /// What kind of choice it is.
    pub group: String,
    pub name: String,
    pub base: &'a Summary,
    pub other: &'a Summary,
}

impl Change<'_> {
    /// The other minus the base at full budget, paired by seed.
    pub fn test(&self) -> Test {
        self.test_at(self.base.best.len().saturating_sub(1))
    }

    /// The same at one of the fractions of the budget.
    pub fn test_at(&self, fraction: usize) -> Test {
        difference(self.base, self.other, fraction)
    }
}

/// The alternatives to each open choice, against the default of the same problem, which comes first among the results.
pub fn of_defaults<'a>(results: &[&'a Summary]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for other in results {
        let Some(base) = results.iter().find(|r| r.problem == other.problem) else {
            continue;
        };
        let named = ALTERNATIVES.iter().find(|(_, _, settings)| {
            let mut words = base.settings.clone();
            settings
                .iter()
                .for_each(|(name, value)| words.set(name, value));
            words == other.settings
        });
        if let Some((group, name, _)) = named {
            changes.push(Change {
                group: group.to_string(),
                name: name.to_string(),
                base,
                other,
            });
        }
    }
    changes
}

/// The extensions, against plain SADCBO in the same setting.
pub fn of_extensions<'a>(results: &[&'a Summary]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for other in results.iter().filter(|r| r.method != "sadcbo") {
        let same = |r: &&&Summary| {
            r.method == "sadcbo" && r.problem == other.problem && r.settings == other.settings
        };
        if let Some(base) = results.iter().find(same) {
            let title = method::title(&other.method);
            changes.push(Change {
                group: title.trim_start_matches("SADCBO, ").to_string(),
                name: other.problem.clone(),
                base,
                other,
            });
        }
    }
    changes
}

/// Single precision against double.
pub fn of_precision<'a>(results: &[&'a Summary]) -> Vec<Change<'a>> {
    let mut changes = Vec::new();
    for base in results.iter().filter(|r| r.precision == Precision::F64) {
        let same = |r: &&&Summary| r.precision == Precision::F32 && r.problem == base.problem;
        if let Some(other) = results.iter().find(same) {
            changes.push(Change {
                group: "precision".to_string(),
                name: base.problem.clone(),
                base,
                other,
            });
        }
    }
    changes
}
