//! Every primitive in every form that has its own Verilog, by the groups of their folders; and what a folder
//! says its forms with.

use crate::memories::memory::Host;
use crate::{arith, copies, flow, join, memories, reduce, scan, write};
use samhw_streams::{Field, Primitive, Shape};

/// A primitive and, if it is a memory, what its host wires do.
pub(crate) type Hosted = (Box<dyn Primitive>, Host);

/// A primitive that is no memory.
pub(crate) fn item(p: impl Primitive + 'static) -> Hosted {
    (Box::new(p), Host::Absent)
}

/// A stream of a coordinate and a reference.
pub(crate) fn pair(stop_w: u32, crd_w: u32, ref_w: u32) -> Shape {
    Shape::Stream { stop_w, fields: vec![Field::new("crd", crd_w), Field::new("ref", ref_w)] }
}

/// Widths: of coordinates, references above and below, and stops.
pub(crate) const WIDTHS: [[u32; 4]; 4] = [[16, 16, 16, 3], [1, 1, 2, 1], [8, 20, 32, 4], [20, 8, 10, 2]];

/// All forms, by the name of their group.
pub(super) fn groups() -> [(&'static str, Vec<Hosted>); 8] {
    [
        ("flow", flow::forms()),
        ("copies", copies::forms()),
        ("memories", memories::forms()),
        ("scan", scan::forms()),
        ("join", join::forms()),
        ("write", write::forms()),
        ("arith", arith::forms()),
        ("reduce", reduce::forms()),
    ]
}
