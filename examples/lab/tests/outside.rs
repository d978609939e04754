//! Tests that need something which is not part of the repository; without it they count as ignored.

use libtest_mimic::{Arguments, Failed, Trial};
use sadcbo_lab::problems;
use sadcbo_lab::settings::Settings;

fn main() {
    let tests = vec![
        pool("portfolio", 3000, 2836, [-22.770329, 29.01048]),
        pool("yacht", 308, 223, [0.01, 62.42]),
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
        Ok(())
    };
    Trial::test(format!("{name}_table"), check).with_ignored_flag(missing.is_some())
}
