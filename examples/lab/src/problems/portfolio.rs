//! Portfolio: returns of a trading strategy, 3000 simulated settings.

use std::path::Path;

use anyhow::Result;

use super::Variable;
use super::pool::{Table, Tabulated};

pub fn problem(data: Option<&Path>) -> Result<Tabulated> {
    let table = Table {
        name: "portfolio",
        title: "Portfolio",
        file: "portfolio.csv",
        source: "evaluations of Cakmak et al. (NeurIPS 2020), github.com/saitcakmak/BoRisk, \
                 BoRisk/test_functions/port_evals, outputs negated",
        rows: 3000,
        design: vec![
            Variable::new("risk_aversion", "", 0.1, 1000.0),
            Variable::new("trade_aversion", "", 5.5, 8.0),
            Variable::new("holding_cost", "", 0.1, 100.0),
        ],
        context: vec![
            Variable::new("bid_ask_spread", "", 1e-4, 1e-2),
            Variable::new("borrow_cost", "", 1e-4, 1e-3),
        ],
        unit_inputs: true,
        output_unit: "% per year",
    };
    Tabulated::read(table, data)
}
