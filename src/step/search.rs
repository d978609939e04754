//! Stage: where an acquisition is largest, over the free coordinates of the cube.
//!
//! Quasi-random samples first; the best of them are refined with the exact gradient. Fixed coordinates stay exactly
//! what they are.

use super::acquisition::Objective;
use crate::math::sobol::Sobol;
use crate::optim::{Params, QuasiNewton, Tolerances};
use crate::settings::MAX_RESTARTS;
use crate::task::yield_now;
use crate::{Point, Scalar, VarSet};

/// Which coordinates are free, and the value of the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<const D: usize, const C: usize, T> {
    /// Fixed coordinates have these values; the others are not looked at.
    pub(crate) base: Point<D, C, T>,
    pub(crate) design: VarSet,
    pub(crate) context: VarSet,
}

impl<const D: usize, const C: usize, T: Scalar> Region<D, C, T> {
    /// The whole cube.
    pub(crate) fn cube() -> Self {
        Self {
            base: Point::ORIGIN,
            design: VarSet::first(D),
            context: VarSet::first(C),
        }
    }

    /// `point` with the fixed coordinates of the region, and its free ones moved into the cube.
    pub(crate) fn nearest(&self, point: &Point<D, C, T>) -> Point<D, C, T> {
        let mut nearest = self.base;
        for index in self.design.iter() {
            if let (Some(to), Some(&from)) =
                (nearest.design.get_mut(index), point.design.get(index))
            {
                *to = from.max(T::ZERO).min(T::ONE);
            }
        }
        for index in self.context.iter() {
            if let (Some(to), Some(&from)) =
                (nearest.context.get_mut(index), point.context.get(index))
            {
                *to = from.max(T::ZERO).min(T::ONE);
            }
        }
        nearest
    }

    /// Quasi-random point `index` of the region.
    pub(crate) fn sample(&self, sobol: &Sobol, index: u16) -> Point<D, C, T> {
        let mut point = Point::ORIGIN;
        for (dimension, value) in point.iter_mut().enumerate() {
            *value = sobol.point(index, dimension);
        }
        self.nearest(&point)
    }

    /// Bounds of the coordinates for the maximiser: fixed ones have no room.
    fn bounds(&self) -> (Params<D, C, T>, Params<D, C, T>) {
        let mut corner = Point::ORIGIN;
        for value in corner.iter_mut() {
            *value = T::ONE;
        }
        (
            to_params(&self.nearest(&Point::ORIGIN)),
            to_params(&self.nearest(&corner)),
        )
    }
}

/// How much work a search may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) samples: u16,
    pub(crate) restarts: u8,
    pub(crate) refinements: u16,
}

/// The best starting points so far, best first.
struct Shortlist<const D: usize, const C: usize, T> {
    entries: [(T, Point<D, C, T>); MAX_RESTARTS],
    len: usize,
    room: usize,
}

impl<const D: usize, const C: usize, T: Scalar> Shortlist<D, C, T> {
    fn new(room: u8) -> Self {
        Self {
            entries: [(T::ZERO, Point::ORIGIN); MAX_RESTARTS],
            len: 0,
            room: usize::from(room).clamp(1, MAX_RESTARTS),
        }
    }

    fn offer(&mut self, value: T, point: &Point<D, C, T>) {
        let mut carried = (value, *point);
        for entry in self.entries.iter_mut().take(self.len) {
            if carried.0 > entry.0 {
                core::mem::swap(&mut carried, entry);
            }
        }
        if self.len < self.room
            && let Some(entry) = self.entries.get_mut(self.len)
        {
            *entry = carried;
            self.len += 1;
        }
    }
}

/// The largest value found and where; `None` if the objective could be computed nowhere, or nowhere that is allowed.
///
/// `known` are points worth trying beside the quasi-random ones, such as the best observations; `allowed` can rule
/// points out.
pub(crate) async fn maximise<const D: usize, const C: usize, T: Scalar, O: Objective<D, C, T>>(
    objective: &O,
    region: &Region<D, C, T>,
    effort: Effort,
    sobol: Sobol,
    known: impl Iterator<Item = Point<D, C, T>>,
    allowed: impl Fn(&Point<D, C, T>) -> bool,
) -> Option<(T, Point<D, C, T>)> {
    let mut shortlist = Shortlist::new(effort.restarts);
    let samples = (0..effort.samples).map(|index| region.sample(&sobol, index));
    for point in known.map(|point| region.nearest(&point)).chain(samples) {
        if allowed(&point)
            && let Some(value) = objective.value(&point).filter(|value| value.is_finite())
        {
            shortlist.offer(value, &point);
        }
        yield_now().await;
    }
    let (low, high) = region.bounds();
    let mut search = QuasiNewton::new(&low, &low, &high, tolerances());
    let mut best: Option<(T, Point<D, C, T>)> = None;
    for &(raw, start) in shortlist.entries.iter().take(shortlist.len) {
        let mut found = (raw, start);
        if effort.restarts > 0 {
            search.restart(&to_params(&start));
            for _ in 0..effort.refinements {
                let result = objective.gradient(&to_point(search.trial()));
                let more =
                    search.report(result.map(|(value, gradient)| (value, to_params(&gradient))));
                yield_now().await;
                if !more {
                    break;
                }
            }
            // Uphill may lead to where it is not allowed; the start is.
            if let (point, Some(value)) = search.best()
                && allowed(&to_point(point))
            {
                found = (value, to_point(point));
            }
        }
        if best.is_none_or(|(highest, _)| found.0 > highest) {
            best = Some(found);
        }
    }
    best
}

fn tolerances<T: Scalar>() -> Tolerances<T> {
    Tolerances {
        gradient: T::from_f64(1e-5),
        rise: T::from_f64(10.0) * T::EPSILON,
        reach: T::from_f64(0.4),
    }
}

fn to_params<const D: usize, const C: usize, T: Scalar>(point: &Point<D, C, T>) -> Params<D, C, T> {
    Params {
        design: point.design,
        context: point.context,
        extra: Params::<D, C, T>::ZERO.extra,
    }
}

fn to_point<const D: usize, const C: usize, T: Scalar>(params: &Params<D, C, T>) -> Point<D, C, T> {
    Point::new(params.design, params.context)
}
