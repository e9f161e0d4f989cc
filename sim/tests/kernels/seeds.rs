//! Random cases of many seeds, which SAMHW_SEED and SAMHW_CASES choose.

use samhw_sim::run::Problem;
use samhw_testing::kernels::Case;
use samhw_testing::verify::{legal_order, problem};
use std::panic::RefUnwindSafe;

/// The case as a problem; `None` where it is refused for what these tests are not about.
pub fn prepare(case: &Case) -> Result<Option<Problem>, String> {
    let order = legal_order(&case.kernel, case.order.clone());
    match problem(&case.kernel, &order, &case.dims, &case.data) {
        Ok(p) => Ok(Some(p)),
        Err(d) if matches!(d.code, "T012" | "S009") => Ok(None),
        Err(d) => Err(format!("{d:?}")),
    }
}

/// Runs `run` on this number of seeds unless told otherwise; of how many, and how many said that they ran.
/// Panics if one failed.
pub fn all(count: u64, run: impl Fn(u64) -> Result<bool, String> + RefUnwindSafe) -> (u64, u64) {
    let number = |name, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (base, count) = (number("SAMHW_SEED", 1), number("SAMHW_CASES", count));
    println!("SAMHW_SEED={base} SAMHW_CASES={count}");
    let (mut failed, mut ran) = (0, 0);
    for seed in base..base + count {
        match std::panic::catch_unwind(|| run(seed)).unwrap_or(Err("panic".into())) {
            Ok(yes) => ran += u64::from(yes),
            Err(e) => {
                failed += 1;
                if failed <= 3 {
                    println!("seed {seed}:\n{e}\n");
                }
            }
        }
    }
    println!("{ran} right, {} others, {failed} failed", count - ran - failed);
    assert_eq!(failed, 0, "{failed} of {count} cases failed");
    (count, ran)
}
