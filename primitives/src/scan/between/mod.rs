#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{HoldBack, Queue, Skid};
use crate::join::joiner::hint_fields;
use crate::scan::scanner_span::{SpanEnd, bound_fields};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate, Role};
use samhw_values::mask;

/// Bounds that wait, as a power of two: a scanner hears of as many fibers before they come.
const AHEAD_LOG2: u32 = 3;

/// A filter, which keeps the coordinates of each list between bounds. Inputs: 0 `bounds` (lo, hi; of an end that is
/// none no field), 1 `in` (crd, x). Outputs: 0 `out` (crd, x), 1 `skip`, 2 `bound` (hints).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    /// Lower end of the kept coordinates.
    pub lo: SpanEnd,
    /// Upper end of the kept coordinates. At least one of them is a bound.
    pub hi: SpanEnd,
    /// Width of an integer bound in bits.
    pub bound_w: u32,
    /// Whether bounds are in two's complement.
    pub signed: bool,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the payload that accompanies a coordinate, in bits.
    pub x_w: u32,
    /// Width of the stop field of all streams in bits; at most `bound_w` and `crd_w`.
    pub stop_w: u32,
    /// Width of a fiber's number in a hint in bits.
    pub tag_w: u32,
}

impl Primitive for Between {
    fn kind(&self) -> &'static str {
        "between"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_between",
            params: vec![
                ("LO", Param::Int(self.lo.code())),
                ("HI", Param::Int(self.hi.code())),
                ("BOUND_W", Param::Int(self.bound_w)),
                ("SIGNED", Param::Int(u32::from(self.signed))),
                ("CRD_W", Param::Int(self.crd_w)),
                ("X_W", Param::Int(self.x_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("TAG_W", Param::Int(self.tag_w)),
                ("AHEAD_LOG2", Param::Int(AHEAD_LOG2)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let fields = bound_fields(self.lo, self.hi, self.bound_w);
        let pair = [Field::new("crd", self.crd_w), Field::new("x", self.x_w)];
        let hint = hint_fields(self.tag_w, self.crd_w);
        vec![
            Port::stream("bounds", Dir::In, self.stop_w, &fields),
            Port::stream("in", Dir::In, self.stop_w, &pair),
            Port::stream("out", Dir::Out, self.stop_w, &pair),
            Port::plain("skip", Dir::Out, &hint).with_role(Role::Hint),
            Port::plain("bound", Dir::Out, &hint).with_role(Role::Hint),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(BetweenModel {
            of: self.clone(),
            bounds: Skid::default(),
            ahead: Queue::new(AHEAD_LOG2),
            input: Skid::default(),
            near: None,
            hold: HoldBack::default(),
            fibers: [0; 2],
            told: false,
        })
    }
    fn latency(&self) -> u32 {
        4
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        let ends = [(self.lo, "from"), (self.hi, "to")].into_iter().filter(|(end, _)| end.is_bound());
        let words: Vec<&str> = ends.map(|(_, word)| word).collect();
        format!("{} a bound", words.join(" and "))
    }
}

/// The coordinates `from ..= to`, or none.
#[derive(Debug, Clone, Copy)]
struct Interior {
    none: bool,
    from: u64,
    to: u64,
    /// Coordinates beyond `to` can come.
    ends: bool,
}

#[derive(Debug)]
struct BetweenModel {
    of: Between,
    bounds: Skid,
    /// What is kept of the fibers that come.
    ahead: Queue<Interior>,
    input: Skid,
    /// A beat, and whether it stays.
    near: Option<(Beat, bool)>,
    hold: HoldBack<Beat>,
    /// Numbers of the next fiber at `bounds` and of the current one.
    fibers: [u64; 2],
    /// The scanner has been told where what is needed of it begins.
    told: bool,
}

impl BetweenModel {
    fn negative(&self, bound: u64) -> bool {
        self.of.signed && bound >> (self.of.bound_w - 1) & 1 != 0
    }

    /// What a beat of bounds leaves.
    fn kept(&self, b: &Beat) -> Interior {
        let (lo, hi) = (b.p[0], if self.of.lo.is_bound() { b.p[1] } else { b.p[0] });
        let last = mask(self.of.crd_w);
        let mut kept = Interior { none: b.kind != Kind::Data, from: 0, to: last, ends: false };
        if self.of.lo.is_bound() && !self.negative(lo) {
            let open = u64::from(self.of.lo == SpanEnd::Open);
            kept.none |= lo > last - open;
            kept.from = lo.wrapping_add(open) & last;
        }
        if self.of.hi.is_bound() {
            let open = u64::from(self.of.hi == SpanEnd::Open);
            kept.none |= self.negative(hi) || hi < open;
            if hi <= last {
                kept.to = hi.wrapping_sub(open) & last;
                kept.ends = true;
            }
        }
        kept
    }

    /// A hint of fiber `fiber` at output `port`, unless the last one waits there.
    fn hint(io: &mut Io, port: usize, fiber: u64, crd: u64) -> bool {
        let free = io.free(port);
        if free {
            io.put(port, Beat::pair(0, fiber, crd));
        }
        free
    }

    /// The next fiber's number at `side`.
    fn next(&mut self, side: usize) {
        self.fibers[side] = (self.fibers[side] + 1) & mask(self.of.tag_w);
    }
}

impl Model for BetweenModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        let free = io.free(0);
        let room = self.hold.room(free);
        let shifts = self.near.is_none() || room;
        let left = match self.near {
            Some((b, stays)) if room => self.hold.filter(b, stays, free),
            _ => self.hold.idle(free),
        };
        moved |= left.is_some() || (self.near.is_some() && room);
        if let Some((b, stop)) = left {
            io.put(0, Beat { stop, ..b });
        }
        if shifts {
            moved |= self.near.is_some();
            self.near = None;
            if let (Some(&b), Some(&kept)) = (self.input.head(), self.ahead.head()) {
                let ends = b.stop > 0 || !b.is_leaf();
                let before = b.p[0] < kept.from;
                if b.is_leaf() && !ends && !kept.none && before && !self.told {
                    self.told = Self::hint(io, 1, self.fibers[1], kept.from);
                }
                let inside = !kept.none && !before && b.p[0] <= kept.to;
                self.near = Some((b, inside || !b.is_leaf()));
                self.input.pop();
                if ends {
                    self.ahead.pop();
                    self.told = false;
                    self.next(1);
                }
                moved = true;
            }
        }
        if let (true, Some(&b)) = (self.ahead.room(), self.bounds.head()) {
            let kept = self.kept(&b);
            if kept.none || kept.ends {
                Self::hint(io, 2, self.fibers[0], if kept.none { 0 } else { kept.to });
            }
            self.ahead.push(kept);
            self.bounds.pop();
            self.next(0);
            moved = true;
        }
        moved |= self.ahead.clock();
        moved |= self.bounds.clock(io, 0);
        moved |= self.input.clock(io, 1);
        Ok(moved)
    }
}
