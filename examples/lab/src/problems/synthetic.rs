//! A test function of the paper, its coordinates dealt out to design and context, with contexts that
//! do nothing added.

use super::{Problem, Variable};

/// What one test function brings.
pub struct Function {
    pub name: &'static str,
    pub title: &'static str,
    /// All coordinates share these bounds.
    pub bounds: (f64, f64),
    /// The function as the paper writes it, to be minimised.
    pub raw: fn(&[f64]) -> f64,
    pub raw_min: f64,
    pub raw_max: f64,
    /// Where the minimum is, in the function's own coordinates.
    pub raw_argmin: &'static [f64],
}

/// A [`Function`] as a contextual problem.
pub struct Synthetic {
    function: Function,
    /// The function's coordinates (0-based) that are design variables.
    design_at: Vec<usize>,
    context_at: Vec<usize>,
    design: Vec<Variable>,
    context: Vec<Variable>,
}

impl Synthetic {
    /// Coordinates are named by their 1-based place in the function, as in the paper; irrelevant
    /// contexts are `w1`, `w2`, ...
    pub fn new(
        function: Function,
        design_at: Vec<usize>,
        context_at: Vec<usize>,
        irrelevant: usize,
    ) -> Self {
        let (lo, hi) = function.bounds;
        let named = |letter: char, at: &[usize]| -> Vec<Variable> {
            at.iter()
                .map(|i| Variable::new(format!("{letter}{}", i + 1), "", lo, hi))
                .collect()
        };
        let design = named('x', &design_at);
        let mut context = named('z', &context_at);
        context.extend((1..=irrelevant).map(|i| Variable::new(format!("w{i}"), "", 0.0, 1.0)));
        Self {
            function,
            design_at,
            context_at,
            design,
            context,
        }
    }

    /// The same with designs added that do nothing, `v1`, `v2`, ...; a step does not pay for them.
    pub fn with_irrelevant_designs(mut self, count: usize) -> Self {
        let added = (1..=count).map(|i| Variable::new(format!("v{i}"), "", 0.0, 1.0));
        self.design.extend(added);
        self
    }

    /// Scaled value at a point in the function's own order of coordinates, on the unit cube.
    pub fn scaled(&self, unit: &[f64]) -> f64 {
        let (lo, hi) = self.function.bounds;
        let native: Vec<f64> = unit.iter().map(|u| lo + u * (hi - lo)).collect();
        let raw = (self.function.raw)(&native);
        (self.function.raw_max - raw) / (self.function.raw_max - self.function.raw_min)
    }
}

impl Problem for Synthetic {
    fn name(&self) -> &'static str {
        self.function.name
    }

    fn title(&self) -> String {
        let contexts = self.context.len() - self.context_at.len();
        let designs = match self.design.len() - self.design_at.len() {
            0 => String::new(),
            designs => format!(" + {designs} designs"),
        };
        format!("{} + {contexts}{designs}", self.function.title)
    }

    fn design(&self) -> &[Variable] {
        &self.design
    }

    fn context(&self) -> &[Variable] {
        &self.context
    }

    fn relevant(&self) -> usize {
        self.design_at.len() + self.context_at.len()
    }

    fn paid_designs(&self) -> usize {
        self.design_at.len()
    }

    fn value(&self, design: &[f64], context: &[f64]) -> f64 {
        let mut unit = vec![0.0; self.relevant()];
        for (&at, &u) in self.design_at.iter().zip(design) {
            unit[at] = u;
        }
        for (&at, &u) in self.context_at.iter().zip(context) {
            unit[at] = u;
        }
        self.scaled(&unit)
    }

    fn physical(&self, value: f64) -> (f64, &'static str) {
        let Function {
            raw_min, raw_max, ..
        } = self.function;
        (raw_max - value * (raw_max - raw_min), "")
    }

    fn optimum(&self) -> (Vec<f64>, Vec<f64>) {
        let (lo, hi) = self.function.bounds;
        let unit = |&at: &usize| (self.function.raw_argmin[at] - lo) / (hi - lo);
        let mut design: Vec<f64> = self.design_at.iter().map(unit).collect();
        design.resize(self.design.len(), 0.5);
        let mut context: Vec<f64> = self.context_at.iter().map(unit).collect();
        context.resize(self.context.len(), 0.5);
        (design, context)
    }

    /// The reference code's; the paper's text says variance 0.001.
    fn default_noise_sd(&self) -> f64 {
        0.01
    }
}
