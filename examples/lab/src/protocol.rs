//! The rules of a trial: how much initial data, what a step costs, how much may be spent, how noisy it is.

use anyhow::{Result, ensure};

use crate::contexts::Law;
use crate::cost::Cost;
use crate::problems::Problem;
use crate::settings::Settings;
use crate::tariff::Tariff;

/// The paper's protocol unless the settings `initial`, `budget`, `context-cost` or `true-costs` say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Points before the first step.
    pub initial: usize,
    pub budget: Cost,
    /// Cost of one step that only records the contexts.
    pub design_cost: Cost,
    /// Cost of actuating each context, as methods are told.
    pub context_costs: Vec<Cost>,
    /// What it really costs, if that is something else.
    pub tariff: Option<Tariff>,
    pub noise_sd: f64,
    pub law: Law,
}

impl Protocol {
    /// 5 initial points and a budget of 40 per relevant variable; every variable costs 1.
    pub fn new(
        problem: &dyn Problem,
        noise_sd: f64,
        law: Law,
        settings: &mut Settings,
    ) -> Result<Self> {
        let context_cost = settings.take("context-cost")?.unwrap_or(Cost::ONE);
        let protocol = Self {
            initial: settings.take("initial")?.unwrap_or(5 * problem.relevant()),
            budget: settings
                .take("budget")?
                .unwrap_or(Cost::ONE * (40 * problem.relevant())),
            design_cost: Cost::ONE * problem.paid_designs(),
            context_costs: vec![context_cost; problem.context().len()],
            tariff: settings.take("true-costs")?,
            noise_sd,
            law,
        };
        ensure!(
            noise_sd.is_finite() && noise_sd >= 0.0,
            "noise sd {noise_sd} is not 0 or more"
        );
        ensure!(
            protocol.initial >= 2,
            "a trial needs at least 2 initial points"
        );
        if let Some(pool) = problem.pool() {
            ensure!(
                protocol.initial < pool.rows.len(),
                "{} initial points leave nothing of the {} rows",
                protocol.initial,
                pool.rows.len()
            );
        }
        Ok(protocol)
    }

    /// What each context of a step really costs that moves the actuated ones from where they are today.
    pub fn context_costs_of(&self, actuated: &[bool], today: &[f64], settled: &[f64]) -> Vec<Cost> {
        let cost = |context: usize| match &self.tariff {
            None => self.context_costs[context],
            Some(tariff) => tariff.cost(context, today[context], settled[context]),
        };
        let costs = actuated.iter().enumerate();
        costs
            .map(|(context, on)| if *on { cost(context) } else { Cost::ZERO })
            .collect()
    }

    /// The most steps that a trial can have: all of them recording only.
    pub fn most_steps(&self) -> usize {
        (self.budget.0 / self.design_cost.0) as usize
    }
}
