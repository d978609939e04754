//! Records as lines for a spreadsheet.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use sadcbo::{Config, ContextVariable, Cost, DesignVariable, Sadcbo};
use support::bench::{Small, config, result, settings, weather};

#[test]
fn every_line_has_the_columns_of_the_header() {
    let config = config(1, 9_000);
    let header = config.csv_header().to_string();
    let columns: Vec<&str> = header.split(',').collect();
    let mut controller = Box::new(Small::<Sadcbo>::new(config, settings()).unwrap());
    let mut lines = Vec::new();
    while let Ok(decision) = controller.decide(&weather(controller.step())) {
        let applied = *decision.point();
        let record = match controller.step() {
            1 => controller.fail(decision, Cost::from_milli(500)),
            _ => controller.observe(decision, &applied, result(&applied)),
        };
        let record = record.unwrap();
        let line = record.csv().to_string();
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), columns.len(), "{line}");
        let field = |name: &str| fields[columns.iter().position(|&c| c == name).unwrap()];
        assert_eq!(field("step"), record.step.to_string());
        let left = field("remaining").parse::<f64>().unwrap();
        assert_eq!((left * 1000.0).round() as i64, record.remaining_milli);
        if record.step == 1 {
            assert_eq!((field("outcome"), field("result")), ("failed", ""));
        } else {
            // As many digits as it takes to read the same number back.
            let y: f32 = field("result").parse().unwrap();
            assert_eq!(y.to_bits(), record.output.to_bits());
        }
        let humidity: f32 = field("\"humidity ambient [%RH]\"").parse().unwrap();
        assert_eq!(humidity.to_bits(), record.ambient[0].to_bits());
        let actuated = field("\"temperature actuated\"") == "1";
        assert_eq!(actuated, record.actuated.contains(2));
        lines.push(line);
    }
    assert!(lines.len() > 5);
}

#[test]
fn names_cannot_break_the_table() {
    let odd = Config::<1, 1, f32>::new(
        [DesignVariable::new("speed, \"fast\"", "m/s", 0.0, 1.0)],
        [ContextVariable::recorded("z", "", 0.0, 1.0)],
        Cost::from_milli(1),
        Cost::from_milli(1),
    );
    let header = odd.csv_header().to_string();
    assert!(header.contains(",\"speed, \"\"fast\"\" [m/s]\",\"z ambient\","));
}
