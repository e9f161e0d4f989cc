//! Measurements of another simulator of such hardware, for comparison. Not measured here: a script outside of the
//! repository builds it.

use crate::table::{Table, grouped};

/// Where the numbers are from.
const SOURCE: &str = "comal (SAM's primitives on DAM, in Rust), its newest public state, built with DAM's branch dev; \
    both in one run on 2026-11-25, on a busy machine with two cores, processor seconds, the same data, \
    samhw 887966a";

/// A kernel, comal's cycles and seconds, samhw's.
type Measured = (&'static str, (u64, f64), (u64, f64));

const MEASURED: [Measured; 6] = [
    ("SpM*SpM ikj, SAM's inputs", (25_226, 0.030), (25_071, 0.025)),
    ("SDDMM, K = 10", (25_170, 0.032), (24_970, 0.022)),
    ("MTTKRP, C and D full", (107_443, 0.03), (102_373, 0.036)),
    ("SpMV, Poisson of 900 rows", (434_949, 0.07), (432_431, 0.057)),
    ("MMAdd, Poisson of 100,489 rows", (601_674, 0.50), (501_202, 0.33)),
    ("SpM*SpM ikj, R-MAT of 10,000 rows", (100_010_034, 15.6), (100_009_320, 15.1)),
];

/// Prints the measurements.
pub fn print() {
    let heads = ["measured before", "comal cycles", "s", "M cycles/s", "samhw cycles", "s", "M cycles/s"];
    let mut table = Table::new(&heads);
    for (kernel, comal, samhw) in MEASURED {
        let rest = [comal, samhw].into_iter().flat_map(|(cycles, seconds)| {
            [grouped(cycles), format!("{seconds:.3}"), format!("{:.2}", cycles as f64 / seconds / 1e6)]
        });
        table.row(std::iter::once(kernel.to_string()).chain(rest).collect());
    }
    table.print();
    println!("source: {SOURCE}");
}
