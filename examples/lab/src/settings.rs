//! `--set name=value`: settings that only some problems or methods know.

use std::collections::BTreeMap;
use std::str::FromStr;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

/// Settings by name; who knows one takes it out, and what is left at the end nobody knew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Settings(BTreeMap<String, String>);

impl Settings {
    /// From `name=value` words.
    pub fn parse(words: &[String]) -> Result<Self> {
        let mut settings = Self::default();
        for word in words {
            let (name, value) = word
                .split_once('=')
                .with_context(|| format!("--set takes name=value, not {word:?}"))?;
            settings.set(name, value);
        }
        Ok(settings)
    }

    pub fn set(&mut self, name: &str, value: impl ToString) {
        self.0.insert(name.to_string(), value.to_string());
    }

    /// Takes over the settings of another; where both have one, the other's counts.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.clone());
    }

    /// A setting as it was given.
    pub fn get(&self, name: &str) -> Option<&String> {
        self.0.get(name)
    }

    /// Removes a setting and reads its value.
    pub fn take<T: FromStr>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(text) = self.0.remove(name) else {
            return Ok(None);
        };
        match text.parse() {
            Ok(value) => Ok(Some(value)),
            Err(_) => bail!("setting {name}: {text:?} is not a value for it"),
        }
    }

    /// An error if something is left.
    pub fn finish(self) -> Result<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => bail!("neither the problem nor the method has a setting {name:?}"),
        }
    }
}

impl std::fmt::Display for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_taken_once_and_leftovers_are_named() {
        let words = ["eta=0.8".to_string(), "q=10".to_string()];
        let mut settings = Settings::parse(&words).unwrap();
        assert_eq!(settings.to_string(), "eta=0.8 q=10");
        assert_eq!(settings.take::<f64>("eta").unwrap(), Some(0.8));
        assert_eq!(settings.take::<f64>("eta").unwrap(), None);
        let error = settings.finish().unwrap_err().to_string();
        assert!(error.contains("\"q\""), "{error}");
    }

    #[test]
    fn bad_words_and_values_are_refused() {
        assert!(Settings::parse(&["eta".to_string()]).is_err());
        let mut settings = Settings::parse(&["eta=high".to_string()]).unwrap();
        assert!(
            settings
                .take::<f64>("eta")
                .unwrap_err()
                .to_string()
                .contains("eta")
        );
    }
}
