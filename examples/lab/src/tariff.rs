//! What actuating a context really costs, where that is not what the configuration says.

use std::str::FromStr;

use crate::cost::Cost;

/// Prices that the contexts take in turn. Moving a context by the distance s of the unit range costs price · (½ + s):
/// half of the price is for switching on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tariff {
    prices: Vec<Cost>,
}

impl Tariff {
    /// What it costs to move this context from one value to another.
    pub fn cost(&self, context: usize, from: f64, to: f64) -> Cost {
        let price = self.prices[context % self.prices.len()];
        Cost((price.0 as f64 * (0.5 + (to - from).abs())).round() as u64)
    }
}

impl FromStr for Tariff {
    type Err = String;

    /// Prices separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let prices: Result<Vec<Cost>, String> = text.split(',').map(str::parse).collect();
        Ok(Self { prices: prices? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_take_the_prices_in_turn_and_pay_for_the_way() {
        let tariff: Tariff = "3,0.5".parse().unwrap();
        assert_eq!(tariff.cost(0, 0.25, 0.75), Cost::ONE * 3);
        assert_eq!(tariff.cost(2, 0.75, 0.75), Cost(1500));
        assert_eq!(tariff.cost(1, 0.0, 1.0), Cost(750));
        assert!("3,x".parse::<Tariff>().is_err() && "".parse::<Tariff>().is_err());
    }
}
