//! Helpers that extract and sign-extend the low bits of a 64-bit word.

/// Returns a mask with the low `width` bits set.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Sign-extends the low `width` bits of `v`.
pub fn signed(v: u64, width: u32) -> i64 {
    let unused = 64 - width.min(64);
    (v << unused) as i64 >> unused
}
