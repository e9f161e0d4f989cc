//! Low bits of a word.

/// The low `width` bits.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The low `width` bits of `v` as a two's complement number.
pub fn signed(v: u64, width: u32) -> i64 {
    let unused = 64 - width.min(64);
    (v << unused) as i64 >> unused
}
