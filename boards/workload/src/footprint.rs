//! Every operation once: what a firmware that uses it links, and how deep its stack gets.

use core::hint::black_box;

use sadcbo::gp::{FitConfig, Gp};
use sadcbo::{Controller, Error};

use crate::data::Experiment;

/// Fills the surrogate and asks it everything.
pub fn surrogate<const N: usize, const D: usize, const C: usize>(
    gp: &mut Gp<N, D, C>,
) -> Result<(), Error> {
    let mut experiment = Experiment::new(5);
    while gp.len() < gp.capacity() {
        let (at, output) = experiment.observe();
        gp.push(&at, output)?;
    }
    black_box(gp.likelihood()?);
    black_box(gp.fit(&FitConfig::warm())?);
    let (a, b) = (experiment.observe().0, experiment.observe().0);
    black_box(gp.posterior(&a)?);
    black_box(gp.posterior_gradient(&a)?);
    black_box(gp.covariance(&a, &b)?);
    Ok(())
}

/// Takes the controller through a whole experiment, until there is no room left.
pub fn controller<const N: usize, const D: usize, const C: usize>(
    controller: &mut Controller<N, D, C>,
) -> Result<(), Error> {
    let mut experiment = Experiment::<D, C>::new(6);
    while controller.observations() < N {
        let (at, output) = experiment.observe();
        let decision = controller.decide(&at.context)?;
        let applied = *decision.point();
        black_box(controller.observe(decision, &applied, output)?);
    }
    Ok(())
}
