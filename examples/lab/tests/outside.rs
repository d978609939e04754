//! Tests that need something which is not part of the repository; without it they count as ignored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use sadcbo_lab::contexts::Law;
use sadcbo_lab::method::Precision;
use sadcbo_lab::paper::{self, Request};
use sadcbo_lab::problems;
use sadcbo_lab::run::{Experiment, Prepared, STACK};
use sadcbo_lab::settings::Settings;

fn main() {
    let tests = vec![
        pool("portfolio", 3000, 2836, [-22.770329, 29.01048]),
        pool("yacht", 308, 223, [0.01, 62.42]),
        report(),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
}

/// The table has so many rows, its best row and its range are those that are known.
fn pool(name: &'static str, rows: usize, best: usize, range: [f64; 2]) -> Trial {
    let problem = problems::by_name(name, &mut Settings::default(), None);
    let missing = problem.as_ref().err().map(ToString::to_string);
    if let Some(reason) = &missing {
        eprintln!("skipped: {name}: {reason}");
    }
    let check = move || -> Result<(), Failed> {
        let problem = problem?;
        let pool = problem.pool().ok_or("no pool")?;
        assert_eq!(pool.rows.len(), rows);
        assert_eq!(pool.rows[best].value, 1.0);
        let row = &pool.rows[best];
        assert_eq!(problem.optimum(), (row.design.clone(), row.context.clone()));
        for (value, expected) in [0.0, 1.0].into_iter().zip(range) {
            assert!((problem.physical(value).0 - expected).abs() < 1e-9);
        }
        for row in &pool.rows {
            let inputs = row.design.iter().chain(&row.context);
            assert!(inputs.chain([&row.value]).all(|u| (0.0..=1.0).contains(u)));
        }
        assert_eq!(problem.value(&row.design, &row.context), 1.0);
        for method in ["sadcbo", "vbo", "cabo", "random"] {
            // The trial itself refuses rows that are closed or not on offer.
            let prepared = Prepared::new(experiment(name, method), None)?;
            let thread = std::thread::Builder::new().stack_size(STACK);
            let trial = thread
                .spawn(move || prepared.trial(1))?
                .join()
                .map_err(|_| "the trial panicked")??;
            assert!(trial.chosen().count() >= 5, "{method}");
        }
        Ok(())
    };
    Trial::test(format!("{name}_table"), check).with_ignored_flag(missing.is_some())
}

fn experiment(problem: &str, method: &str) -> Experiment {
    let mut settings = Settings::default();
    settings.set("budget", 30);
    Experiment {
        problem: problem.to_string(),
        method: method.to_string(),
        noise_sd: None,
        precision: Precision::F32,
        contexts: Law::Uniform,
        settings,
    }
}

/// Chromium draws the report: every figure has its size, and no two of its texts touch.
fn report() -> Trial {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find_map(on_path);
    let missing = browser.is_none();
    if missing {
        eprintln!("skipped: report: no chromium on the PATH");
    }
    let check = move || -> Result<(), Failed> {
        let browser = browser.ok_or("no browser")?;
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
        let _ = fs::remove_dir_all(&out);
        paper::execute(&request(&out))?;
        let page = fs::read_to_string(out.join("report.html"))?;
        let figures = page.matches("<svg").count();
        assert!(figures == 6, "{figures} figures");
        for outside in ["http://", "https://", "<script", "<link", "url("] {
            let found = page
                .replace("http://www.w3.org/2000/svg", "")
                .contains(outside);
            assert!(!found, "the page reaches outside: {outside}");
        }
        assert_eq!(
            drawn(&browser, &out, &page)?,
            format!("{figures} figures, touching: ")
        );
        Ok(())
    };
    Trial::test("report_in_chromium", check).with_ignored_flag(missing)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|program| program.is_file())
}

/// Six sections, all methods, three problems.
fn request(out: &Path) -> Request {
    Request {
        out: out.to_path_buf(),
        trials: 2,
        study_trials: 2,
        real_trials: 2,
        noise_sd: None,
        precision: Precision::F64,
        problems: ["eggholder", "hartmann4", "ackley5"]
            .map(str::to_string)
            .to_vec(),
        methods: Vec::new(),
        sections: [
            "benchmark",
            "switching",
            "inclusion",
            "relevant-share",
            "toy",
            "precision",
        ]
        .map(str::to_string)
        .to_vec(),
        settings: Settings::default(),
        data: None,
        any_build: false,
        threads: 0,
    }
}

/// Measures the page in the browser: figures with a size, and pairs of texts that touch.
const MEASURE: &str = r#"<script>
let figures = 0, touching = [];
for (const svg of document.querySelectorAll("svg")) {
  const size = svg.getBoundingClientRect();
  if (size.width > 300 && size.height > 200) figures += 1;
  const texts = [...svg.querySelectorAll("text")].map(t => [t.textContent, t.getBoundingClientRect()]);
  texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, s]) => {
    if (r.left < s.right && s.left < r.right && r.top < s.bottom && s.top < r.bottom) touching.push(a + " | " + b);
  }));
}
document.body.innerHTML = `<p id="verdict">${figures} figures, touching: ${touching.join("; ")}</p>`;
</script>"#;

fn drawn(browser: &Path, out: &Path, page: &str) -> Result<String, Failed> {
    let measured = out.join("measured.html");
    fs::write(
        &measured,
        page.replace("</body>", &format!("{MEASURE}</body>")),
    )?;
    let profile = out.join("profile");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(["--window-size=1000,1400", "--dump-dom"])
        .arg(&measured)
        .output()?;
    let dom = String::from_utf8_lossy(&output.stdout).to_string();
    let verdict = dom
        .split("<p id=\"verdict\">")
        .nth(1)
        .and_then(|rest| rest.split("</p>").next());
    Ok(verdict
        .ok_or_else(|| format!("no verdict in {dom}"))?
        .to_string())
}
