//! Whole experiments: every decision and every record of every policy.

use sadcbo::gp::FitConfig;
use sadcbo::gp::Prior;
use sadcbo::{
    CaBo, Cbo, Config, ContextVariable, Controller, Cost, Cubo, DesignVariable, Dropout, MmdBo,
    Policy, Sadcbo, Scalar, Settings, StepRecord, SwitchRule, Vbo, Work,
};

use super::Log;
use crate::data::Data;
use crate::output::Output;

pub fn run(log: &mut Log<'_, impl FnMut(&Output)>) {
    let settings = Settings {
        initial_points: 6,
        minimum_observational_steps: 4,
        switch: SwitchRule::At(6),
        work: Work::FAST,
        ..Settings::DEFAULT
    };
    experiment::<f32, Sadcbo>(log, "sadcbo", settings, 18);
    let adaptive = Settings {
        switch: SwitchRule::Adaptive,
        fit: FitConfig {
            prior: Prior::saas(),
            ..FitConfig::DEFAULT
        },
        ..settings
    };
    experiment::<f32, Sadcbo>(log, "saas", adaptive, 12);
    experiment::<f32, Cbo>(log, "cbo", settings, 10);
    experiment::<f32, Cubo>(log, "cubo", settings, 10);
    experiment::<f32, Vbo>(log, "vbo", settings, 10);
    experiment::<f32, CaBo>(log, "cabo", settings, 10);
    experiment::<f32, Dropout>(log, "dropout", settings, 10);
    experiment::<f32, MmdBo>(log, "mmdbo", settings, 10);
    let double = Settings {
        initial_points: 6,
        switch: SwitchRule::At(2),
        work: Work::FAST,
        ..Settings::DEFAULT
    };
    experiment::<f64, Sadcbo>(log, "double", double, 9);
}

/// A few steps on a smooth function of the design and the first context.
fn experiment<T: Scalar, P: Policy>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    name: &'static str,
    settings: Settings<T>,
    steps: usize,
) {
    let cost = Cost::from_milli(1_000);
    let config = Config::try_new(
        [DesignVariable::new("design", "", T::ZERO, T::ONE); 2],
        [ContextVariable::actuated("context", "", T::ZERO, T::ONE, cost); 3],
        cost,
        Cost::from_milli(100_000),
    );
    let Ok(config) = config else {
        log.put(name, 0, T::ZERO);
        return;
    };
    let Ok(mut controller) = Controller::<20, 2, 3, T, P>::new(config, settings) else {
        log.put(name, 1, T::ZERO);
        return;
    };
    let mut weather = Data::new(9);
    for _ in 0..steps {
        let ambient = [(); 3].map(|()| T::from_f64(f64::from(weather.unit())));
        let Ok(decision) = controller.decide(&ambient) else {
            log.put(name, 2, T::ZERO);
            return;
        };
        let applied = *decision.point();
        let mut result = T::ZERO;
        for value in applied.iter().take(3) {
            let distance = value - T::FIFTH;
            result -= distance * distance;
        }
        match controller.observe(decision, &applied, result) {
            Ok(record) => record_bits(log, name, &record),
            Err(_) => log.put(name, 3, T::ZERO),
        }
    }
}

fn record_bits<T: Scalar>(
    log: &mut Log<'_, impl FnMut(&Output)>,
    name: &'static str,
    record: &StepRecord<2, 3, T>,
) {
    log.all(name, record.asked.iter());
    log.all(name, record.relevance.into_iter());
    log.put(name, 5, T::from_count(record.selected.bits() as usize));
    log.put(name, 6, record.hyper.noise_variance);
    if let Some(forecast) = record.forecast {
        log.put(name, 7, forecast.mean);
        log.put(name, 8, forecast.std_dev);
    }
    if let Some(figures) = record.switch {
        log.put(name, 9, figures.bound);
        log.put(name, 10, figures.threshold);
    }
}
