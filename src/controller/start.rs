//! How an experiment begins.

use heapless::Vec;

use super::plan::Plan;
use super::{Controller, ReplayError};
use crate::gp::{Gp, Hyper};
use crate::policy::{Policy, Sadcbo};
use crate::step::batch::Batch;
use crate::step::budget::Ledger;
use crate::step::decision::Phase;
use crate::step::record::StepRecord;
use crate::step::switch::SwitchState;
use crate::{Config, ConfigError, Cost, Scalar, Settings, VarSet};

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy>
    Controller<N, D, C, T, P>
{
    /// A new experiment.
    pub fn new(config: Config<D, C, T>, settings: Settings<T>) -> Result<Self, ConfigError> {
        settings.validate()?;
        Ok(Self::in_static(config, settings))
    }

    /// A new experiment as the value of a `static`, so that kilobytes need not pass through the stack.
    ///
    /// The settings are checked by the first call that uses them: [`Error::Setting`](crate::Error::Setting). The whole
    /// initial value lies in flash too; that of a [`Place`] does not.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use sadcbo::{Config, Controller, Cost, DesignVariable, Settings};
    ///
    /// const OVEN: Config<1, 0> = Config::<1, 0, f32>::new(
    ///     [DesignVariable::new("annealing time", "min", 5.0, 60.0)],
    ///     [],
    ///     Cost::from_milli(1_000),
    ///     Cost::from_milli(40_000),
    /// );
    /// static CONTROLLER: Mutex<Controller<64, 1, 0>> =
    ///     Mutex::new(Controller::in_static(OVEN, Settings::DEFAULT));
    /// assert!(CONTROLLER.lock().unwrap().decide(&[]).is_ok());
    /// ```
    pub const fn in_static(config: Config<D, C, T>, settings: Settings<T>) -> Self {
        let mut controller = Self::vacant();
        controller.install(config, settings);
        controller
    }

    /// No experiment: every byte is 0.
    const fn vacant() -> Self {
        Self {
            plan: Plan::Vacant,
            gp: Gp::vacant(),
            full: Hyper::VACANT,
            unfitted: 0,
            batch: Batch::new(),
            ledger: Ledger::new(Cost::ZERO),
            phase: Phase::Initial,
            switch: SwitchState::new(),
            step: 0,
            forced_in: VarSet::EMPTY,
            forced_out: VarSet::EMPTY,
            context_costs: [Cost::ZERO; C],
            rejected: Vec::new(),
            rejections: 0,
            policy: P::START,
        }
    }

    /// What an experiment begins with that is not 0.
    const fn install(&mut self, config: Config<D, C, T>, settings: Settings<T>) {
        self.plan = Plan::Made { config, settings };
        self.gp.begin(settings.kernel);
        self.full = Hyper::START;
        self.ledger = Ledger::new(config.budget);
        self.context_costs = config.context_costs();
    }
}

/// Room for a controller. As the value of a `static` it takes RAM and no flash, since it is nothing but zeros; the
/// controller begins in it, without passing through the stack.
///
/// ```
/// use std::sync::Mutex;
/// use sadcbo::{Config, Cost, DesignVariable, Place, Settings};
///
/// const OVEN: Config<1, 0> = Config::<1, 0, f32>::new(
///     [DesignVariable::new("annealing time", "min", 5.0, 60.0)],
///     [],
///     Cost::from_milli(1_000),
///     Cost::from_milli(40_000),
/// );
/// static PLACE: Mutex<Place<64, 1, 0>> = Mutex::new(Place::new());
/// let mut place = PLACE.lock().unwrap();
/// let controller = place.start(OVEN, Settings::default())?;
/// assert!(controller.decide(&[]).is_ok());
/// # Ok::<(), sadcbo::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Place<const N: usize, const D: usize, const C: usize, T = f32, P = Sadcbo> {
    controller: Controller<N, D, C, T, P>,
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Default
    for Place<N, D, C, T, P>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, const D: usize, const C: usize, T: Scalar, P: Policy> Place<N, D, C, T, P> {
    /// Nobody in it.
    pub const fn new() -> Self {
        Self {
            controller: Controller::vacant(),
        }
    }

    /// [`Controller::new`] in this place. What was in it before is forgotten.
    pub fn start(
        &mut self,
        config: Config<D, C, T>,
        settings: Settings<T>,
    ) -> Result<&mut Controller<N, D, C, T, P>, ConfigError> {
        settings.validate()?;
        let controller = &mut self.controller;
        controller.install(config, settings);
        controller.unfitted = 0;
        controller.phase = Phase::Initial;
        controller.switch = SwitchState::new();
        controller.step = 0;
        (controller.forced_in, controller.forced_out) = (VarSet::EMPTY, VarSet::EMPTY);
        controller.rejected.clear();
        controller.rejections = 0;
        controller.policy = P::START;
        Ok(controller)
    }

    /// [`Controller::replay`] in this place.
    pub fn replay(
        &mut self,
        config: Config<D, C, T>,
        settings: Settings<T>,
        records: impl IntoIterator<Item = StepRecord<D, C, T>>,
    ) -> Result<&mut Controller<N, D, C, T, P>, ReplayError> {
        let controller = self.start(config, settings).map_err(ReplayError::Config)?;
        controller.restore_all(records)?;
        Ok(controller)
    }
}
