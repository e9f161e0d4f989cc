//! Random gaps between entries of equal probability, the same on every machine: logarithms use only additions,
//! multiplications and divisions, which IEEE 754 defines to the bit (a system's `ln` may differ).

use samhw_values::Rng;

/// The number of failures before the next success of probability `p`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gaps {
    p: f64,
    /// ln(1 - p), negative.
    ln_failure: f64,
}

impl Gaps {
    /// Creates the distribution for `p` from 0 to 1.
    pub(super) fn new(p: f64) -> Self {
        // ln(1 - p) = -2 atanh(p / (2 - p)), exact also where 1 - p would round to 1.
        Self { p, ln_failure: if p < 0.5 { -2.0 * atanh(p / (2.0 - p)) } else { ln(1.0 - p) } }
    }

    /// Draws a gap; saturates where it is larger than any tensor.
    pub(super) fn draw(self, rng: &mut Rng) -> u128 {
        if self.p >= 1.0 {
            return 0;
        }
        if self.p <= 0.0 {
            return u128::MAX;
        }
        // 1 - unit is in (0, 1]: its logarithm exists.
        (ln(1.0 - rng.unit()) / self.ln_failure) as u128
    }
}

/// Area tangent by its series, for |z| up to 1/3.
fn atanh(z: f64) -> f64 {
    let square = z * z;
    (0..20).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1)) * z
}

/// Natural logarithm of a normal positive number.
fn ln(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as i32 - 1023;
    let mantissa = f64::from_bits(x.to_bits() & ((1 << 52) - 1) | 1023 << 52);
    2.0 * atanh((mantissa - 1.0) / (mantissa + 1.0)) + f64::from(exponent) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for x in [1e-16, 0.3, 0.5, 0.999, 1.0, 1.5, 1.999, 2.0, 12345.678] {
            assert!((ln(x) - x.ln()).abs() <= 1e-14 * x.ln().abs().max(1e-2), "{x}");
        }
        for p in [1e-18, 1e-9, 0.1, 0.49, 0.5, 0.9] {
            let want = f64::ln_1p(-p);
            assert!((Gaps::new(p).ln_failure - want).abs() <= 1e-14 * want.abs(), "{p}");
        }
    }
}
