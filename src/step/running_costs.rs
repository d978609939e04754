//! Beyond the paper: what actuating each context really costs, as a running mean of what was reported.

use super::record::StepRecord;
use crate::config::Config;
use crate::{Cost, Scalar};

/// How many reports the mean is over; older ones fade.
const MEMORY: u32 = 16;

/// Running means of the cost of each context, which start from the costs of the configuration.
///
/// Hand them to [`Controller::set_context_costs`](crate::Controller::set_context_costs) before a decision. Nothing of it
/// is in a record: store it with the records if it is to survive a reset.
///
/// ```
/// use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, RunningCosts, Settings};
///
/// let unit = Cost::from_milli(1_000);
/// let config = Config::<1, 1, f32>::new(
///     [DesignVariable::new("dose", "mg", 0.0, 10.0)],
///     [ContextVariable::actuated("humidity", "%RH", 20.0, 60.0, unit)],
///     unit,
///     Cost::from_milli(30_000),
/// );
/// let settings = Settings { initial_actuation: true, ..Settings::default() };
/// let mut controller = Controller::<16, 1, 1>::new(config, settings)?;
/// let mut costs = RunningCosts::new(&config);
/// controller.set_context_costs(costs.costs());
/// let decision = controller.decide(&[40.0])?;
/// let applied = *decision.point();
/// let really = [Cost::from_milli(3_000)]; // what the humidifier took
/// let record = controller.observe_at_cost(decision, &applied, 1.0, &really)?;
/// costs.learn(&record, &really);
/// assert_eq!(record.cost, Cost::from_milli(4_000));
/// assert_eq!(costs.costs(), [Cost::from_milli(2_000)]); // between 1, as configured, and 3
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RunningCosts<const C: usize> {
    #[cfg_attr(feature = "serde", serde(with = "crate::arrays"))]
    means: [Mean; C],
}

/// The configured cost counts as the first report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Mean {
    /// In millionths of a unit, so that small steps are not lost.
    micro: u64,
    reports: u32,
}

impl<const C: usize> RunningCosts<C> {
    /// The costs of the configuration.
    pub fn new<const D: usize, T: Scalar>(config: &Config<D, C, T>) -> Self {
        Self {
            means: config.context_costs().map(|cost| Mean {
                micro: u64::from(cost.milli()) * 1000,
                reports: 1,
            }),
        }
    }

    /// Takes in what the contexts that a step actuated really cost; the others do not count.
    pub fn learn<const D: usize, T: Scalar>(
        &mut self,
        record: &StepRecord<D, C, T>,
        costs: &[Cost; C],
    ) {
        for (index, (mean, cost)) in self.means.iter_mut().zip(costs).enumerate() {
            if record.actuated.contains(index) {
                // Saturating, since the numbers may have been read from a damaged file.
                let reports = mean.reports.saturating_add(1).min(MEMORY);
                let others = mean.micro.saturating_mul(u64::from(reports - 1));
                let sum = others.saturating_add(u64::from(cost.milli()) * 1000);
                mean.micro = sum / u64::from(reports);
                mean.reports = reports;
            }
        }
    }

    /// What each context is expected to cost.
    pub fn costs(&self) -> [Cost; C] {
        let milli = |mean: &Mean| u32::try_from(mean.micro.saturating_add(500) / 1000);
        self.means
            .map(|mean| Cost::from_milli(milli(&mean).unwrap_or(u32::MAX)))
    }
}
