//! Runs on disk: the same for any number of threads, resumed without a trace, never mixed up.

use std::fs;
use std::path::{Path, PathBuf};

use sadcbo_lab::contexts::Law;
use sadcbo_lab::cost::Cost;
use sadcbo_lab::method::{Measured, Optimiser, Phase, Precision, Proposal, Situation, Target};
use sadcbo_lab::run::{Experiment, Finished, Job, Prepared, run_all};
use sadcbo_lab::settings::Settings;
use sadcbo_lab::store::Store;
use sadcbo_lab::trial::{Opening, Trial};
use sadcbo_lab::{compare, paper, problems, protocol::Protocol, results};

fn experiment(settings: &[&str]) -> Experiment {
    let words: Vec<String> = settings.iter().map(ToString::to_string).collect();
    Experiment {
        problem: "hartmann4".to_string(),
        method: "random".to_string(),
        noise_sd: None,
        precision: Precision::F64,
        contexts: Law::Uniform,
        settings: Settings::parse(&words).unwrap(),
    }
}

/// A fresh directory of this name under cargo's own temporary one.
fn fresh(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    directory
}

fn run(
    directory: &Path,
    settings: &[&str],
    trials: usize,
    threads: usize,
) -> anyhow::Result<Finished> {
    let prepared = Prepared::new(experiment(settings), None)?;
    let job = Job {
        store: Store::open(directory, &prepared, false)?,
        prepared,
        first: 5,
        trials,
    };
    Ok(run_all(vec![job], threads)?.remove(0))
}

fn runs(directory: &Path) -> String {
    fs::read_to_string(directory.join("runs.csv")).unwrap()
}

#[test]
fn threads_do_not_change_the_result() {
    let (one, four) = (fresh("one"), fresh("four"));
    run(&one, &[], 6, 1).unwrap();
    run(&four, &[], 6, 4).unwrap();
    assert_eq!(runs(&one), runs(&four));
    // 6 trials of 20 initial points and 80 steps, and the header.
    assert_eq!(runs(&one).lines().count(), 6 * (20 + 80) + 1);
}

#[test]
fn a_stopped_run_resumes_to_the_same_files() {
    let (whole, stopped) = (fresh("whole"), fresh("stopped"));
    let finished = run(&whole, &[], 5, 2).unwrap();
    run(&stopped, &[], 3, 2).unwrap();
    // The run was stopped in the middle of writing its third trial.
    let journal = stopped.join("trials.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 100]).unwrap();
    let resumed = run(&stopped, &[], 5, 2).unwrap();
    assert_eq!(runs(&whole), runs(&stopped));
    assert_eq!(finished.summary.trial_best, resumed.summary.trial_best);
    // Asking again computes nothing and changes nothing.
    let before = fs::read_to_string(&journal).unwrap();
    run(&stopped, &[], 5, 2).unwrap();
    assert_eq!(fs::read_to_string(&journal).unwrap(), before);
}

#[test]
fn complete_trials_are_on_disk_before_the_run_ends() {
    let directory = fresh("midway");
    let prepared = Prepared::new(experiment(&[]), None).unwrap();
    let store = Store::open(&directory, &prepared, false).unwrap();
    store.append(&prepared.trial(5).unwrap()).unwrap();
    assert_eq!(runs(&directory).lines().count(), 101);
}

#[test]
fn another_experiment_is_refused() {
    let directory = fresh("refused");
    run(&directory, &[], 1, 1).unwrap();
    let error = run(&directory, &["irrelevant=4"], 1, 1)
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("another experiment"), "{error}");
}

#[test]
fn unknown_names_are_refused_before_any_work() {
    let error = |settings: &[&str]| {
        run(&fresh("unknown"), settings, 1, 1)
            .err()
            .unwrap()
            .to_string()
    };
    assert!(error(&["etaa=1"]).contains("etaa"));
    assert!(error(&["budget=-1"]).contains("budget"));
    let nobody = Experiment {
        method: "nobody".to_string(),
        ..experiment(&[])
    };
    assert!(
        Prepared::new(nobody, None)
            .err()
            .unwrap()
            .to_string()
            .contains("nobody")
    );
}

#[test]
fn a_summary_read_back_is_the_one_written() {
    let directory = fresh("summary");
    let finished = run(&directory, &[], 3, 1).unwrap();
    assert_eq!(
        compare::read(&directory).unwrap(),
        vec![finished.summary.clone()]
    );
    let best = &finished.summary.best;
    assert!(best.windows(2).all(|pair| pair[0].mean <= pair[1].mean));
    let summaries = [finished.summary];
    let text = compare::text(&summaries, &summaries).unwrap();
    assert!(
        text.contains("paired by seed") && text.contains("+0.0000"),
        "{text}"
    );
}

/// Notes what it is shown, and actuates the first context from the fourth step on.
#[derive(Default)]
struct Spy {
    seen: Vec<Vec<f64>>,
    told: Vec<Measured>,
    actuates: bool,
}

impl Optimiser for Spy {
    fn ask(&mut self, now: &Situation) -> anyhow::Result<Proposal> {
        self.seen.push(now.ambient.to_vec());
        let actuates = self.actuates && self.seen.len() > 3;
        let mut context = vec![None; now.ambient.len()];
        context[0] = actuates.then_some(0.25);
        Ok(Proposal {
            target: Target::Point {
                design: vec![0.5; 2],
                context,
            },
            phase: if actuates {
                Phase::Optimization
            } else {
                Phase::Observational
            },
            selected: vec![actuates, false, false, false, false],
            relevance: Vec::new(),
        })
    }

    fn tell(&mut self, measured: &Measured, _: &[Cost]) -> anyhow::Result<()> {
        self.told.push(measured.clone());
        Ok(())
    }
}

fn spy(actuates: bool) -> (Spy, Trial, Vec<Measured>) {
    let problem = problems::by_name("hartmann4", &mut Settings::default(), None).unwrap();
    let protocol = Protocol::new(
        problem.as_ref(),
        0.01,
        Law::Uniform,
        &mut Settings::default(),
    )
    .unwrap();
    let mut spy = Spy {
        actuates,
        ..Spy::default()
    };
    let opening = Opening::new(problem.as_ref(), &protocol, 9);
    let initial = opening.initial.clone();
    let trial = opening.run(&mut spy).unwrap();
    (spy, trial, initial)
}

#[test]
fn methods_of_one_trial_see_the_same_world() {
    let (recorder, _, initial_a) = spy(false);
    let (actuator, _, initial_b) = spy(true);
    assert_eq!(initial_a, initial_b);
    let steps = actuator.seen.len();
    assert_eq!(recorder.seen[..steps], actuator.seen[..]);
    // Steps 1 to 3 are the same in both, their noise included.
    assert_eq!(recorder.told[..3], actuator.told[..3]);
    assert_ne!(recorder.told[3], actuator.told[3]);
}

#[test]
fn actuated_contexts_are_achieved_and_paid() {
    let (actuator, trial, _) = spy(true);
    for (seen, told) in actuator.seen.iter().zip(&actuator.told).skip(3) {
        assert_eq!(told.context[0], 0.25);
        assert_eq!(told.context[1..], seen[1..]);
    }
    // Three steps at 2, then 3 each: after 3 + 51 steps 159 of 160 are spent, and 1 pays for nothing.
    let last = trial.steps.last().unwrap();
    assert_eq!((last.step, last.cost), (54, 159.0));
    assert_eq!(trial.switch(), Some((4, 6.0)));
}

/// A small report of two methods on one problem.
fn request(out: &Path, trials: usize) -> paper::Request {
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    paper::Request {
        out: out.to_path_buf(),
        trials,
        study_trials: trials,
        problems: words("hartmann4"),
        methods: words("sadcbo cbo"),
        sections: words("benchmark precision"),
        settings: Settings::parse(&words("budget=20 initial=8 work=fast")).unwrap(),
        ..paper::Request::default()
    }
}

/// How many trials each summary in the cells of a report holds.
fn cell_trials(out: &Path) -> Vec<usize> {
    let cells = fs::read_dir(out.join("cells")).unwrap();
    cells
        .map(|cell| compare::read(&cell.unwrap().path()).unwrap()[0].trials)
        .collect()
}

#[test]
fn results_are_written_from_what_is_stored() {
    let out = fresh("results");
    let request = request(&out, 3);
    paper::execute(&request).unwrap();
    let page = out.join("RESULTS.md");
    let write = || {
        results::execute(&request, &page, Some("2001-02-03")).unwrap();
        fs::read_to_string(&page).unwrap()
    };
    let text = write();
    for expected in [
        "Date: 2001-02-03",
        "of 1** problems",
        "| hartmann4 | **SADCBO** |",
        "| 160 | 0.988 |",
        "on 0 of 1 problems",
        "| benchmark | 2 | 6 |",
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
    assert!(!text.contains(out.to_str().unwrap()));
    let mark = "<!-- prose: benchmark -->\n";
    let commented = text.replace(mark, &format!("{mark}As expected.\n"));
    fs::write(&page, &commented).unwrap();
    assert_eq!(write(), commented);
}

#[test]
fn fewer_trials_show_fewer_and_keep_all() {
    let out = fresh("fewer");
    paper::execute(&request(&out, 3)).unwrap();
    paper::execute(&request(&out, 2)).unwrap();
    assert_eq!(cell_trials(&out), [3, 3, 3]);
    // The report itself shows what it was asked for.
    let shown = compare::read(&out).unwrap();
    assert!(shown.iter().all(|cell| cell.trials == 2));
    let page = out.join("RESULTS.md");
    results::execute(&request(&out, 2), &page, None).unwrap();
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("| benchmark | 2 | 6 |"), "{text}");
}

#[test]
fn results_count_the_trials_of_a_stopped_run() {
    let out = fresh("stopped-report");
    paper::execute(&request(&out, 2)).unwrap();
    let old: Vec<(PathBuf, String)> = fs::read_dir(out.join("cells"))
        .unwrap()
        .map(|cell| cell.unwrap().path().join("summary.json"))
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect();
    paper::execute(&request(&out, 3)).unwrap();
    // As if the run had been stopped before it wrote its summaries.
    for (path, text) in old {
        fs::write(path, text).unwrap();
    }
    let page = out.join("RESULTS.md");
    results::execute(&request(&out, 2), &page, None).unwrap();
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("| benchmark | 2 | 6 |"), "{text}");
}

#[test]
fn a_shorter_run_keeps_what_a_longer_one_stored() {
    let directory = fresh("shorter");
    run(&directory, &[], 3, 1).unwrap();
    let shorter = run(&directory, &[], 2, 1).unwrap();
    assert_eq!((shorter.summary.trials, shorter.stored), (2, 3));
    assert_eq!(compare::read(&directory).unwrap()[0].trials, 3);
    assert_eq!(runs(&directory).lines().count(), 3 * (20 + 80) + 1);
}
