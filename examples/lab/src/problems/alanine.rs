//! Alanine: the conformer of lowest energy, by the AMBER force field GAFF 1.81 in vacuum.
//!
//! The molecule is built from 12 fixed bond lengths and 21 angles (Z-matrix); the two JSON files say
//! which, and hold every parameter and formula.

use std::collections::HashSet;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::{Problem, Variable};

/// Energy of the global minimum, kcal/mol.
const LOWEST: f64 = 26.3718946;

/// Its angles in degrees, in the order of the Z-matrix.
const ARGMIN: [f64; 21] = [
    114.627, 108.524, 303.772, 107.574, 113.150, 106.942, 240.400, 110.883, 123.075, 110.849,
    63.768, 110.598, 120.140, 110.581, 239.838, 126.210, 331.291, 117.169, 177.746, 96.835,
    181.162,
];

#[derive(Deserialize)]
struct ForceField {
    coulomb_constant: f64,
    scale_14_lj: f64,
    scale_14_coulomb: f64,
    atoms: Vec<Atom>,
    bonds: Vec<Bond>,
    angles: Vec<Angle>,
    dihedrals: Vec<Torsion>,
    impropers: Vec<Torsion>,
    pairs_14: Vec<(usize, usize)>,
    excluded_pairs: Vec<(usize, usize)>,
}

#[derive(Deserialize)]
struct Atom {
    charge: f64,
    rmin_half: f64,
    epsilon: f64,
}

#[derive(Deserialize)]
struct Bond {
    i: usize,
    j: usize,
    k: f64,
    r0: f64,
}

#[derive(Deserialize)]
struct Angle {
    i: usize,
    j: usize,
    k: usize,
    ktheta: f64,
    theta0_deg: f64,
}

#[derive(Deserialize)]
struct Torsion {
    i: usize,
    j: usize,
    k: usize,
    l: usize,
    k_half: f64,
    n: f64,
    phase_deg: f64,
}

#[derive(Deserialize)]
struct ZMatrix {
    atoms: Vec<Placed>,
    variables: Vec<Angular>,
}

/// An atom and the earlier atoms it is placed by: bond, angle and dihedral partner.
#[derive(Deserialize)]
struct Placed {
    refs: Vec<usize>,
    bond_length: Option<f64>,
}

#[derive(Deserialize)]
struct Angular {
    name: String,
    role: String,
    wide: [f64; 2],
    narrow: [f64; 2],
}

/// One pair of atoms that feel each other through space.
struct Pair {
    i: usize,
    j: usize,
    /// Lennard-Jones depth and distance of the minimum.
    depth: f64,
    reach: f64,
    /// Coulomb energy at distance 1.
    charge: f64,
}

/// How far the angles may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Four dihedrals free, the others within 20 degrees of the reference: the benchmark.
    Narrow,
    /// All ten dihedrals free.
    Wide,
}

/// Energy by term, kcal/mol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    pub bond: f64,
    pub angle: f64,
    pub torsion: f64,
    pub lennard_jones: f64,
    pub coulomb: f64,
}

impl Energy {
    pub fn total(&self) -> f64 {
        self.bond + self.angle + self.torsion + self.lennard_jones + self.coulomb
    }
}

/// The molecule as a contextual problem.
pub struct Alanine {
    domain: Domain,
    field: ForceField,
    atoms: Vec<Placed>,
    pairs: Vec<Pair>,
    /// Positions in the Z-matrix of the design variables, and of the contexts.
    design_at: Vec<usize>,
    context_at: Vec<usize>,
    design: Vec<Variable>,
    context: Vec<Variable>,
}

impl Alanine {
    pub fn new(domain: Domain) -> Result<Self> {
        let field: ForceField =
            serde_json::from_str(include_str!("../../data/alanine_forcefield.json"))
                .context("alanine_forcefield.json")?;
        let matrix: ZMatrix = serde_json::from_str(include_str!("../../data/alanine_zmatrix.json"))
            .context("alanine_zmatrix.json")?;
        let at = |role: &str| -> Vec<usize> {
            let with_role = matrix
                .variables
                .iter()
                .enumerate()
                .filter(|(_, v)| v.role == role);
            with_role.map(|(at, _)| at).collect()
        };
        let (design_at, context_at) = (at("design"), at("context"));
        let variable = |&at: &usize| {
            let angular = &matrix.variables[at];
            let [lo, hi] = match domain {
                Domain::Narrow => angular.narrow,
                Domain::Wide => angular.wide,
            };
            Variable::new(angular.name.clone(), "deg", lo, hi)
        };
        Ok(Self {
            domain,
            design: design_at.iter().map(variable).collect(),
            context: context_at.iter().map(variable).collect(),
            design_at,
            context_at,
            pairs: pairs(&field),
            field,
            atoms: matrix.atoms,
        })
    }

    /// Energy for the 21 angles in degrees, in the order of the Z-matrix.
    pub fn energy(&self, angles: &[f64]) -> Energy {
        let field = &self.field;
        let x = self.place(angles);
        let torsions = field.dihedrals.iter().chain(&field.impropers);
        let mut energy = Energy {
            bond: field
                .bonds
                .iter()
                .map(|b| b.k * (norm(minus(x[b.i], x[b.j])) - b.r0).powi(2))
                .sum(),
            angle: field
                .angles
                .iter()
                .map(|a| {
                    a.ktheta * (angle(x[a.i], x[a.j], x[a.k]) - a.theta0_deg.to_radians()).powi(2)
                })
                .sum(),
            torsion: torsions
                .map(|t| {
                    let phi = dihedral(x[t.i], x[t.j], x[t.k], x[t.l]);
                    t.k_half * (1.0 + (t.n * phi - t.phase_deg.to_radians()).cos())
                })
                .sum(),
            ..Energy::default()
        };
        for pair in &self.pairs {
            let r = norm(minus(x[pair.i], x[pair.j]));
            let sixth = (pair.reach / r).powi(6);
            energy.lennard_jones += pair.depth * (sixth * sixth - 2.0 * sixth);
            energy.coulomb += pair.charge / r;
        }
        energy
    }

    /// Positions of the atoms, in angstrom. Variables come as a3, a4, d4, a5, d5, ...
    fn place(&self, angles: &[f64]) -> Vec<[f64; 3]> {
        let mut next = angles.iter().map(|degrees| degrees.to_radians());
        let mut placed: Vec<[f64; 3]> = Vec::with_capacity(self.atoms.len());
        for atom in &self.atoms {
            let r = atom.bond_length.unwrap_or(0.0);
            let mut angle = || next.next().unwrap_or(f64::NAN);
            let position = match atom.refs[..] {
                [] => [0.0; 3],
                [_] => [r, 0.0, 0.0],
                [b, _] => {
                    let t = angle();
                    plus(placed[b], [-r * t.cos(), r * t.sin(), 0.0])
                }
                [b, c, d, ..] => {
                    let (t, p) = (angle(), angle());
                    let bc = unit(minus(placed[b], placed[c]));
                    let n = unit(cross(minus(placed[c], placed[d]), bc));
                    let m = cross(n, bc);
                    let along = times(-t.cos(), bc);
                    let aside = plus(times(p.cos(), m), times(p.sin(), n));
                    plus(placed[b], times(r, plus(along, times(t.sin(), aside))))
                }
            };
            placed.push(position);
        }
        placed
    }

    /// Excess energy at which the scaled value reaches 0.
    fn cap(&self) -> f64 {
        match self.domain {
            Domain::Narrow => 200.0,
            Domain::Wide => 1e4,
        }
    }
}

/// Pairs more than two bonds apart, 1-4 pairs scaled down.
fn pairs(field: &ForceField) -> Vec<Pair> {
    let sorted = |pairs: &[(usize, usize)]| -> HashSet<(usize, usize)> {
        pairs.iter().map(|&(i, j)| (i.min(j), i.max(j))).collect()
    };
    let excluded = sorted(&field.excluded_pairs);
    let scaled = sorted(&field.pairs_14);
    let mut pairs = Vec::new();
    for j in 0..field.atoms.len() {
        for i in (0..j).filter(|&i| !excluded.contains(&(i, j))) {
            let (a, b) = (&field.atoms[i], &field.atoms[j]);
            let (lj, coulomb) = match scaled.contains(&(i, j)) {
                true => (field.scale_14_lj, field.scale_14_coulomb),
                false => (1.0, 1.0),
            };
            pairs.push(Pair {
                i,
                j,
                depth: lj * (a.epsilon * b.epsilon).sqrt(),
                reach: a.rmin_half + b.rmin_half,
                charge: coulomb * field.coulomb_constant * a.charge * b.charge,
            });
        }
    }
    pairs
}

impl Problem for Alanine {
    fn name(&self) -> &'static str {
        match self.domain {
            Domain::Narrow => "alanine",
            Domain::Wide => "alanine-wide",
        }
    }

    fn title(&self) -> String {
        match self.domain {
            Domain::Narrow => "Alanine",
            Domain::Wide => "Alanine (wide)",
        }
        .to_string()
    }

    fn design(&self) -> &[Variable] {
        &self.design
    }

    fn context(&self) -> &[Variable] {
        &self.context
    }

    /// y = 1 - ln(1 + dE/10) / ln(1 + cap/10), dE the energy above the global minimum.
    fn value(&self, design: &[f64], context: &[f64]) -> f64 {
        let mut angles = [0.0; 21];
        for ((&at, variable), &unit) in self.design_at.iter().zip(&self.design).zip(design) {
            angles[at] = variable.physical(unit);
        }
        for ((&at, variable), &unit) in self.context_at.iter().zip(&self.context).zip(context) {
            angles[at] = variable.physical(unit);
        }
        let excess = self.energy(&angles).total() - LOWEST;
        // Atoms on top of each other give an infinite energy, or one that is not a number: both are 0.
        if !excess.is_finite() {
            return 0.0;
        }
        (1.0 - (1.0 + excess / 10.0).ln() / (1.0 + self.cap() / 10.0).ln()).clamp(0.0, 1.0)
    }

    fn physical(&self, value: f64) -> (f64, &'static str) {
        let excess = 10.0 * (((1.0 - value) * (1.0 + self.cap() / 10.0).ln()).exp() - 1.0);
        (LOWEST + excess, "kcal/mol")
    }

    fn optimum(&self) -> (Vec<f64>, Vec<f64>) {
        let unit = |(&at, v): (&usize, &Variable)| (ARGMIN[at] - v.lo) / (v.hi - v.lo);
        (
            self.design_at.iter().zip(&self.design).map(unit).collect(),
            self.context_at
                .iter()
                .zip(&self.context)
                .map(unit)
                .collect(),
        )
    }
}

fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    plus(a, times(-1.0, b))
}

fn times(s: f64, a: [f64; 3]) -> [f64; 3] {
    [s * a[0], s * a[1], s * a[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    times(1.0 / norm(a), a)
}

/// Angle at `b`, in radians.
fn angle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    let (u, v) = (minus(a, b), minus(c, b));
    norm(cross(u, v)).atan2(dot(u, v))
}

/// IUPAC dihedral of four atoms, in radians, trans = 180 degrees.
fn dihedral(a: [f64; 3], b: [f64; 3], c: [f64; 3], d: [f64; 3]) -> f64 {
    let (u, v, w) = (minus(b, a), minus(c, b), minus(d, c));
    let (m, n) = (cross(u, v), cross(v, w));
    (norm(v) * dot(u, n)).atan2(dot(m, n))
}
