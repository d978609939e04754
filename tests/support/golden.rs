//! The golden vectors: families of cases in `tests/golden/*.json`.
//!
//! `SADCBO_GOLDEN=DIR` takes them from another directory with the same file names. A file or a field that is not there
//! fails the test by name: nothing passes because its vectors were missing.

use sadcbo::Scalar;
use serde_json::Value;

/// One case of a family, with its fields named by path, such as `input/X` or `expected/kappa/source`.
pub struct Case {
    family: &'static str,
    value: Value,
}

/// All cases of a family, such as `fc_select`.
pub fn cases(family: &'static str) -> Vec<Case> {
    let directory = std::env::var("SADCBO_GOLDEN")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden").into());
    let path = std::path::Path::new(&directory)
        .join(family)
        .with_extension("json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut file: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let Value::Array(cases) = file["cases"].take() else {
        panic!("{}: no list of cases", path.display());
    };
    assert!(!cases.is_empty(), "{}: no case", path.display());
    cases
        .into_iter()
        .map(|value| Case { family, value })
        .collect()
}

impl Case {
    /// Family and name, for messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.family, self.text("id"))
    }

    /// What kind of case it is; empty if the family has no kinds.
    pub fn tag(&self) -> &str {
        self.value["tag"].as_str().unwrap_or_default()
    }

    /// Whether there is such a field, and it is not null.
    pub fn has(&self, path: &str) -> bool {
        self.find(path).is_some_and(|value| !value.is_null())
    }

    pub fn number(&self, path: &str) -> f64 {
        self.convert(path, "a number", Value::as_f64)
    }

    /// A number that may be undefined (null).
    pub fn defined(&self, path: &str) -> Option<f64> {
        self.convert(path, "a number or null", |value| match value {
            Value::Null => Some(None),
            value => value.as_f64().map(Some),
        })
    }

    pub fn count(&self, path: &str) -> usize {
        self.convert(path, "a count", as_count)
    }

    pub fn flag(&self, path: &str) -> bool {
        self.convert(path, "true or false", Value::as_bool)
    }

    pub fn text(&self, path: &str) -> &str {
        self.convert(path, "a text", Value::as_str)
    }

    pub fn texts(&self, path: &str) -> Vec<&str> {
        self.convert(path, "a list of texts", |value| {
            as_list(value, Value::as_str)
        })
    }

    pub fn numbers(&self, path: &str) -> Vec<f64> {
        self.convert(path, "a list of numbers", |value| {
            as_list(value, Value::as_f64)
        })
    }

    pub fn counts(&self, path: &str) -> Vec<usize> {
        self.convert(path, "a list of indices", |value| as_list(value, as_count))
    }

    /// A matrix as its rows.
    pub fn rows(&self, path: &str) -> Vec<Vec<f64>> {
        self.convert(path, "a matrix", |value| {
            as_list(value, |row| as_list(row, Value::as_f64))
        })
    }

    /// A list of lists of indices.
    pub fn index_rows(&self, path: &str) -> Vec<Vec<usize>> {
        self.convert(path, "lists of indices", |value| {
            as_list(value, |row| as_list(row, as_count))
        })
    }

    fn find(&self, path: &str) -> Option<&Value> {
        self.value.pointer(&format!("/{path}"))
    }

    fn convert<'a, R>(
        &'a self,
        path: &str,
        kind: &str,
        into: impl Fn(&'a Value) -> Option<R>,
    ) -> R {
        self.find(path)
            .and_then(into)
            .unwrap_or_else(|| panic!("{} {}: {path} is not {kind}", self.family, self.value["id"]))
    }
}

fn as_count(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|count| count.try_into().ok())
}

fn as_list<'a, R>(value: &'a Value, item: impl Fn(&'a Value) -> Option<R>) -> Option<Vec<R>> {
    value.as_array()?.iter().map(item).collect()
}

/// The numbers in the precision under test.
pub fn scalars<T: Scalar>(values: &[f64]) -> Vec<T> {
    values.iter().map(|&value| T::from_f64(value)).collect()
}
