//! One log line per decision: what, and why.

use sadcbo::{Config, Decision};

/// A decision in the words of its configuration. Formatted on the host: only numbers and names are sent.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a, const D: usize, const C: usize> {
    /// What was decided.
    pub decision: &'a Decision<D, C>,
    /// The names and units.
    pub config: &'a Config<D, C>,
}

impl<'a, const D: usize, const C: usize> Line<'a, D, C> {
    /// The line for this decision.
    pub const fn new(decision: &'a Decision<D, C>, config: &'a Config<D, C>) -> Self {
        Self { decision, config }
    }
}

#[cfg(feature = "defmt")]
impl<const D: usize, const C: usize> defmt::Format for Line<'_, D, C> {
    fn format(&self, f: defmt::Formatter<'_>) {
        use sadcbo::Action;
        let Self { decision, config } = self;
        defmt::write!(f, "step {=u32} {}:", decision.step(), decision.phase());
        for (variable, &value) in config.design().iter().zip(decision.design()) {
            let (name, unit) = (variable.name, variable.unit);
            defmt::write!(f, " {=str} {=f32} {=str},", name, rounded(value), unit);
        }
        let contexts = config.context().iter().zip(decision.relevance());
        for (index, (variable, &share)) in contexts.enumerate() {
            let (name, unit) = (variable.name, variable.unit);
            let percent = (share * 100.0 + 0.5) as u8;
            match decision.action(index) {
                Action::Actuate(value) => defmt::write!(
                    f,
                    " {=str} ({=u8} % of the sensitivity) actuated to {=f32} {=str},",
                    name,
                    percent,
                    rounded(value),
                    unit
                ),
                Action::Record => {
                    let ambient = decision.ambient().get(index).copied().unwrap_or(0.0);
                    defmt::write!(
                        f,
                        " {=str} ({=u8} %) recorded at {=f32} {=str},",
                        name,
                        percent,
                        rounded(ambient),
                        unit
                    )
                }
            }
        }
        if decision.is_restrained() {
            defmt::write!(f, " recording promises more for its cost,");
        }
        if let Some(forecast) = decision.forecast() {
            let (mean, sd) = (rounded(forecast.mean), rounded(forecast.std_dev));
            defmt::write!(f, " expect {=f32} +- {=f32},", mean, sd);
        }
        let (cost, left) = (decision.cost().milli(), decision.remaining().milli());
        defmt::write!(f, " cost {=u32} of {=u32} thousandths", cost, left);
    }
}

/// Three digits after the point are enough for a log.
#[cfg(feature = "defmt")]
fn rounded(value: f32) -> f32 {
    let thousandths = (value * 1000.0 + if value < 0.0 { -0.5 } else { 0.5 }) as i32;
    thousandths as f32 / 1000.0
}
