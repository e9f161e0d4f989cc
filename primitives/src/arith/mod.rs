//! Arithmetic primitives: functions of values, and conversions.

pub mod alu;
pub mod convert;

/// Lists the configurations of each primitive that all checks go through.
#[cfg(test)]
pub(crate) fn forms() -> Vec<crate::every::forms::Hosted> {
    let all = [alu::tests::forms(), convert::tests::forms()];
    all.into_iter().flatten().collect()
}
