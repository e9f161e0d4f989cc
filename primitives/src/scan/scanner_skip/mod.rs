#![doc = include_str!("README.md")]

mod model;
#[cfg(test)]
pub(crate) mod tests;

use crate::join::joiner::hint_fields;
use crate::scan::scanner_wide::Group;
use samhw_streams::{Bulk, Class, Dir, Field, Instance, Model, Param, Port, Primitive, Rate, Role};
use std::sync::Arc;

/// Pairs of groups held or asked for, as a power of two; a bound may be as many fibers ahead.
const BUFFER_LOG2: u32 = 4;

/// Groups from one probe to the next, as a power of two.
const LEAP_LOG2: u32 = 4;

/// A scanner of a compressed level that skips coordinates according to hints. Inputs: 0 `ref`, 1 `seg_rsp` (begin,
/// end), 2 `crd_rsp` (data0, data1: a group each), 3 `skip`, 4 `bound` (hints). Outputs: 0 `seg_req` (addr), 1
/// `crd_req` (addr), 2 `last` (hint), 3 `out` (crd, ref: a [`Group`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerSkip {
    /// Width of the input references in bits, and of an address of `seg`.
    pub ref_in_w: u32,
    /// Width of a position in bits: the references out, the words of `seg`. Addresses of `crd` have `wide_log2` more.
    pub ref_w: u32,
    /// Format of the output: coordinates, or groups of them.
    pub group: Group,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and that of a coordinate.
    pub stop_w: u32,
    /// log2 of the number of segment pairs in flight.
    pub queue_log2: u32,
    /// Width of a fiber's number in a hint in bits, more than 4.
    pub tag_w: u32,
}

impl ScannerSkip {
    /// Width of an address of `crd` in bits: words beyond the last position, up to twice a group's, are read with it.
    fn addr_w(&self) -> u32 {
        self.ref_w + self.group.wide_log2
    }
}

impl Primitive for ScannerSkip {
    fn kind(&self) -> &'static str {
        "scanner_skip"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Hints
    }
    fn class(&self) -> Class {
        Class::SkippingScanner
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_scanner_skip",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("CRD_W", Param::Int(self.group.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("TAG_W", Param::Int(self.tag_w)),
                ("QUEUE_LOG2", Param::Int(self.queue_log2)),
                ("BUFFER_LOG2", Param::Int(BUFFER_LOG2)),
                ("LEAP_LOG2", Param::Int(LEAP_LOG2)),
                ("WIDE_LOG2", Param::Int(self.group.wide_log2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let hint = hint_fields(self.tag_w, self.group.crd_w);
        let half = self.group.width();
        vec![
            Port::stream("ref", Dir::In, self.stop_w, &[f("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[f("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[f("begin", self.ref_w), f("end", self.ref_w)]),
            Port::plain("crd_req", Dir::Out, &[f("addr", self.addr_w())]),
            Port::plain("crd_rsp", Dir::In, &[f("data0", half), f("data1", half)]),
            Port::plain("skip", Dir::In, &hint).with_role(Role::Hint),
            Port::plain("bound", Dir::In, &hint).with_role(Role::Hint),
            Port::plain("last", Dir::Out, &hint).with_role(Role::Hint),
            Port::stream("out", Dir::Out, self.stop_w, &self.group.fields(self.ref_w)),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(model::SkipModel::new(self))
    }
    fn queued(&self, queue_log2: u32) -> Option<Arc<dyn Primitive>> {
        Some(Arc::new(Self { queue_log2, ..self.clone() }))
    }
    fn latency(&self) -> u32 {
        7
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        match self.group.wide() {
            1 => "compressed, skipping".into(),
            wide => format!("compressed, skipping, {wide} at a time"),
        }
    }
}
