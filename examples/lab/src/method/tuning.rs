//! The library's settings from `--set name=value`.

use anyhow::{Result, bail};
use sadcbo::gp::{FitConfig, Kernel, Prior};
use sadcbo::{Beta, Collapse, Divergence, EliteRule, Overspend, Scalar, SwitchRule, Work};

use crate::settings::Settings;

/// What `list` says about the settings of methods.
pub const HELP: &str = "\
preset=default|paper  work=fast|standard|thorough  eta=0..1  gamma=0..1  elite=minmax|ratio|top  q=0..10
divergence=kl|sqrt-kl  collapse=zero|mean|observed  beta=X|scheduled:X  switch=adaptive|median|at:N|never
min-steps=N  observe-share=0..1  actuation-weight=X  delta=0..1  design-threshold=0..1  budget-aware=true|false
overspend=trim|overdraw  kernel=se|matern  prior=flat|length-scales|botorch|saas  noise-floor=X  refit-below=N
refit-every=N  learn-costs=no|running|model";

/// The library's settings: a preset, changed by what is set. Takes what it knows.
pub fn tuned<T: Scalar>(words: &mut Settings) -> Result<sadcbo::Settings<T>> {
    let mut tuned = match words.take::<String>("preset")?.as_deref() {
        None | Some("default") => sadcbo::Settings::default(),
        Some("paper") => sadcbo::Settings::paper(),
        Some(other) => bail!("preset: {other:?} is not default or paper"),
    };
    let number = |value: f64| T::from_f64(value);
    if let Some(eta) = words.take("eta")? {
        tuned.relevance_threshold = number(eta);
    }
    if let Some(share) = words.take("design-threshold")? {
        tuned.design_threshold = number(share);
    }
    tuned.elite = elite(words, tuned.elite)?;
    set(words, "q", &mut tuned.batch)?;
    tuned.divergence = named(
        words,
        "divergence",
        tuned.divergence,
        &[("kl", Divergence::Kl), ("sqrt-kl", Divergence::SqrtKl)],
    )?;
    tuned.collapse = named(
        words,
        "collapse",
        tuned.collapse,
        &[
            ("zero", Collapse::Zero),
            ("mean", Collapse::Mean),
            ("observed", Collapse::Observed),
        ],
    )?;
    if let Some(text) = words.take::<String>("beta")? {
        tuned.beta = match (
            text.parse(),
            text.strip_prefix("scheduled:").map(str::parse),
        ) {
            (Ok(beta), _) => Beta::Constant(number(beta)),
            (_, Some(Ok(scale))) => Beta::Scheduled {
                scale: number(scale),
            },
            _ => bail!("beta: {text:?} is not a number nor scheduled:NUMBER"),
        };
    }
    if let Some(text) = words.take::<String>("switch")? {
        tuned.switch = match (text.as_str(), text.strip_prefix("at:").map(str::parse)) {
            ("adaptive", _) => SwitchRule::Adaptive,
            ("median", _) => SwitchRule::MedianFraction,
            ("never", _) => SwitchRule::Never,
            (_, Some(Ok(step))) => SwitchRule::At(step),
            _ => bail!("switch: {text:?} is not adaptive, median, at:STEP or never"),
        };
    }
    set(words, "min-steps", &mut tuned.minimum_observational_steps)?;
    if let Some(share) = words.take("observe-share")? {
        tuned.observational_share = number(share);
    }
    if let Some(weight) = words.take("actuation-weight")? {
        tuned.actuation_weight = number(weight);
    }
    if let Some(floor) = words.take("noise-floor")? {
        tuned.fit.noise_variance.0 = number(floor);
    }
    if let Some(delta) = words.take("delta")? {
        tuned.delta = number(delta);
    }
    set(words, "budget-aware", &mut tuned.budget_aware_switch)?;
    tuned.overspend = named(
        words,
        "overspend",
        tuned.overspend,
        &[("trim", Overspend::Trim), ("overdraw", Overspend::Overdraw)],
    )?;
    tuned.kernel = named(
        words,
        "kernel",
        tuned.kernel,
        &[
            ("se", Kernel::SquaredExponential),
            ("matern", Kernel::Matern52),
        ],
    )?;
    let priors = [
        ("flat", Prior::Flat),
        ("length-scales", Prior::LengthScales),
        ("botorch", Prior::Botorch),
        ("saas", Prior::saas()),
    ];
    tuned.fit = FitConfig {
        prior: named(words, "prior", tuned.fit.prior, &priors)?,
        ..tuned.fit
    };
    set(words, "refit-below", &mut tuned.refit_always_below)?;
    set(words, "refit-every", &mut tuned.refit_every)?;
    let works = [
        ("fast", Work::FAST),
        ("standard", Work::STANDARD),
        ("thorough", Work::THOROUGH),
    ];
    tuned.work = named(words, "work", tuned.work, &works)?;
    Ok(tuned)
}

/// `elite` names the rule, `gamma` its number.
fn elite<T: Scalar>(words: &mut Settings, default: EliteRule<T>) -> Result<EliteRule<T>> {
    let (EliteRule::MinMax(gamma) | EliteRule::Ratio(gamma) | EliteRule::TopFraction(gamma)) =
        default;
    let given = words.take::<f64>("gamma")?.map(T::from_f64);
    let rule = words.take::<String>("elite")?;
    let gamma = given.unwrap_or(gamma);
    Ok(match (rule.as_deref(), default) {
        (Some("minmax"), _) | (None, EliteRule::MinMax(_)) => EliteRule::MinMax(gamma),
        (Some("ratio"), _) | (None, EliteRule::Ratio(_)) => EliteRule::Ratio(gamma),
        // The reference's share of the best, unless one is given.
        (Some("top"), _) | (None, _) => EliteRule::TopFraction(given.unwrap_or(T::from_f64(0.2))),
        (Some(other), _) => bail!("elite: {other:?} is not minmax, ratio or top"),
    })
}

/// Overwrites a setting with the value given, if one is.
fn set<V: std::str::FromStr>(words: &mut Settings, name: &str, place: &mut V) -> Result<()> {
    if let Some(value) = words.take(name)? {
        *place = value;
    }
    Ok(())
}

/// One of some named values.
fn named<V: Copy>(words: &mut Settings, name: &str, default: V, values: &[(&str, V)]) -> Result<V> {
    let Some(text) = words.take::<String>(name)? else {
        return Ok(default);
    };
    match values.iter().find(|(word, _)| *word == text) {
        Some((_, value)) => Ok(*value),
        None => {
            let known: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
            bail!("{name}: {text:?} is none of {}", known.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Settings {
        let words: Vec<String> = text.split(' ').map(str::to_string).collect();
        Settings::parse(&words).unwrap()
    }

    #[test]
    fn what_is_set_changes_and_the_rest_stays() {
        let mut given =
            words("eta=0.5 gamma=0.9 elite=ratio switch=at:7 prior=saas q=3 beta=scheduled:0.1");
        let tuned = tuned::<f64>(&mut given).unwrap();
        let expected = sadcbo::Settings::<f64> {
            relevance_threshold: 0.5,
            elite: EliteRule::Ratio(0.9),
            switch: SwitchRule::At(7),
            batch: 3,
            beta: Beta::Scheduled { scale: 0.1 },
            fit: FitConfig {
                prior: Prior::saas(),
                ..FitConfig::default()
            },
            ..sadcbo::Settings::default()
        };
        assert_eq!(tuned, expected);
        given.finish().unwrap();
    }

    #[test]
    fn presets_come_first() {
        let paper = tuned::<f64>(&mut words("preset=paper gamma=0.7")).unwrap();
        assert_eq!(paper.elite, EliteRule::Ratio(0.7));
        assert_eq!(paper.divergence, Divergence::Kl);
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for text in [
            "divergence=js",
            "switch=at:x",
            "beta=much",
            "elite=best",
            "preset=none",
            "q=-1",
        ] {
            let error = tuned::<f64>(&mut words(text)).unwrap_err().to_string();
            assert!(error.contains(text.split('=').next().unwrap()), "{error}");
        }
    }
}
