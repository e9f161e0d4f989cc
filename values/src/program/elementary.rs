//! Exponentials, logarithms, powers and roots of doubles, as sequences of fused multiply-adds.

use super::Op;
use super::build::{Build, Reg};
use std::f64::consts::{LN_2, LOG2_E, LOG10_E, SQRT_2};

/// ln 2 beyond the double nearest to it.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;
/// Sums with it round to whole numbers, which then are its low bits.
pub(super) const MAGIC: f64 = 6_755_399_441_055_744.0;

/// 1 / n!
fn inverse_factorial(n: u64) -> f64 {
    1.0 / (1..=n).map(|k| k as f64).product::<f64>()
}

/// e^x. At most 1 ulp.
pub(super) fn exp(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        // Beyond 1100 the result is infinite or 0 anyway.
        let size = p.size(x);
        let near = p.under(size, 1100.0);
        let (far, sign) = (p.real(1100.0), p.sign(x));
        let far = p.with_sign(far, sign);
        let near = p.select(near, x, far);
        let (log2e, magic) = (p.real(LOG2_E), p.real(MAGIC));
        let k = p.fma(near, log2e, magic);
        let n = p.op(Op::Sub, k, magic);
        let k = p.fsub(k, magic);
        let (ln2, rest) = (p.real(-LN_2), p.real(-LN_2_REST));
        let r = p.fma(k, ln2, near);
        let r = p.fma(k, rest, r);
        scaled_exp(p, r, n, size)
    })
}

/// 2^x. At most 1 ulp; of whole numbers exact.
pub(super) fn exp2(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let size = p.size(x);
        let near = p.under(size, 1100.0);
        let (far, sign) = (p.real(1100.0), p.sign(x));
        let far = p.with_sign(far, sign);
        let near = p.select(near, x, far);
        let magic = p.real(MAGIC);
        let k = p.fadd(near, magic);
        let n = p.op(Op::Sub, k, magic);
        let k = p.fsub(k, magic);
        let (r, ln2) = (p.fsub(near, k), p.real(LN_2));
        let r = p.fmul(r, ln2);
        scaled_exp(p, r, n, size)
    })
}

/// e^r * 2^n, r from -ln 2 / 2 to ln 2 / 2; NaN if the argument of this size is.
fn scaled_exp(p: &mut Build, r: Reg, n: Reg, size: Reg) -> Reg {
    let y = p.poly(r, &(0..=14).map(inverse_factorial).collect::<Vec<_>>());
    let y = p.parts(y);
    let exp = p.op(Op::Add, y.exp, n);
    let y = p.op3(Op::Round, y.man, exp, y.sign);
    let (nan, none) = (p.real(f64::NAN), p.is_nan(size));
    p.select(none, nan, y)
}

/// e^x - 1
pub(super) fn expm1(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let tail = p.poly(x, &(2..=17).map(inverse_factorial).collect::<Vec<_>>());
        let square = p.fmul(x, x);
        let near = p.fma(square, tail, x);
        let (e, minus) = (exp(p, x), p.real(-1.0));
        let far = p.fadd(e, minus);
        let size = p.size(x);
        let small = p.under(size, 0.5);
        p.select(small, near, far)
    })
}

/// ln x
pub(super) fn log(p: &mut Build, x: Reg) -> Reg {
    logarithm(p, x, |p, e, s, [cube, tail]| {
        // ln m = 2 artanh s
        let (rest, ln2) = (p.real(LN_2_REST), p.real(LN_2));
        let low = p.fmul(e, rest);
        let low = p.fma(cube, tail, low);
        let two = p.real(2.0);
        let low = p.fma(two, s, low);
        p.fma(e, ln2, low)
    })
}

/// log2 x, of powers of 2 exactly.
pub(super) fn log2(p: &mut Build, x: Reg) -> Reg {
    logarithm(p, x, |p, e, s, [cube, tail]| {
        let two = p.real(2.0);
        let low = p.fmul(cube, tail);
        let low = p.fma(two, s, low);
        let log2e = p.real(LOG2_E);
        p.fma(low, log2e, e)
    })
}

/// The logarithm that `sum` makes of e and s, where x = m * 2^e and s = (m - 1) / (m + 1), and of
/// two factors of what 2 artanh s has more than 2 s.
fn logarithm(p: &mut Build, x: Reg, sum: impl FnOnce(&mut Build, Reg, Reg, [Reg; 2]) -> Reg) -> Reg {
    p.scope(|p| {
        // x = m * 2^e with m from sqrt 1/2 to sqrt 2.
        let parts = p.parts(x);
        let (one, fraction) = (p.real(1.0), p.mask(parts.man, (1 << 52) - 1));
        let m = p.op(Op::Or, one, fraction);
        let e = p.plus(parts.exp, 52);
        let root = p.real(SQRT_2);
        let high = p.op(Op::Below, root, m);
        let e = p.op(Op::Add, e, high);
        let step = p.up(high, 52);
        let m = p.op(Op::Sub, m, step);
        let magic = p.real(MAGIC);
        let e = p.op(Op::Add, e, magic);
        let e = p.fsub(e, magic);
        let f = p.fsub(m, one);
        let g = p.fadd(m, one);
        let s = p.ratio(f, g);
        let z = p.fmul(s, s);
        let tail = p.poly(z, &(1..=12).map(|k| 2.0 / (2 * k + 1) as f64).collect::<Vec<_>>());
        let cube = p.fmul(s, z);
        let y = sum(p, e, s, [cube, tail]);
        // What has no such m.
        let (inf, nan) = (p.real(f64::INFINITY), p.real(f64::NAN));
        let infinite = p.op(Op::Equal, x, inf);
        let y = p.select(infinite, x, y);
        // Negative ones and NaN lie above infinity as words.
        let none = p.op(Op::Below, inf, x);
        let y = p.select(none, nan, y);
        let (size, least) = (p.size(x), p.real(f64::NEG_INFINITY));
        p.select(size, y, least)
    })
}

/// ln (1 + x)
pub(super) fn log1p(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let one = p.real(1.0);
        let u = p.fadd(x, one);
        let d = p.fsub(u, one);
        let l = log(p, u);
        let q = p.ratio(x, d);
        let y = p.fmul(l, q);
        let tiny = p.op(Op::Equal, u, one);
        p.select(tiny, x, y)
    })
}

pub(super) fn log10(p: &mut Build, x: Reg) -> Reg {
    let (l, e) = (log(p, x), p.real(LOG10_E));
    p.fmul(l, e)
}

/// Whether a double is whole, and odd.
pub(super) fn whole(p: &mut Build, x: Reg) -> (Reg, Reg) {
    let parts = p.parts(x);
    let (zero, one, most) = (p.word(0), p.word(1), p.word(53));
    let down = p.op(Op::Sub, zero, parts.exp);
    // From 2^53 on all are even; below 2^-1 none is whole.
    let large = p.op(Op::Less, down, zero);
    let small = p.op(Op::Less, most, down);
    let units = p.op(Op::Shr, parts.man, down);
    let back = p.op(Op::Shl, units, down);
    let exact = p.op(Op::Equal, back, parts.man);
    let exact = p.select(small, zero, exact);
    let exact = p.select(large, one, exact);
    let odd = p.op(Op::And, units, one);
    let odd = p.op(Op::And, odd, exact);
    let odd = p.select(large, zero, odd);
    (exact, odd)
}

/// Whole exponents below it are products: exact where that can be, and no farther off than the
/// exponential of large numbers.
const PRODUCTS: f64 = 64.0;
/// Number of bits of whole exponents for which powers of 2 are products, which are exact.
const DOUBLINGS: u32 = 10;

/// x^n of a size by squaring, n a whole number below 2^[`DOUBLINGS`].
fn squared(p: &mut Build, result: Reg, x: Reg, n: Reg) {
    let (base, left, odd) = (p.reg(), p.reg(), p.reg());
    let (magic, one) = (p.real(MAGIC), p.word(1));
    let k = p.fadd(n, magic);
    p.into(left, Op::Sub, k, magic, magic);
    p.set(base, x);
    p.load(result, 1f64.to_bits());
    let (again, done, even) = (p.label(), p.label(), p.label());
    p.rounds(DOUBLINGS.into(), |p| {
        p.here(again);
        p.jump_zero(left, done);
        p.into(odd, Op::And, left, one, one);
        p.jump_zero(odd, even);
        let mark = p.mark();
        let y = p.fmul(result, base);
        p.settle(mark, result, y);
        p.here(even);
        let y = p.fmul(base, base);
        p.settle(mark, base, y);
        p.into(left, Op::Shr, left, one, one);
        p.jump(again);
    });
    p.here(done);
}

/// x^y of sizes: products where y is whole and small and they stay in range, else e^(y ln x).
fn sized(p: &mut Build, size: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let (result, use_log, end) = (p.reg(), p.label(), p.label());
        let y_size = p.size(y);
        let (exact, _) = whole(p, y);
        let (few, some) = (p.under(y_size, PRODUCTS), p.under(y_size, f64::from(1u32 << DOUBLINGS)));
        let fraction = p.mask(size, (1 << 52) - 1);
        let of_two = p.not(fraction);
        let some = p.op(Op::And, some, of_two);
        let few = p.op(Op::Or, few, some);
        let few = p.op(Op::And, few, exact);
        p.jump_zero(few, use_log);
        squared(p, result, size, y_size);
        let (inf, least) = (p.real(f64::INFINITY), p.real(f64::MIN_POSITIVE));
        let finite = p.op(Op::Below, result, inf);
        let normal = p.op(Op::Less, least, result);
        let usual = p.op(Op::And, finite, normal);
        p.jump_zero(usual, use_log);
        let sign = p.down(y, 63);
        p.jump_zero(sign, end);
        let one = p.real(1.0);
        let inverse = p.ratio(one, result);
        p.set(result, inverse);
        p.jump(end);
        p.here(use_log);
        let l = log(p, size);
        let t = p.fmul(l, y);
        let r = exp(p, t);
        p.set(result, r);
        p.here(end);
        result
    })
}

/// x^y, signs and special cases as IEEE has them.
pub(super) fn pow(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let size = p.size(x);
        let r = sized(p, size, y);
        let negative = p.down(x, 63);
        let (zero, one, inf, nan) = (p.word(0), p.real(1.0), p.real(f64::INFINITY), p.real(f64::NAN));
        let (exact, odd) = whole(p, y);
        // A negative number to a power that is not whole; infinities and zeros have such powers.
        let finite = p.op(Op::Below, size, inf);
        let usual = p.select(size, finite, zero);
        let bad = p.select(exact, zero, usual);
        let bad = p.op(Op::And, bad, negative);
        let r = p.select(bad, nan, r);
        let flip = p.op(Op::And, odd, negative);
        let flip = p.up(flip, 63);
        let none = p.size(r);
        let none = p.is_nan(none);
        let flip = p.select(none, zero, flip);
        let r = p.op(Op::Xor, r, flip);
        // 1 to any power, -1 to an infinite one, anything to the power 0.
        let y_size = p.size(y);
        let unit = p.op(Op::Equal, size, one);
        let endless = p.op(Op::Equal, y_size, inf);
        let unit = p.op(Op::And, unit, endless);
        let is_one = p.op(Op::Equal, x, one);
        let unit = p.op(Op::Or, unit, is_one);
        let r = p.select(unit, one, r);
        p.select(y_size, r, one)
    })
}

/// Cube root: e^(ln |x| / 3), and a step of Newton's.
pub(super) fn cbrt(p: &mut Build, x: Reg) -> Reg {
    p.scope(|p| {
        let (size, sign, third, inf) = (p.size(x), p.sign(x), p.real(1.0 / 3.0), p.real(f64::INFINITY));
        // The cube of a small one's root would be subnormal.
        let whole = size;
        let small = p.under(whole, 1e-280);
        let up = p.real(162f64.exp2());
        let raised = p.fmul(whole, up);
        let size = p.select(small, raised, whole);
        let l = log(p, size);
        let t = p.fmul(l, third);
        let y = exp(p, t);
        let square = p.fmul(y, y);
        let top = p.word(1 << 63);
        let minus = p.op(Op::Or, size, top);
        let error = p.fma(square, y, minus);
        let three = p.real(3.0);
        let slope = p.fmul(square, three);
        let step = p.ratio(error, slope);
        let better = p.fsub(y, step);
        let finite = p.op(Op::Below, size, inf);
        let y = p.select(finite, better, size);
        let down = p.real((-54f64).exp2());
        let lowered = p.fmul(y, down);
        let y = p.select(small, lowered, y);
        let y = p.select(whole, y, whole);
        let (nan, none) = (p.real(f64::NAN), p.is_nan(whole));
        let y = p.with_sign(y, sign);
        p.select(none, nan, y)
    })
}

/// sqrt(x^2 + y^2)
pub(super) fn hypot(p: &mut Build, x: Reg, y: Reg) -> Reg {
    p.scope(|p| {
        let (a, b) = (p.size(x), p.size(y));
        let less = p.op(Op::Below, a, b);
        let (most, least) = (p.select(less, b, a), p.select(less, a, b));
        let (one, inf, nan) = (p.real(1.0), p.real(f64::INFINITY), p.real(f64::NAN));
        let q = p.ratio(least, most);
        let s = p.fma(q, q, one);
        let s = p.root(s);
        let r = p.fmul(most, s);
        let r = p.select(most, r, most);
        let none = p.is_nan(most);
        let r = p.select(none, nan, r);
        let (a_inf, b_inf) = (p.op(Op::Equal, a, inf), p.op(Op::Equal, b, inf));
        let endless = p.op(Op::Or, a_inf, b_inf);
        p.select(endless, inf, r)
    })
}
