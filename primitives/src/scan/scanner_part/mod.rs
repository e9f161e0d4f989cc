#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Scale, Skid, scale_depth};
use crate::scan::scanner_dense::Child;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;

/// A selection of coordinates of a dense level, in the order of visits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offsets {
    /// `first`, `first + step`, and so on; the step may be negative.
    Steps {
        /// First coordinate.
        first: u64,
        /// Difference of consecutive coordinates.
        step: i64,
        /// Number of coordinates.
        count: u64,
    },
    /// These coordinates, in any order, possibly repeated.
    Set(Vec<u64>),
}

impl Offsets {
    fn count(&self) -> u64 {
        match self {
            Self::Steps { count, .. } => *count,
            Self::Set(set) => set.len() as u64,
        }
    }
    fn at(&self, k: u64) -> u64 {
        match self {
            Self::Steps { first, step, .. } => first.wrapping_add_signed(step.wrapping_mul(k as i64)),
            Self::Set(set) => set[k as usize],
        }
    }
}

/// A scanner of a part of a dense level, as selected by a slice or an index set. Input: 0 `ref`. Output: 0 `out` (crd,
/// ref). Config: 0 `dim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerPart {
    /// Width of the input references in bits.
    pub ref_in_w: u32,
    /// Width of the output references in bits; wider ones are cut.
    pub ref_w: u32,
    /// Width of `dim` in bits, the size of the whole level.
    pub dim_w: u32,
    /// Width of an output coordinate in bits.
    pub crd_w: u32,
    /// Width of the stop field of both streams in bits; at most `ref_in_w` and `crd_w`.
    pub stop_w: u32,
    /// The references that the scanner emits.
    pub child: Child,
    /// The selected coordinates; none for [`Child::Same`], for which only the number counts.
    pub offsets: Offsets,
    /// Number of the first coordinate out; the k-th one is `to_first + k * to_step`.
    pub to_first: u64,
    /// Step after the first one: see `to_first`.
    pub to_step: u64,
}

impl ScannerPart {
    /// Registers in the product.
    fn depth(&self) -> u32 {
        scale_depth(self.child, self.ref_in_w, self.dim_w, self.ref_w)
    }
}

impl Primitive for ScannerPart {
    fn kind(&self) -> &'static str {
        "scanner_part"
    }
    fn instance(&self) -> Instance {
        let (first, step, set) = match &self.offsets {
            Offsets::Steps { first, step, .. } => (*first, *step as u64, &[] as &[u64]),
            Offsets::Set(set) => (0, 0, set.as_slice()),
        };
        let bits = |x: u64, w: u32| Param::Bits(w, vec![x & mask(w)]);
        Instance {
            module: "samhw_scanner_part",
            params: vec![
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("DIM_W", Param::Int(self.dim_w)),
                ("CRD_W", Param::Int(self.crd_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("ROOT", Param::Int((self.child == Child::Root).into())),
                ("BROADCAST", Param::Int((self.child == Child::Same).into())),
                ("COUNT", bits(self.offsets.count(), self.crd_w + 1)),
                ("FIRST", bits(first, self.ref_w)),
                ("STEP", bits(step, self.ref_w)),
                ("LISTED", Param::Int(set.len() as u32)),
                ("SET", table(set, self.ref_w)),
                ("TO_FIRST", bits(self.to_first, self.crd_w)),
                ("TO_STEP", bits(self.to_step, self.crd_w)),
                ("DEPTH", Param::Int(self.depth())),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = [Field::new("crd", self.crd_w), Field::new("ref", self.ref_w)];
        vec![
            Port::config("dim", self.dim_w),
            Port::stream("ref", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)]),
            Port::stream("out", Dir::Out, self.stop_w, &pair),
        ]
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        Box::new(PartModel {
            of: self.clone(),
            ref_in: Scale::new(Skid::default(), self.child, config.first().copied().unwrap_or(0), self.depth()),
            fiber: None,
            place: 0,
        })
    }
    fn latency(&self) -> u32 {
        3 + self.depth()
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let part = match &self.offsets {
            Offsets::Steps { first, step, count } => format!("{count} from {first} in steps of {step}"),
            Offsets::Set(set) => format!("{} listed", set.len()),
        };
        match self.child {
            Child::Row => format!("dense, {part}"),
            Child::Root => format!("dense root, {part}"),
            Child::Same => format!("broadcast to {}", self.offsets.count()),
        }
    }
}

/// Numbers of `width` bits each as one vector, the first lowest; one 0 if there are none.
pub(crate) fn table(numbers: &[u64], width: u32) -> Param {
    let bits = numbers.len().max(1) as u32 * width;
    let mut words = vec![0u64; bits.div_ceil(64) as usize];
    for (k, n) in numbers.iter().enumerate() {
        for bit in (0..width as usize).filter(|&b| b < 64 && n >> b & 1 == 1) {
            let at = k * width as usize + bit;
            words[at / 64] |= 1 << (at % 64);
        }
    }
    Param::Bits(bits, words)
}

#[derive(Debug)]
struct PartModel {
    of: ScannerPart,
    ref_in: Scale,
    /// The current fiber: its beat of `ref`, with the child's name for offset 0.
    fiber: Option<Beat>,
    place: u64,
}

impl PartModel {
    fn check(&self, r: &Beat) -> Result<(), Fault> {
        let fault = |what| Err(Fault { what, port: "ref".into(), beat: *r });
        if r.kind != Kind::Done && u64::from(r.stop) == mask(self.of.stop_w) {
            return fault("the stop does not fit");
        }
        if self.of.child == Child::Root && r.kind == Kind::Data && r.p[0] != 0 {
            return fault("the root has one fiber, number 0");
        }
        Ok(())
    }

    /// The beat of `f` for the current coordinate, and whether it ends the fiber.
    fn beat(&self, f: &Beat) -> (Beat, bool) {
        let empty = |hole| (Beat::nil(f.stop + 1, hole), true);
        let count = self.of.offsets.count();
        match f.kind {
            Kind::Done => (Beat::DONE, true),
            Kind::Nil => empty(f.hole() + 1),
            Kind::Data if count > 0 => {
                let offset = if self.of.child == Child::Same { 0 } else { self.of.offsets.at(self.place) };
                let crd = self.of.to_first.wrapping_add(self.place.wrapping_mul(self.of.to_step));
                let last = self.place + 1 == count;
                let stop = if last { f.stop + 1 } else { 0 };
                let child = f.p[0].wrapping_add(offset) & mask(self.of.ref_w);
                (Beat::pair(stop, crd & mask(self.of.crd_w), child), last)
            }
            Kind::Data | Kind::Empty => empty(1),
        }
    }
}

impl Model for PartModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(f)) = (io.free(0), self.fiber) {
            let (beat, last) = self.beat(&f);
            io.put(0, beat);
            self.place = if last { 0 } else { self.place + 1 };
            if last {
                self.fiber = None;
            }
            moved = true;
        }
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
