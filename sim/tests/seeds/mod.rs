//! Random cases of many seeds, which SAMHW_SEED and SAMHW_CASES choose.

mod all;

pub use all::all;
use samhw_sim::run::Problem;
use samhw_testing::kernels::Case;
use samhw_testing::verify::{legal_order, problem};

/// The case as a problem; `None` where it is refused for what these tests are not about.
pub fn prepare(case: &Case) -> Result<Option<Problem>, String> {
    let order = legal_order(&case.kernel, case.order.clone());
    match problem(&case.kernel, &order, &case.dims, &case.data) {
        Ok(p) => Ok(Some(p)),
        Err(d) if matches!(d.code, "T012" | "S009") => Ok(None),
        Err(d) => Err(format!("{d:?}")),
    }
}
