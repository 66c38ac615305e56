//! How is money counted to the cent and written as euros?

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount of money, kept in whole cents; in JSON a number of euros such as `129.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Euros(i64);

impl Euros {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// Whether there is none left.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Euros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}€{}.{:02}", cents / 100, cents % 100)
    }
}

// Saturating, because amounts come from callers: a sum at the end of the range beats a crash.
impl Add for Euros {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Euros {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<i64> for Euros {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl AddAssign for Euros {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Euros {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Euros {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for Euros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

impl<'de> Deserialize<'de> for Euros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let euros = f64::deserialize(deserializer)?;
        // A float cast saturates, so no number is out of range.
        Ok(Self((euros * 100.0).round() as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_survive_json() {
        for (json, shown) in [
            ("129.5", "€129.50"),
            ("0.1", "€0.10"),
            ("-3.05", "-€3.05"),
            ("40", "€40.00"),
        ] {
            let amount: Euros = serde_json::from_str(json).unwrap();
            assert_eq!(amount.to_string(), shown);
            let written = serde_json::to_string(&amount).unwrap();
            assert_eq!(serde_json::from_str::<Euros>(&written).unwrap(), amount);
        }
        let tenth: Euros = serde_json::from_str("0.1").unwrap();
        assert_eq!((0..3).map(|_| tenth).sum::<Euros>().to_string(), "€0.30");
    }
}
