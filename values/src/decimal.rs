//! Decimal numbers as digits, so that parsing and printing round only once.

use super::Type;
use super::convert::parts;
use std::cmp::Ordering;

/// Decimal exponents beyond this are beyond every type.
const FAR: i64 = 5000;

/// sign 0.d1 d2 d3... * 10^point
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) negative: bool,
    /// Without leading and trailing zeros.
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    /// Reads `[+-]digits[.digits][e[+-]digits]`; one digit at least.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (negative, text) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = || whole.bytes().chain(rest.bytes());
        if all().next().is_none() || !all().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut digits: Vec<u8> = all().map(|b| b - b'0').collect();
        let zeros = digits.iter().take_while(|d| **d == 0).count();
        digits.drain(..zeros);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let point = if digits.is_empty() { 0 } else { whole.len() as i64 - zeros as i64 + exponent };
        Some(Self { negative, digits, point })
    }
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }
    /// Compares sizes, without signs.
    pub(super) fn cmp_size(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            _ => self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
    /// Size * 2^`shift` rounded down, and how what is left compares with one half (`None`: nothing is left). `None` if
    /// it does not fit 64 bits.
    pub(super) fn scaled(&self, shift: u32) -> Option<(u128, Option<Ordering>)> {
        if self.point > 40 {
            return None;
        }
        let at = |n: i64| usize::try_from(n).ok().and_then(|n| self.digits.get(n)).copied().unwrap_or(0);
        let mut whole = (0..self.point.max(0)).fold(0u128, |n, k| n.saturating_mul(10).saturating_add(at(k).into()));
        // The digits after the point; doubling them carries out one binary digit.
        let far = self.point.max(-FAR);
        let mut rest: Vec<u8> = (far.min(0)..0).map(|_| 0).collect();
        rest.extend(self.digits.iter().skip(usize::try_from(far).unwrap_or(0)));
        for _ in 0..shift {
            let mut carry = 0;
            for digit in rest.iter_mut().rev() {
                let twice = *digit * 2 + carry;
                (*digit, carry) = (twice % 10, twice / 10);
            }
            whole = whole.saturating_mul(2).saturating_add(carry.into());
        }
        let left = rest.iter().any(|d| *d != 0).then(|| {
            let after = || rest[1..].iter().any(|d| *d != 0);
            rest[0].cmp(&5).then_with(|| if after() { Ordering::Greater } else { Ordering::Equal })
        });
        (whole <= u64::MAX.into()).then_some((whole, left))
    }
}

/// An exponent's digits; what is far out stays so.
fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let right = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let size = right.then(|| digits.parse::<i64>().unwrap_or(1 << 40).min(1 << 40))?;
    Some(if text.starts_with('-') { -size } else { size })
}

/// The whole number that a float is, if it is one of less than 2^126.
pub(super) fn whole(ty: Type, raw: u64) -> Option<i128> {
    if ty.is_nan(raw) {
        return None;
    }
    let (negative, significand, exponent) = parts(ty, raw);
    let significand = i128::from(significand?);
    let size = if significand == 0 {
        0
    } else if exponent >= 0 {
        (exponent <= 62 || significand.leading_zeros() as i64 > exponent + 1).then(|| significand << exponent)?
    } else {
        (i64::from(significand.trailing_zeros()) >= -exponent).then(|| significand >> -exponent)?
    };
    Some(if negative { -size } else { size })
}

/// Size of `value` in decimal, exactly: code / 2^frac, zeros at the end left out.
pub(super) fn exact(value: i128, frac: u32) -> String {
    let size = value.unsigned_abs();
    let sign = if value < 0 { "-" } else { "" };
    let mask = (1u128 << frac) - 1;
    let (mut text, mut rest) = (format!("{sign}{}.", size >> frac), size & mask);
    loop {
        rest *= 10;
        text.push(char::from(b'0' + (rest >> frac) as u8));
        rest &= mask;
        if rest == 0 {
            return text;
        }
    }
}
