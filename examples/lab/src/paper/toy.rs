//! The paper's first figure: relevance over the promising points against relevance over all data.

use anyhow::{Context as _, Result, anyhow};
use sadcbo::gp::Gp;
use sadcbo::parts::batch::{Batch, choose_anywhere};
use sadcbo::parts::elite::elite;
use sadcbo::parts::relevance::{Collapsed, Relevance, divergences};
use sadcbo::{Config, ContextVariable, Controller, Cost, DesignVariable, Settings, SwitchRule};

use crate::figure::{Figure, Mark, Marker, Panel, Style, VIRIDIS, escape, of_series};
use crate::random::{Purpose, Stream};
use crate::run::Finished;
use crate::stats::Estimate;

const RUNS: u64 = 20;
const INITIAL: usize = 12;
const STEPS: usize = 40;
const NOISE_SD: f64 = 0.01;
/// Cells of the picture of the objective, in each direction.
const GRID: usize = 32;

type Point = sadcbo::Point<1, 2, f64>;

/// z2 sets the height of the background everywhere but on a ridge at z1 = 0.65, where z1 alone decides; optimum 1 at
/// z2 = 0.2.
fn objective([z1, z2]: [f64; 2]) -> f64 {
    let bump = |z: f64, at: f64, width: f64| (-((z - at) / width).powi(2)).exp();
    let ridge = bump(z1, 0.65, 0.15);
    let background = 0.6 * (std::f64::consts::FRAC_PI_2 * z2).sin();
    background * (1.0 - ridge) + (0.6 + 0.4 * bump(z2, 0.2, 0.4)) * ridge
}

/// One run: where it measured, the best value after each step, and both relevances before each step.
#[derive(Default)]
struct Run {
    queries: Vec<[f64; 2]>,
    best: Vec<f64>,
    promising: Vec<[f64; 2]>,
    all: Vec<[f64; 2]>,
}

/// Two contexts, both actuated in every step; a design that does nothing, because a controller has one at least.
fn run(seed: u64) -> Result<Run> {
    let unit = Cost::from_milli(1_000);
    let context = |name| ContextVariable::actuated(name, "", 0.0, 1.0, unit);
    let config = Config::try_new(
        [DesignVariable::new("x", "", 0.0, 1.0)],
        [context("z1"), context("z2")],
        unit,
        Cost::from_milli(3_000 * STEPS as u32),
    )?;
    let settings = Settings {
        initial_points: INITIAL as u16,
        relevance_threshold: 1.0,
        switch: SwitchRule::At(0),
        minimum_observational_steps: 0,
        actuation_weight: 0.0,
        ..Settings::default()
    };
    let mut controller =
        Controller::<{ INITIAL + STEPS + 4 }, 1, 2, f64>::new(config.with_seed(seed), settings)?;
    let mut ambient = Stream::new(seed, Purpose::Context);
    let mut noise = Stream::new(seed, Purpose::Noise);
    let mut measured: Vec<(Point, f64)> = Vec::new();
    let mut run = Run::default();
    for _ in 0..INITIAL {
        let point = Point::new([0.5], [ambient.uniform(), ambient.uniform()]);
        let y = objective(point.context) + NOISE_SD * noise.normal();
        controller.seed_with(&point, y)?;
        measured.push((point, y));
    }
    for step in 0..STEPS {
        let Ok(decision) = controller.decide(&[ambient.uniform(), ambient.uniform()]) else {
            break;
        };
        let [promising, all] = relevances(&controller, &measured, step as u32)?;
        run.promising.push(promising);
        run.all.push(all);
        let point = *decision.point();
        let y = objective(point.context) + NOISE_SD * noise.normal();
        let taken = controller.observe(decision, &point, y);
        taken.map_err(|not_taken| anyhow!("{}", not_taken.error))?;
        measured.push((point, y));
        run.best.push(best(&measured));
    }
    run.queries = measured.iter().map(|(point, _)| point.context).collect();
    Ok(run)
}

fn best(measured: &[(Point, f64)]) -> f64 {
    let values = measured.iter().map(|(point, _)| objective(point.context));
    values.fold(f64::MIN, f64::max)
}

/// Shares of z1 and z2 over D^BO, and over all of D, by the same surrogate.
fn relevances<const N: usize>(
    controller: &Controller<N, 1, 2, f64>,
    measured: &[(Point, f64)],
    seed: u32,
) -> Result<[[f64; 2]; 2]> {
    let settings = controller.settings();
    let mut gp = Gp::<N, 1, 2, f64>::new();
    for (point, y) in measured {
        gp.push(point, *y)?;
    }
    gp.set_hyper(*controller.hyper())?;
    let surrogate = gp.all()?;
    let collapsed = Collapsed::new(settings.collapse, &gp);
    let [mut promising, mut all] = [Relevance::new(settings.divergence); 2];
    let row = |point: &Point| divergences(&surrogate, point, &collapsed).context("no prediction");
    let promise = elite(settings.elite, gp.outputs());
    for (index, (point, y)) in measured.iter().enumerate() {
        let divergences = row(point)?;
        all.add_row(&divergences);
        if promise.contains(index, *y) {
            promising.add_row(&divergences);
        }
    }
    let mut batch = Batch::new();
    choose_anywhere(
        &mut batch,
        &surrogate,
        0.2,
        (settings.batch.into(), 64),
        seed,
    );
    for point in batch.points() {
        promising.add_row(&row(point)?);
    }
    Ok([promising.shares(), all.shares()])
}

/// The figure; it needs no stored result.
pub fn figure(_: &[&Finished]) -> String {
    let runs: Result<Vec<Run>> = (0..RUNS).map(run).collect();
    match runs {
        Ok(runs) => draw(&runs),
        Err(error) => format!("<p>{}</p>\n", escape(&error.to_string())),
    }
}

fn draw(runs: &[Run]) -> String {
    let mut legend = vec![("initial".to_string(), initial_style())];
    let quarter = STEPS / VIRIDIS.len();
    legend.extend((0..VIRIDIS.len()).map(|part| {
        let name = format!("step {}–{}", part * quarter + 1, (part + 1) * quarter);
        (name, query_style(part))
    }));
    legend.extend(
        ["z1", "z2"]
            .iter()
            .enumerate()
            .map(|(i, z)| (z.to_string(), of_series(i))),
    );
    let best: Vec<Vec<f64>> = runs.iter().map(|run| run.best.clone()).collect();
    let relevance = |shares: fn(&Run) -> &Vec<[f64; 2]>, title: &str| Panel {
        title: title.to_string(),
        x_label: "step".to_string(),
        y_label: "relevance (share)".to_string(),
        y_range: Some([0.0, 1.0]),
        marks: [0, 1]
            .into_iter()
            .flat_map(|z| {
                let of_run = |run: &Run| shares(run).iter().map(|pair| pair[z]).collect();
                mean_line(&runs.iter().map(of_run).collect::<Vec<_>>(), of_series(z))
            })
            .collect(),
        ..Panel::default()
    };
    let figure = Figure {
        description: "Relevance over the promising points and over all data".to_string(),
        legend,
        columns: 2,
        panels: vec![
            map(&runs[0]),
            Panel {
                title: "Best value".to_string(),
                x_label: "step".to_string(),
                y_label: "best value (optimum 1)".to_string(),
                marks: mean_line(&best, of_series(5)),
                ..Panel::default()
            },
            relevance(|run| &run.promising, "Relevance over the promising points"),
            relevance(|run| &run.all, "Relevance over all data"),
        ],
    };
    figure.svg()
}

/// Mean over runs with a band of two standard errors.
fn mean_line(values: &[Vec<f64>], style: Style) -> Vec<Mark> {
    let steps = values.iter().map(Vec::len).min().unwrap_or(0);
    let at = |step: usize| Estimate::of(&values.iter().map(|v| v[step]).collect::<Vec<_>>());
    let means: Vec<(f64, Estimate)> = (0..steps).map(|s| (s as f64 + 1.0, at(s))).collect();
    let band = means
        .iter()
        .map(|(x, e)| [*x, e.mean - 2.0 * e.se, e.mean + 2.0 * e.se]);
    vec![
        Mark::Band {
            points: band.collect(),
            style,
        },
        Mark::Line {
            points: means.iter().map(|(x, e)| [*x, e.mean]).collect(),
            style,
            every: 8,
        },
    ]
}

/// The objective in grey, and where one run measured.
fn map(run: &Run) -> Panel {
    let side = 1.0 / GRID as f64;
    let cells = (0..GRID * GRID).map(|index| {
        let [x, y] = [(index % GRID) as f64 * side, (index / GRID) as f64 * side];
        let value = objective([x + side / 2.0, y + side / 2.0]);
        // A little wider than they are: the next ones cover it, and no seam shows.
        ([x, y], [x + 1.2 * side, y + 1.2 * side], value)
    });
    let mut marks = vec![Mark::Shades(cells.collect())];
    let (initial, chosen) = run.queries.split_at(INITIAL.min(run.queries.len()));
    let quarter = STEPS / VIRIDIS.len();
    for (part, points) in chosen.chunks(quarter).enumerate() {
        let style = query_style(part.min(VIRIDIS.len() - 1));
        marks.push(Mark::Points {
            points: points.to_vec(),
            style,
        });
    }
    marks.push(Mark::Points {
        points: initial.to_vec(),
        style: initial_style(),
    });
    Panel {
        title: "Objective (darker is better) and one run".to_string(),
        x_label: "z1".to_string(),
        y_label: "z2".to_string(),
        x_range: Some([0.0, 1.0]),
        y_range: Some([0.0, 1.0]),
        marks,
        ..Panel::default()
    }
}

fn initial_style() -> Style {
    Style {
        width: 0.0,
        marker: Marker::Triangle,
        ..of_series(5)
    }
}

fn query_style(part: usize) -> Style {
    Style {
        width: 0.0,
        marker: Marker::Circle,
        colour: VIRIDIS[part],
        ..of_series(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_optimum_is_one_and_z1_matters_there_only() {
        assert!((objective([0.65, 0.2]) - 1.0).abs() < 1e-12);
        let drop = |from: [f64; 2], to: [f64; 2]| (objective(from) - objective(to)).abs();
        assert!(drop([0.65, 0.2], [0.0, 0.2]) > 5.0 * drop([0.65, 0.2], [0.65, 0.0]));
        assert!(drop([0.2, 0.8], [0.2, 0.0]) > 5.0 * drop([0.2, 0.8], [0.0, 0.8]));
    }

    #[test]
    fn promising_points_see_sooner_what_matters_at_the_optimum() {
        let runs: Vec<Run> = (0..RUNS).map(|seed| run(seed).unwrap()).collect();
        let early = |shares: fn(&Run) -> &Vec<[f64; 2]>| -> f64 {
            runs.iter().map(|run| shares(run)[0][0]).sum::<f64>() / runs.len() as f64
        };
        assert!(early(|run| &run.promising) > early(|run| &run.all) + 0.1);
        assert!(runs.iter().all(|run| run.best.len() == STEPS));
    }
}
