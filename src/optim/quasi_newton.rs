//! Projected L-BFGS: quasi-Newton steps from a fixed memory, kept inside a box.
//!
//! A coordinate at a bound whose gradient points outwards is held; the two-loop recursion gives the direction of the
//! others; the step is cut back until the objective rises by enough (Armijo), every trial being projected onto the box.

use super::Params;
use crate::Scalar;

/// Steps that the curvature is estimated from.
const MEMORY: usize = 6;
/// Share of the rise that the gradient promises which a step has to deliver.
const ARMIJO: f64 = 1e-4;
/// Cut-backs before a direction is given up.
const CUTBACKS: u8 = 10;

/// When to stop, and how far to go at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolerances<T> {
    /// Converged when no free coordinate has a larger derivative.
    pub(crate) gradient: T,
    /// Converged when two steps in a row rise by less than this, relative to the magnitude of the value (at least 1).
    pub(crate) rise: T,
    /// No coordinate moves further in one step; the very first step goes a quarter of it.
    pub(crate) reach: T,
}

#[derive(Clone, Copy, Debug)]
struct Pair<const D: usize, const C: usize, T> {
    /// Change of the point.
    s: Params<D, C, T>,
    /// Change of the negative gradient.
    y: Params<D, C, T>,
    /// 1/(s·y).
    rho: T,
}

/// A maximisation under way.
#[derive(Clone, Debug)]
pub(crate) struct QuasiNewton<const D: usize, const C: usize, T> {
    low: Params<D, C, T>,
    high: Params<D, C, T>,
    tolerances: Tolerances<T>,
    /// The best point so far, its value and gradient; no value before the first report.
    point: Params<D, C, T>,
    value: Option<T>,
    gradient: Params<D, C, T>,
    direction: Params<D, C, T>,
    step: T,
    trial: Params<D, C, T>,
    pairs: [Pair<D, C, T>; MEMORY],
    /// How many pairs there are, and where the next one goes.
    known: usize,
    next: usize,
    cutbacks: u8,
    /// Steps in a row that rose by next to nothing.
    idle: u8,
}

impl<const D: usize, const C: usize, T: Scalar> QuasiNewton<D, C, T> {
    /// Starts at `start`, moved into the box. A coordinate with low = high is never changed.
    pub(crate) fn new(
        start: &Params<D, C, T>,
        low: &Params<D, C, T>,
        high: &Params<D, C, T>,
        tolerances: Tolerances<T>,
    ) -> Self {
        let mut search = Self {
            low: *low,
            high: *high,
            tolerances,
            point: *start,
            value: None,
            gradient: Params::ZERO,
            direction: Params::ZERO,
            step: T::ONE,
            trial: *start,
            pairs: [Pair {
                s: Params::ZERO,
                y: Params::ZERO,
                rho: T::ZERO,
            }; MEMORY],
            known: 0,
            next: 0,
            cutbacks: 0,
            idle: 0,
        };
        search.project_trial();
        search
    }

    /// Starts again elsewhere, in the same box.
    pub(crate) fn restart(&mut self, start: &Params<D, C, T>) {
        self.point = *start;
        self.trial = *start;
        self.value = None;
        self.known = 0;
        self.next = 0;
        self.cutbacks = 0;
        self.idle = 0;
        self.project_trial();
    }

    /// Where the objective is wanted next.
    pub(crate) fn trial(&self) -> &Params<D, C, T> {
        &self.trial
    }

    /// The best point so far and its value; no value before the first successful report.
    pub(crate) fn best(&self) -> (&Params<D, C, T>, Option<T>) {
        (&self.point, self.value)
    }

    /// Takes the objective and its gradient at the trial point; `None` where it could not be computed.
    ///
    /// `false` when there is nothing left to try.
    pub(crate) fn report(&mut self, result: Option<(T, Params<D, C, T>)>) -> bool {
        let result = result.filter(|(value, gradient)| {
            value.is_finite() && gradient.iter().all(|derivative| derivative.is_finite())
        });
        let Some(before) = self.value else {
            return match result {
                Some((value, gradient)) => {
                    self.accept(value, gradient);
                    self.set_out()
                }
                None => false,
            };
        };
        let mut s = self.trial;
        s.add_scaled(-T::ONE, &self.point);
        let promised = self.gradient.dot(&s);
        match result {
            Some((value, gradient)) if value >= before + T::from_f64(ARMIJO) * promised => {
                self.remember(&s, &gradient);
                let small = self.tolerances.rise * before.abs().max(T::ONE);
                self.idle = if value - before <= small {
                    self.idle + 1
                } else {
                    0
                };
                self.accept(value, gradient);
                self.idle < 2 && self.set_out()
            }
            result => self.cut_back(before, promised, result.map(|(value, _)| value)),
        }
    }

    fn accept(&mut self, value: T, gradient: Params<D, C, T>) {
        self.point = self.trial;
        self.value = Some(value);
        self.gradient = gradient;
    }

    /// Keeps the pair if its curvature is that of a maximum.
    fn remember(&mut self, s: &Params<D, C, T>, gradient: &Params<D, C, T>) {
        let mut y = self.gradient;
        y.add_scaled(-T::ONE, gradient);
        let curvature = s.dot(&y);
        let least = T::EPSILON * (s.dot(s) * y.dot(&y)).sqrt();
        if curvature > least
            && let Some(place) = self.pairs.get_mut(self.next)
        {
            *place = Pair {
                s: *s,
                y,
                rho: T::ONE / curvature,
            };
            self.next = (self.next + 1) % MEMORY;
            self.known = (self.known + 1).min(MEMORY);
        }
    }

    /// The next direction from the point just accepted; `false` if it is a maximum.
    fn set_out(&mut self) -> bool {
        let free = self.free_gradient();
        if free.largest() <= self.tolerances.gradient {
            return false;
        }
        self.direction = self.newton_direction(&free);
        let rising = self.direction.dot(&free) > T::ZERO;
        if !rising {
            self.known = 0;
            self.direction = free;
        }
        let largest = self.direction.largest();
        let reach = self.tolerances.reach;
        self.step = if self.known == 0 {
            (reach * T::HALF * T::HALF / largest).min(T::ONE)
        } else {
            (reach / largest).min(T::ONE)
        };
        self.cutbacks = 0;
        self.try_step()
    }

    /// A shorter step, or the gradient instead of the quasi-Newton direction; `false` when both are exhausted.
    fn cut_back(&mut self, before: T, promised: T, value: Option<T>) -> bool {
        self.cutbacks += 1;
        if self.cutbacks >= CUTBACKS {
            if self.known == 0 {
                return false;
            }
            self.known = 0;
            return self.set_out();
        }
        // The maximum of the parabola through value, slope and the trial's value, within a tenth and a half.
        let tenth = T::from_f64(0.1);
        let share = match value {
            Some(value) if promised > T::ZERO => promised * T::HALF / (promised - (value - before)),
            _ => tenth,
        };
        self.step *= share.max(tenth).min(T::HALF);
        self.try_step()
    }

    /// Sets the trial point; `false` if it is the point itself.
    fn try_step(&mut self) -> bool {
        self.trial = self.point;
        let direction = self.direction;
        self.trial.add_scaled(self.step, &direction);
        self.project_trial();
        self.trial != self.point
    }

    fn project_trial(&mut self) {
        let bounds = self.low.iter().zip(self.high.iter());
        for (value, (&low, &high)) in self.trial.iter_mut().zip(bounds) {
            *value = value.max(low).min(high);
        }
    }

    /// The gradient, 0 where it points out of the box.
    fn free_gradient(&self) -> Params<D, C, T> {
        let mut free = self.gradient;
        let bounds = self.low.iter().zip(self.high.iter());
        for ((derivative, &value), (&low, &high)) in
            free.iter_mut().zip(self.point.iter()).zip(bounds)
        {
            let outwards =
                (value <= low && *derivative < T::ZERO) || (value >= high && *derivative > T::ZERO);
            if outwards || low >= high {
                *derivative = T::ZERO;
            }
        }
        free
    }

    /// The two-loop recursion on the free coordinates.
    fn newton_direction(&self, free: &Params<D, C, T>) -> Params<D, C, T> {
        let mut direction = *free;
        let mut shares = [T::ZERO; MEMORY];
        let latest_first = (1..=self.known).map(|age| (self.next + MEMORY - age) % MEMORY);
        for index in latest_first.clone() {
            if let (Some(pair), Some(share)) = (self.pairs.get(index), shares.get_mut(index)) {
                *share = pair.rho * pair.s.dot(&direction);
                direction.add_scaled(-*share, &pair.y);
            }
        }
        let latest = self.pairs.get((self.next + MEMORY - 1) % MEMORY);
        if let (Some(pair), 1..) = (latest, self.known) {
            let scale = T::ONE / (pair.rho * pair.y.dot(&pair.y));
            for value in direction.iter_mut() {
                *value *= scale;
            }
        }
        for index in latest_first.rev() {
            if let (Some(pair), Some(&share)) = (self.pairs.get(index), shares.get(index)) {
                let other = pair.rho * pair.y.dot(&direction);
                direction.add_scaled(share - other, &pair.s);
            }
        }
        // What is held stays held.
        for (value, &derivative) in direction.iter_mut().zip(free.iter()) {
            if derivative == T::ZERO {
                *value = T::ZERO;
            }
        }
        direction
    }
}
