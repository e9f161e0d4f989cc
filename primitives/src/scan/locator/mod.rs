#![doc = include_str!("README.md")]

mod bits;
mod compressed;
mod dense;
#[cfg(test)]
pub(crate) mod tests;

pub use bits::LocatorBits;
pub use compressed::LocatorCompressed;
pub use dense::LocatorDense;

use samhw_streams::{Beat, Fault};
use samhw_values::mask;

/// Both heads, if they are of one shape.
pub(super) fn aligned(crd: Beat, parent: Beat, stop_w: u32) -> Result<(), Fault> {
    let same = crd.is_leaf() || crd.kind == parent.kind && (crd.p[0] ^ parent.p[0]) & mask(stop_w) == 0;
    if crd.is_leaf() != parent.is_leaf() || !same {
        return Err(Fault { what: "crd and parent are not aligned", port: "parent".into(), beat: parent });
    }
    Ok(())
}
