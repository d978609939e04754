//! `cargo lab`: the paper's evaluation on a desktop.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use sadcbo_lab::contexts::Law;
use sadcbo_lab::method::Precision;
use sadcbo_lab::paper::{self, Request, SECTIONS};
use sadcbo_lab::run::{Experiment, Job, Prepared, run_all};
use sadcbo_lab::settings::Settings;
use sadcbo_lab::store::Store;
use sadcbo_lab::{compare, list, results};

#[derive(Parser)]
#[command(
    name = "lab",
    about = "SADCBO against its baselines on the paper's problems"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show problems and methods
    List {
        #[command(flatten)]
        common: Common,
    },
    /// Run one method on one problem; the same command resumes what was stopped
    Run(Run),
    /// Run everything that the paper shows and write report.html and summary.json
    Paper(Paper),
    /// Write RESULTS.md from the runs that `paper` stored
    Results(Results),
    /// Two results side by side: B minus A with confidence intervals
    Compare {
        /// A summary.json, or a directory that has one
        a: PathBuf,
        b: PathBuf,
    },
}

#[derive(Args)]
struct Common {
    /// Where portfolio.csv and yacht.csv are (else $SADCBO_DATA, else ../shared/data)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Args)]
struct Run {
    #[arg(long)]
    problem: String,
    #[arg(long)]
    method: String,
    #[arg(long, default_value_t = 10)]
    trials: usize,
    /// Seed of the first trial; the next has the next number
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Standard deviation of the noise; the problem's own if not given
    #[arg(long)]
    noise_sd: Option<f64>,
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,
    /// uniform, drift[:step], correlated[:rho] or seasonal[:period]
    #[arg(long, default_value_t, value_name = "LAW")]
    contexts: Law,
    /// Settings of the problem, the protocol or the method, as name=value
    #[arg(long, value_name = "NAME=VALUE", num_args = 1..)]
    set: Vec<String>,
    /// Keep trials that another build of the lab made
    #[arg(long)]
    any_build: bool,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Paper {
    /// Trials of each synthetic experiment
    #[arg(long, default_value_t = 100)]
    trials: usize,
    /// Trials at most of each experiment of the studies: irrelevant, costs, hyperparameters, fixed-switch, relevant-share,
    /// extensions
    #[arg(long, default_value_t = 100)]
    study_trials: usize,
    /// Trials at most of each real-world experiment
    #[arg(long, default_value_t = 10)]
    real_trials: usize,
    #[arg(long, value_name = "DIR", default_value = "target/lab/paper")]
    out: PathBuf,
    /// Noise of the synthetic problems; 0.01 if not given
    #[arg(long)]
    noise_sd: Option<f64>,
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,
    /// Only these problems, separated by commas
    #[arg(long, value_delimiter = ',')]
    problems: Vec<String>,
    /// Only these methods
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    #[arg(long, alias = "section", value_delimiter = ',', help = format!("Only these sections, of {}", SECTIONS.join(", ")))]
    sections: Vec<String>,
    /// Settings of every method but random, as name=value; preset=paper is the paper's own
    #[arg(long, value_name = "NAME=VALUE", num_args = 1..)]
    set: Vec<String>,
    /// Keep trials that another build of the lab made
    #[arg(long)]
    any_build: bool,
    /// Threads; 0 for one per core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    common: Common,
}

#[derive(Args)]
struct Results {
    /// The --out of `paper`
    #[arg(long, value_name = "DIR", default_value = "target/lab/paper")]
    from: PathBuf,
    #[arg(long, value_name = "FILE", default_value = "examples/lab/RESULTS.md")]
    out: PathBuf,
    /// The day of the runs; that of the last logged one if not given
    #[arg(long)]
    date: Option<String>,
    /// As `paper` was told
    #[arg(long)]
    noise_sd: Option<f64>,
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,
    #[arg(long, value_name = "NAME=VALUE", num_args = 1..)]
    set: Vec<String>,
}

fn main() -> ExitCode {
    match Cli::parse().command.execute() {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("lab: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Command {
    /// Does the work; what comes back is printed.
    fn execute(self) -> Result<String> {
        match self {
            Self::List { common } => Ok(list::text(common.data.as_deref())),
            Self::Run(run) => run.execute(),
            Self::Paper(paper) => paper::execute(&paper.try_into()?),
            Self::Results(results) => results.execute(),
            Self::Compare { a, b } => compare::text(&compare::read(&a)?, &compare::read(&b)?),
        }
    }
}

impl Run {
    fn execute(self) -> Result<String> {
        let experiment = Experiment {
            problem: self.problem,
            method: self.method,
            noise_sd: self.noise_sd,
            precision: self.precision,
            contexts: self.contexts,
            settings: Settings::parse(&self.set)?,
        };
        let prepared = Prepared::new(experiment, self.common.data.as_deref())?;
        let job = Job {
            store: Store::open(&self.out, &prepared, self.any_build)?,
            prepared,
            first: self.seed,
            trials: self.trials,
        };
        let finished = run_all(vec![job], self.threads)?
            .pop()
            .context("nothing was run")?;
        let last = finished.summary.best.last().context("nothing was run")?;
        let physical = finished.summary.physical.as_ref();
        let physical = physical.map_or(String::new(), |p| {
            format!(" ({:.4} ± {:.4} {})", p.mean, p.se, p.unit)
        });
        let stored = if finished.stored > finished.summary.trials {
            format!(" of {} stored", finished.stored)
        } else {
            String::new()
        };
        Ok(format!(
            "{} {}: {:.4} ± {:.4}{physical} at full budget, {} trials{stored}, {:.3} ms per step; {}\n",
            finished.summary.problem,
            finished.summary.method,
            last.mean,
            last.se,
            finished.summary.trials,
            finished.summary.ms_per_step,
            self.out.display()
        ))
    }
}

impl Results {
    fn execute(self) -> Result<String> {
        let request = Request {
            out: self.from,
            noise_sd: self.noise_sd,
            precision: self.precision,
            settings: Settings::parse(&self.set)?,
            ..Request::default()
        };
        results::execute(&request, &self.out, self.date.as_deref())
    }
}

impl TryFrom<Paper> for Request {
    type Error = anyhow::Error;

    fn try_from(paper: Paper) -> Result<Self> {
        Ok(Self {
            out: paper.out,
            trials: paper.trials,
            study_trials: paper.study_trials,
            real_trials: paper.real_trials,
            noise_sd: paper.noise_sd,
            precision: paper.precision,
            problems: paper.problems,
            methods: paper.methods,
            sections: paper.sections,
            settings: Settings::parse(&paper.set)?,
            data: paper.common.data,
            any_build: paper.any_build,
            threads: paper.threads,
        })
    }
}
