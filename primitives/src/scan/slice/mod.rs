#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{HoldBack, Skid};
use crate::scan::scanner_part::table;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;

/// Largest number of coordinates in an index set.
pub const MAX_SET: usize = 32;

/// The selected coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Select {
    /// `first`, `first + step`, and so on.
    Steps {
        /// First coordinate.
        first: u64,
        /// Difference of consecutive coordinates, at least 1.
        step: u64,
        /// Number of coordinates.
        count: u64,
    },
    /// These coordinates, in increasing order, at most [`MAX_SET`].
    Set(Vec<u64>),
}

/// A slice, which selects coordinates and renumbers them. Input: 0 `in` (crd, x). Output: 0 `out` (crd, x).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// Width of the input coordinates in bits. All selected ones fit.
    pub crd_in_w: u32,
    /// Width of the output coordinates in bits. All that come out fit.
    pub crd_w: u32,
    /// Width of the payload that accompanies a coordinate, in bits.
    pub x_w: u32,
    /// Width of the stop field in bits; at most that of either coordinate.
    pub stop_w: u32,
    /// The selected coordinates.
    pub select: Select,
    /// Number of the first selected coordinate; the k-th one becomes `to_first + k * to_step`.
    pub to_first: u64,
    /// Step after the first one: see `to_first`.
    pub to_step: u64,
}

impl Slice {
    /// Factor that divides by the odd part of the step: an exact division is a multiplication modulo 2^w, and
    /// what is not divisible becomes too large (Granlund and Montgomery, "Division by invariant integers using
    /// multiplication", section 9).
    fn inverse(&self) -> u64 {
        let Select::Steps { step, .. } = self.select else { return 1 };
        let odd = step >> step.trailing_zeros();
        // Newton: each round doubles the number of right bits; odd * odd = 1 modulo 8.
        let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        inverse & mask(self.crd_in_w)
    }

    /// Which of the selected coordinates `crd` is.
    fn place(&self, crd: u64) -> Option<u64> {
        match &self.select {
            Select::Steps { first, step, count } => {
                let far = crd.wrapping_sub(*first) & mask(self.crd_in_w);
                let shift = step.trailing_zeros();
                let k = (far >> shift).wrapping_mul(self.inverse()) & mask(self.crd_in_w);
                (far & mask(shift) == 0 && k < *count).then_some(k)
            }
            Select::Set(set) => set.iter().position(|&c| c == crd).map(|k| k as u64),
        }
    }
}

impl Primitive for Slice {
    fn kind(&self) -> &'static str {
        "slice"
    }
    fn instance(&self) -> Instance {
        let (in_w, out_w) = (self.crd_in_w, self.crd_w);
        let (first, shift, count, set) = match &self.select {
            Select::Steps { first, step, count } => (*first, step.trailing_zeros(), *count, &[] as &[u64]),
            Select::Set(set) => (0, 0, 0, set.as_slice()),
        };
        Instance {
            module: "samhw_slice",
            params: vec![
                ("CRD_IN_W", Param::Int(in_w)),
                ("CRD_W", Param::Int(out_w)),
                ("X_W", Param::Int(self.x_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("FIRST", Param::Bits(in_w, vec![first])),
                ("SHIFT", Param::Int(shift)),
                ("INVERSE", Param::Bits(in_w, vec![self.inverse()])),
                ("COUNT", Param::Bits(in_w + 1, vec![count])),
                ("LISTED", Param::Int(set.len() as u32)),
                ("SET", table(set, in_w)),
                ("TO_FIRST", Param::Bits(out_w, vec![self.to_first])),
                ("TO_STEP", Param::Bits(out_w, vec![self.to_step])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let pair = |crd_w| [Field::new("crd", crd_w), Field::new("x", self.x_w)];
        vec![
            Port::stream("in", Dir::In, self.stop_w, &pair(self.crd_in_w)),
            Port::stream("out", Dir::Out, self.stop_w, &pair(self.crd_w)),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(SliceModel {
            of: self.clone(),
            input: Skid::default(),
            far: None,
            near: None,
            hold: HoldBack::default(),
        })
    }
    fn latency(&self) -> u32 {
        5
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        match &self.select {
            Select::Steps { first, step, count } => format!("{count} from {first} in steps of {step}"),
            Select::Set(set) => format!("{} listed", set.len()),
        }
    }
}

#[derive(Debug)]
struct SliceModel {
    of: Slice,
    input: Skid,
    /// Beats whose coordinate is taken relative to the first one selected.
    far: Option<Beat>,
    /// Beats with the coordinate out, and whether they stay.
    near: Option<(Beat, bool)>,
    hold: HoldBack<Beat>,
}

impl Model for SliceModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = io.free(0);
        let room = self.hold.room(free);
        let shifts = self.near.is_none() || room;
        let mut moved = false;
        let left = match self.near {
            Some((b, stays)) if room => {
                moved = true;
                self.hold.filter(b, stays || !b.is_leaf(), free)
            }
            _ => self.hold.idle(free),
        };
        if let Some((b, stop)) = left {
            io.put(0, Beat { stop, ..b });
            moved = true;
        }
        if shifts {
            moved |= self.far.is_some() || self.input.head().is_some();
            self.near = self.far.take().map(|b| match self.of.place(b.p[0]) {
                Some(k) if b.is_leaf() => {
                    let crd = k.wrapping_mul(self.of.to_step).wrapping_add(self.of.to_first) & mask(self.of.crd_w);
                    (Beat { p: [crd, b.p[1]], ..b }, true)
                }
                _ => (b, b.kind == Kind::Nil),
            });
            if let Some(&b) = self.input.head() {
                self.far = Some(b);
                self.input.pop();
            }
        }
        moved |= self.input.clock(io, 0);
        Ok(moved)
    }
}
