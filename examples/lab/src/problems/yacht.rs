//! Yacht: residuary resistance of 22 hulls at 14 Froude numbers.

use std::path::Path;

use anyhow::Result;

use super::Variable;
use super::pool::{Table, Tabulated};

pub fn problem(data: Option<&Path>) -> Result<Tabulated> {
    let table = Table {
        name: "yacht",
        title: "Yacht",
        file: "yacht.csv",
        source: "UCI dataset 243, Yacht Hydrodynamics (Gerritsma, Onnink, Versluis), CC BY 4.0",
        rows: 308,
        design: vec![
            Variable::new("buoyancy_position", "", -5.0, 0.0),
            Variable::new("prismatic_coefficient", "", 0.53, 0.6),
            Variable::new("length_displacement", "", 4.34, 5.14),
            Variable::new("beam_draught", "", 2.81, 5.35),
        ],
        context: vec![
            Variable::new("length_beam", "", 2.73, 3.64),
            Variable::new("froude_number", "", 0.125, 0.45),
        ],
        unit_inputs: false,
        output_unit: "resistance per weight",
    };
    Tabulated::read(table, data)
}
