//! How good a film becomes.

/// The quality of a film, at most 1, from speed (rpm), annealing time (s) and humidity (%RH).
///
/// Temperature and pressure do not matter, which the controller does not know. The wetter the air, the longer the best
/// annealing.
pub fn quality(speed: f32, annealing: f32, humidity: f32) -> f32 {
    let speed = (speed - 500.0) / 3_500.0 - 0.55;
    let humidity = (humidity - 20.0) / 45.0 - 0.25;
    let annealing = (annealing - 10.0) / 110.0 - (0.4 + 0.2 * humidity);
    libm::expf(-(2.5 * speed * speed + 2.0 * annealing * annealing + 3.0 * humidity * humidity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_film_needs_the_right_humidity() {
        assert!((quality(2_425.0, 54.0, 31.25) - 1.0).abs() < 1e-6);
        assert!(quality(2_425.0, 60.6, 46.0) < 0.75);
    }
}
