//! The surrogate and the functions that it and the controller are made of: no panic at all.
//!
//! Covered, in single and in double precision, for a capacity that 4 divides and for one that it does not:
//!
//! - every method of `gp::Gp`, `gp::Prefix`, `gp::Fit` and `gp::OutputScale`, with all kernels and priors (both are
//!   chosen at run time);
//! - the normal distribution, Sobol points, the random generator;
//! - D^γ, HSIC, feature collapsing, J_η, the batch acquisition, the switching criterion, costs and budget.
//!
//! Not covered: `Display` and `Debug`, whose formatting of numbers is `core`'s.
#![no_std]
#![no_main]

use core::panic::PanicInfo;

use sadcbo::gp::{Fit, FitConfig, Gp, Hyper, Kernel, OutputScale, Outputs};
use sadcbo::parts::batch::Batch;
use sadcbo::parts::budget::{Ledger, Prices};
use sadcbo::parts::relevance::{Collapsed, Relevance, design_divergences, divergences};
use sadcbo::parts::switch::{SwitchState, best_rows, inputs_of_last};
use sadcbo::parts::{elite, hsic, normal, rng, selection, sobol};
use sadcbo::{
    Beta, Collapse, Cost, Divergence, EliteRule, Overspend, Point, Scalar, SwitchRule, VarSet,
};
use sadcbo_nopanic::{control, keep};

unsafe extern "C" {
    /// Defined nowhere.
    fn a_panic_path_survives() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: never called, since no image that refers to it links.
    unsafe { a_panic_path_survives() }
}

/// Numbers and choices that the compiler must not guess.
pub struct Unknown<T> {
    number: T,
    index: usize,
    set: VarSet,
    cost: Cost,
    text: &'static str,
    kernel: Kernel,
    outputs: Outputs,
    collapse: Collapse,
    divergence: Divergence,
    elite: EliteRule<T>,
    switch: SwitchRule,
    beta: Beta<T>,
    overspend: Overspend,
    fit: FitConfig<T>,
}

#[unsafe(no_mangle)]
pub fn _start(
    single: (
        &mut Gp<64, 2, 5, f32>,
        &mut Batch<64, 2, 5, f32>,
        &Unknown<f32>,
    ),
    ragged: (&mut Gp<30, 1, 2, f32>, &mut Batch<30, 1, 2, f32>),
    double: (
        &mut Gp<64, 2, 5, f64>,
        &mut Batch<64, 2, 5, f64>,
        &Unknown<f64>,
    ),
) {
    control(single.2.index);
    functions(single.2);
    functions(double.2);
    surrogate(single.0, single.1, single.2);
    surrogate(ragged.0, ragged.1, single.2);
    surrogate(double.0, double.1, double.2);
}

fn surrogate<const N: usize, const D: usize, const C: usize, T: Scalar>(
    gp: &mut Gp<N, D, C, T>,
    batch: &mut Batch<N, D, C, T>,
    unknown: &Unknown<T>,
) {
    let point = || Point::new([unknown.number; D], [unknown.number; C]);
    keep(gp.push(&point(), unknown.number));
    keep(gp.fit(&unknown.fit));
    if let Ok(mut fit) = Fit::begin(gp, &unknown.fit) {
        keep(fit.step(gp));
    }
    keep(gp.likelihood());
    keep(gp.log_marginal_likelihood());
    keep(gp.posterior(&point()));
    keep(gp.posterior_gradient(&point()));
    keep(gp.covariance(&point(), &point()));
    keep(gp.remove(unknown.index));
    keep(gp.set_active(unknown.set, unknown.set));
    let mut hyper = Hyper::START;
    hyper.signal_variance = unknown.number;
    keep(gp.set_hyper(hyper));
    keep((
        gp.point(unknown.index),
        gp.best(),
        gp.outputs().len(),
        gp.capacity(),
    ));
    keep((gp.active(), *gp.scale(), gp.jitter(), gp.is_empty()));
    if let Ok(prefix) = gp.first(unknown.index) {
        keep(prefix.posterior(&point()));
        keep(prefix.posterior_gradient(&point()));
        keep(prefix.covariance(&point(), &point()));
        keep((prefix.len(), prefix.is_empty()));
    }
    if let Ok(surrogate) = gp.all() {
        batch.restart(unknown.number, unknown.index, |_, _| unknown.number);
        keep(batch.push(&surrogate, &point()));
        keep(batch.value_with(&surrogate, &point()));
        keep((batch.value(), batch.points().len()));
        let collapsed = Collapsed::new(unknown.collapse, gp);
        let mut relevance = Relevance::new(unknown.divergence);
        if let Some(row) = divergences(&surrogate, &point(), &collapsed) {
            relevance.add_row(&row);
        }
        keep(relevance.shares());
        keep(design_divergences(&surrogate, &point()));
    }
    if let Some(rows) = best_rows(gp.outputs())
        && let Some(inputs) = inputs_of_last(gp, rows, unknown.number, unknown.number)
    {
        let mut state = SwitchState::new();
        keep(state.observe(
            unknown.switch,
            3,
            unknown.index > 3,
            Some(&inputs.figures()),
        ));
    }
    let best = elite::elite(unknown.elite, gp.outputs());
    keep(best.contains(unknown.index, unknown.number));
    gp.clear();
    *gp = Gp::new()
        .with_kernel(unknown.kernel)
        .with_outputs(unknown.outputs);
}

fn functions<T: Scalar>(unknown: &Unknown<T>) {
    let x = unknown.number;
    keep((
        x.sqrt(),
        x.ln(),
        x.exp(),
        x.exp_neg(),
        x.erfc(),
        x.saturate(),
    ));
    keep((normal::pdf(x), normal::cdf(x), normal::inverse_cdf(x)));
    keep(normal::kl_divergence(x, x, x, x));
    let mut generator = rng::stream(7, rng::Purpose::Fit, unknown.cost.milli());
    keep(rng::uniform::<T>(&mut generator));
    keep(rng::below(&mut generator, unknown.cost.milli()));
    keep(selection::random_half(&mut generator, unknown.cost.milli()));
    keep(
        sobol::Sobol::new(unknown.cost.milli())
            .point::<T>(unknown.set.bits() as u16, unknown.index),
    );
    let scale = OutputScale::of(&[x; 7]);
    keep((
        scale.mean(),
        scale.deviation(),
        scale.standardise(x),
        scale.restore(x),
    ));
    let mut rows = [(x, unknown.index > 3); 50];
    keep(rows.get_mut(..unknown.index).map(hsic::hsic));
    let mut scores = [x; 5];
    selection::weigh_by_cost(&mut scores, &[x; 5]);
    keep(selection::select(&scores, x, unknown.set, unknown.set));
    keep(unknown.beta.at(unknown.index, unknown.index, x));
    keep(unknown.text.parse::<Cost>());
    keep((Cost::try_from_units(x), unknown.cost.units::<T>()));
    let prices = Prices {
        run: unknown.cost,
        contexts: &[unknown.cost; 5],
    };
    let mut ledger = Ledger::new(unknown.cost);
    ledger.charge(prices.of_step(unknown.set));
    keep(ledger.affordable(unknown.overspend, &prices, unknown.set, &scores));
    keep((
        ledger.remaining(),
        ledger.remaining_milli(),
        ledger.is_overdrawn(),
    ));
    keep(
        unknown
            .set
            .with(unknown.index)
            .without(unknown.index)
            .iter()
            .count(),
    );
}
