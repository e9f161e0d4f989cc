#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{FiberOver, Scale, Skid, scale_depth};
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate, Role};

/// The references of the children of reference `ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Child {
    /// `ref * dim + crd`, for a dense level below other levels.
    Row,
    /// `crd`, for the outermost level, whose only reference is 0.
    Root,
    /// `ref`, for an operand without this index, repeated for every coordinate.
    Same,
}

/// A scanner of a dense level, which emits every coordinate. Inputs: 0 `ref`, and 1 `skip` (hints) where an early exit
/// ends fibers. Output: 0 `out` (crd, ref). Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerDense {
    /// Width of the input references in bits.
    pub ref_in_w: u32,
    /// Width of the output references in bits; wider ones are cut.
    pub ref_w: u32,
    /// Width of a coordinate in bits; `dim` has one more.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// The references that the scanner emits.
    pub child: Child,
    /// Width of a fiber's number in the hints that end it, in bits; 0 for no hints.
    pub tag_w: u32,
}

impl ScannerDense {
    /// Registers in the product.
    fn depth(&self) -> u32 {
        scale_depth(self.child, self.ref_in_w, self.crd_w + 1, self.ref_w)
    }
}

impl Primitive for ScannerDense {
    fn kind(&self) -> &'static str {
        "scanner_dense"
    }
    fn instance(&self) -> Instance {
        let mut params = vec![
            ("REF_IN_W", Param::Int(self.ref_in_w)),
            ("REF_W", Param::Int(self.ref_w)),
            ("CRD_W", Param::Int(self.crd_w)),
            ("STOP_W", Param::Int(self.stop_w)),
            ("ROOT", Param::Int((self.child == Child::Root).into())),
            ("BROADCAST", Param::Int((self.child == Child::Same).into())),
            ("DEPTH", Param::Int(self.depth())),
        ];
        if self.tag_w == 0 {
            return Instance { module: "samhw_scanner_dense", params };
        }
        params.push(("TAG_W", Param::Int(self.tag_w)));
        Instance { module: "samhw_scanner_dense_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = [Field::new("crd", self.crd_w), Field::new("ref", self.ref_w)];
        let mut ports = vec![
            Port::config("dim", self.crd_w + 1),
            Port::stream("ref", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)]),
        ];
        if self.tag_w > 0 {
            ports.push(Port::plain("skip", Dir::In, &hint_fields(self.tag_w, self.crd_w)).with_role(Role::Hint));
        }
        ports.push(Port::stream("out", Dir::Out, self.stop_w, &pair));
        ports
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let dim = config.first().copied().unwrap_or(0);
        let skid = if self.child == Child::Row { Skid::default() } else { Skid::passing() };
        Box::new(ScannerDenseModel {
            child: self.child,
            dim,
            max_stop: ((1u64 << self.stop_w) - 1) as u8,
            ref_mask: u64::MAX >> (64 - self.ref_w),
            ref_in: Scale::new(skid, self.child, dim, self.depth()),
            fiber: None,
            crd: 0,
            told: FiberOver::new(self.tag_w),
        })
    }
    fn latency(&self) -> u32 {
        if self.child == Child::Row { 3 + self.depth() } else { 2 }
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let kind = match self.child {
            Child::Row => "dense",
            Child::Root => "dense root",
            Child::Same => "broadcast",
        };
        if self.tag_w > 0 { format!("{kind}, told of early exits") } else { kind.into() }
    }
}

#[derive(Debug)]
struct ScannerDenseModel {
    child: Child,
    dim: u64,
    max_stop: u8,
    ref_mask: u64,
    ref_in: Scale,
    /// The current fiber: its beat of `ref`, with the child's name for coordinate 0.
    fiber: Option<Beat>,
    crd: u64,
    /// What hints say of it.
    told: FiberOver,
}

impl ScannerDenseModel {
    fn check(&self, r: &Beat) -> Result<(), Fault> {
        let fault = |what| Err(Fault { what, port: "ref".into(), beat: *r });
        if r.kind != Kind::Done && r.stop == self.max_stop {
            return fault("the stop does not fit");
        }
        if self.child == Child::Root && r.kind == Kind::Data && r.p[0] != 0 {
            return fault("the root has one fiber, number 0");
        }
        Ok(())
    }

    /// The beat of `f` for the current coordinate, and whether it ends the fiber.
    fn beat(&self, f: &Beat) -> (Beat, bool) {
        let empty = |hole| (Beat::nil(f.stop + 1, hole), true);
        match f.kind {
            Kind::Done => (Beat::DONE, true),
            Kind::Nil => empty(f.hole() + 1),
            Kind::Data if self.dim > 0 => {
                // The root's only fiber starts at 0.
                let child = if self.child == Child::Same { f.p[0] } else { f.p[0].wrapping_add(self.crd) };
                let last = self.crd + 1 == self.dim || self.told.over();
                let stop = if last { f.stop + 1 } else { 0 };
                (Beat::pair(stop, self.crd, child & self.ref_mask), last)
            }
            Kind::Data | Kind::Empty => empty(1),
        }
    }
}

impl Model for ScannerDenseModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.ref_in.open(io, 0);
        let hint = if self.told.hints() { io.taken(1) } else { None };
        let mut moved = hint.is_some();
        let mut leaves = false;
        if let (true, Some(f)) = (io.free(0), self.fiber) {
            let (beat, last) = self.beat(&f);
            io.put(0, beat);
            self.crd = if last { 0 } else { self.crd + 1 };
            if last {
                self.fiber = None;
            }
            leaves = last;
            moved = true;
        }
        self.told.clock(hint, leaves);
        if let (None, Some(r)) = (self.fiber, self.ref_in.head()) {
            self.check(&r)?;
            self.fiber = Some(r);
            self.ref_in.pop();
            moved = true;
        }
        moved |= self.ref_in.clock(io, 0);
        Ok(moved)
    }
}
