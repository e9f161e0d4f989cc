//! Range reduction of arguments, and reconstruction of results from the tables' values.

use super::Pipeline;
use crate::round_float;

/// The first 256 bits of 2 / pi after the point.
const TWO_OVER_PI: [u64; 4] =
    [0xa2f9_836e_4e44_1529, 0xfc27_57d1_f534_ddc0, 0xdb62_9599_3c43_9041, 0xfe51_63ab_debb_c561];

/// Bits of a word of 2 / pi, a multiple of 18: two for the quarter of a turn; below the point the mantissa's, as many to
/// tell zero from what is nearest to it, and the result's.
pub(super) fn turn_bits(exp: u32, man: u32) -> u32 {
    (2 + (man + 1) + (2 * man + exp + 10)).div_ceil(18) * 18
}

/// Returns the bits of 2 / pi that count for each exponent, from that of 2^`least` on: quarters of a turn
/// that a mantissa's last place has, except whole turns. Before it the word for smaller arguments.
pub(super) fn turns(exp: u32, man: u32, least: i32, bits: u32) -> Vec<u128> {
    let most = (1 << (exp - 1)) - 1;
    let bit = |n: i32| u128::from((0..256).contains(&n) && TWO_OVER_PI[n as usize / 64] >> (63 - n % 64) & 1 == 1);
    let word = |e: i32| {
        let end = e - man as i32 + bits as i32 - 2;
        (end - bits as i32..end).fold(0, |w, n| w << 1 | bit(n))
    };
    let small = 1 << (bits - 2 - (man + 1) - 1);
    std::iter::once(small).chain((least..=most).map(word)).collect()
}

impl Pipeline {
    /// Sign, mantissa, exponent: the value is mantissa * 2^(exponent - man).
    fn parts(&self, raw: u64) -> (bool, u64, i32) {
        let (field, fraction) = ((raw >> self.man & ((1 << self.exp) - 1)) as i32, raw & ((1 << self.man) - 1));
        let bias = (1 << (self.exp - 1)) - 1;
        let man = if field == 0 { fraction } else { fraction | 1 << self.man };
        (raw & self.ty.sign_bit() != 0, man, field.max(1) - bias)
    }

    pub(super) fn exp_of(&self, raw: u64) -> u64 {
        let ((negative, man, e), frac) = (self.parts(raw), self.frac());
        if e >= self.exp as i32 {
            return if negative { 0 } else { self.ty.infinity() };
        }
        // The argument in fixed point, as a power of 2.
        let up = e - self.man as i32 + frac as i32;
        let x = if up >= 0 { man << up } else { man.checked_shr(up.unsigned_abs()).unwrap_or(0) };
        let t = ((u128::from(x) * u128::from(self.factor)) >> (self.exp + frac - 1)) as i64;
        let t = if negative { -t } else { t };
        let f = t as u64 & ((1 << frac) - 1);
        let y = self.table.at((f >> self.table.x) as usize, f & ((1 << self.table.x) - 1));
        round_float(self.ty, false, y.into(), (t >> frac) - i64::from(frac), false)
    }

    pub(super) fn log_of(&self, raw: u64) -> u64 {
        let (negative, man, e) = self.parts(raw);
        if man == 0 {
            return self.ty.infinity() | self.ty.sign_bit();
        }
        if negative {
            return self.ty.nan();
        }
        if self.ty.is_infinite(raw) {
            return raw;
        }
        let zeros = man.leading_zeros() - (63 - self.man);
        let fraction = man << zeros & ((1 << self.man) - 1);
        // From 3/2 on the half is taken, which lies below 1.
        let high = fraction >> (self.man - 1) & 1;
        let x = if high == 1 { (1 << self.man) - fraction } else { 2 * fraction };
        let e = e - zeros as i32 + high as i32;
        let g = self.table.at((fraction >> self.table.x) as usize, fraction & ((1 << self.table.x) - 1));
        let (p, below) = (u128::from(x) * u128::from(g), self.man + 1 - 4);
        let whole = self.words[e.unsigned_abs() as usize] << below;
        let (sign, size) = match e {
            0 => (high == 1, p),
            _ if (high == 1) == (e < 0) => (e < 0, whole + p),
            _ => (e < 0, whole - p),
        };
        round_float(self.ty, sign, size, -i64::from(self.man + 1 + self.frac()), false)
    }

    pub(super) fn sine_of(&self, raw: u64, turned: bool) -> u64 {
        if self.ty.is_infinite(raw) {
            return self.ty.nan();
        }
        let (negative, man, e) = self.parts(raw);
        let small = e < self.least;
        if small {
            return if turned { self.ty.one() } else { raw };
        }
        // Quarters of a turn; below the point `bits`.
        let (w, m) = (self.word_bits, self.man + 1);
        let t = u128::from(man).wrapping_mul(self.words[(e - self.least) as usize + 1]) & ((1 << w) - 1);
        let bits = w - 2 - m;
        let (quarter, f) = ((t >> (w - 2)) as u64, (t >> m) as u64 & (u64::MAX >> (64 - bits)));
        // From 1/2 on, what is left to the next quarter.
        let back = f >> (bits - 1);
        let f = if back == 1 { !f & (u64::MAX >> (64 - bits)) } else { f };
        let quarter = quarter + back + u64::from(turned);
        let upright = quarter & 1;
        let sign = quarter >> 1 & 1 ^ (back & !upright & 1) ^ u64::from(negative && !turned);
        let (frac, top) = (self.frac(), bits - 1 - self.pieces);
        let piece = (upright << self.pieces | f >> top) as usize;
        let y = self.table.at(piece, f >> (top - self.table.x) & ((1 << self.table.x) - 1));
        let zeros = if f == 0 { 0 } else { f.leading_zeros() - (64 - (bits - 1)) };
        let (factor, down) = match upright {
            1 => (1 << (frac - 1), -2),
            _ => (f << zeros >> (bits - 1 - frac), i64::from(zeros)),
        };
        let size = u128::from(y) * u128::from(factor);
        round_float(self.ty, sign == 1, size, -i64::from(2 * frac + 1) - down, false)
    }

    pub(super) fn tanh_of(&self, raw: u64) -> u64 {
        let (negative, man, e) = self.parts(raw);
        if e < self.least {
            return raw;
        }
        if e >= self.most {
            return self.ty.one() | raw & self.ty.sign_bit();
        }
        let fraction = man & ((1 << self.man) - 1);
        let piece = ((e - self.least) as usize) << self.pieces | (fraction >> self.table.x) as usize;
        let y = self.table.at(piece, fraction & ((1 << self.table.x) - 1));
        round_float(self.ty, negative, y.into(), i64::from(e.min(0)) - i64::from(self.frac()), false)
    }
}
