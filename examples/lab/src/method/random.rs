//! Uniform designs at whatever context there is: what any method has to beat.

use anyhow::{Context as _, Result};

use super::{Measured, Optimiser, Phase, Proposal, Situation, Start, Target};
use crate::cost::Cost;
use crate::random::{Purpose, Stream};

pub struct Random {
    stream: Stream,
    designs: usize,
}

impl Random {
    pub fn new(start: &Start) -> Self {
        Self {
            stream: Stream::new(start.seed, Purpose::Method),
            designs: start.problem.design().len(),
        }
    }
}

impl Optimiser for Random {
    fn ask(&mut self, now: &Situation) -> Result<Proposal> {
        let contexts = now.ambient.len();
        let target = match now.rows {
            None => Target::Point {
                design: (0..self.designs).map(|_| self.stream.uniform()).collect(),
                context: vec![None; contexts],
            },
            Some(rows) => {
                let actuated = vec![false; contexts];
                let candidates = rows.candidates(now.ambient, &actuated);
                let row = candidates.get(self.stream.below(candidates.len()));
                let row = *row.context("the pool is empty")?;
                Target::Row { row, actuated }
            }
        };
        Ok(Proposal {
            target,
            phase: Phase::Observational,
            selected: vec![false; contexts],
            relevance: Vec::new(),
        })
    }

    fn tell(&mut self, _: &Measured, _: &[Cost]) -> Result<()> {
        Ok(())
    }
}
