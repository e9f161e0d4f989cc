#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Fold, Skid};
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A stitch, which combines partial sums at the border of two lanes. Inputs: `in0` the lane's items, `in1` what the
/// next lane gives back (if there is one). Outputs: `out0` the lane's items, `out1` what goes back to the previous lane
/// (if there is one).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stitch {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Operator that combines two partial sums.
    pub op: Fold,
    /// Width of a value in bits.
    pub val_w: u32,
    /// Whether values are in two's complement, which matters to min and max.
    pub signed: bool,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
    /// Whether a lane follows.
    pub next: bool,
    /// Whether a lane precedes.
    pub prev: bool,
}

impl Primitive for Stitch {
    fn kind(&self) -> &'static str {
        "stitch"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Merges
    }
    fn instance(&self) -> Instance {
        let mut instance = Instance {
            module: "samhw_stitch",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("VAL_W", Param::Int(self.val_w)),
                ("STOP_W", Param::Int(self.stop_w)),
                ("NEXT", Param::Int(u32::from(self.next))),
                ("PREV", Param::Int(u32::from(self.prev))),
            ],
        };
        instance.params.extend(self.op.params(self.signed));
        instance
    }
    fn ports(&self) -> Vec<Port> {
        let fields = [Field::new("crd", self.crd_w), Field::new("val", self.val_w)];
        let width = 2 + self.stop_w + self.crd_w + self.val_w;
        let side = |name: &'static str, dir, more: bool| {
            let count = 1 + u32::from(more);
            let fields = fields.clone();
            (0..count).map(move |k| {
                Port::stream(format!("{name}{k}"), dir, self.stop_w, &fields).in_lane(name, k, count, width)
            })
        };
        side("in", Dir::In, self.next).chain(side("out", Dir::Out, self.prev)).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let (own, next) = (Skid::default(), Skid::default());
        Box::new(StitchModel {
            p: self.clone(),
            own,
            next,
            held: None,
            first: true,
            phase: Phase::Items,
            under_way: None,
        })
    }
    fn latency(&self) -> u32 {
        3
    }
    fn silence(&self) -> u64 {
        self.op.silence().unwrap_or(64)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The lane's items pass.
    Items,
    /// The lane's list is over; the next lane's item is awaited.
    Ending,
    /// What is held is the last.
    Last,
}

#[derive(Debug)]
struct StitchModel {
    p: Stitch,
    own: Skid,
    next: Skid,
    /// The newest item: coordinate and value.
    held: Option<[u64; 2]>,
    /// Nothing has left yet: what is held goes to the previous lane.
    first: bool,
    phase: Phase,
    /// The sum at the border and the cycles until it is there, once its parts are.
    under_way: Option<(u64, u64)>,
}

impl StitchModel {
    /// The sum of what is held and what comes back; `None` while it is under way.
    fn folded(&mut self, held: u64, back: u64) -> Option<u64> {
        let (value, left) = match self.under_way {
            Some((value, left)) => (value, left.saturating_sub(1)),
            None => self.p.op.run(held, back, self.p.val_w, self.p.signed),
        };
        self.under_way = (left > 0).then_some((value, left));
        (left == 0).then_some(value)
    }

    /// The output of what is held.
    fn side(&self) -> usize {
        usize::from(self.p.prev && self.first)
    }

    /// Sends what is held, not as the last of this lane, and holds `item`.
    fn hold(&mut self, io: &mut Io, item: [u64; 2]) {
        if let Some(p) = self.held.replace(item) {
            let side = self.side();
            io.put(side, Beat::new(Kind::Data, side as u8, p));
            self.first = false;
        }
    }

    fn room(&self, io: &Io) -> bool {
        self.held.is_none() || io.free(self.side())
    }

    fn step(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (own, next) = (self.own.head().copied(), self.next.head().copied());
        match self.phase {
            Phase::Items => match own {
                Some(b) if b.is_leaf() && self.room(io) => {
                    if b.kind == Kind::Empty || b.stop > 1 {
                        return Err(Fault { what: "no item of a list of sums", port: "in0".into(), beat: b });
                    }
                    self.hold(io, b.p);
                    self.own.pop();
                    if b.stop > 0 {
                        self.phase = Phase::Ending;
                    }
                }
                Some(b) if b.kind == Kind::Nil => {
                    self.own.pop();
                    self.phase = Phase::Ending;
                }
                Some(b) if b.kind == Kind::Done && io.free(0) && (!self.p.prev || io.free(1)) => {
                    io.put(0, Beat::DONE);
                    if self.p.prev {
                        io.put(1, Beat::DONE);
                    }
                    self.own.pop();
                }
                _ => return Ok(false),
            },
            Phase::Ending => match next {
                _ if !self.p.next => self.phase = Phase::Last,
                Some(b) if b.is_leaf() => {
                    match self.held {
                        Some([crd, val]) if crd == b.p[0] => {
                            let Some(val) = self.folded(val, b.p[1]) else { return Ok(true) };
                            self.held = Some([crd, val]);
                        }
                        _ if !self.room(io) => return Ok(false),
                        _ => self.hold(io, b.p),
                    }
                    self.next.pop();
                    self.phase = Phase::Last;
                }
                Some(b) if b.kind == Kind::Nil => {
                    self.next.pop();
                    self.phase = Phase::Last;
                }
                _ => return Ok(false),
            },
            Phase::Last => {
                let back = self.side() == 1;
                if !io.free(0) || back && !io.free(1) {
                    return Ok(false);
                }
                let item = self.held.take().map_or(Beat::nil(1, 1), |p| Beat::new(Kind::Data, 1, p));
                if back {
                    io.put(1, item);
                    io.put(0, Beat::nil(1, 1));
                } else {
                    io.put(0, item);
                }
                (self.first, self.phase) = (true, Phase::Items);
            }
        }
        Ok(true)
    }
}

impl Model for StitchModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        // Nothing waits for the next lane's DONE.
        let drop = self.next.head().is_some_and(|n| n.kind == Kind::Done);
        let mut moved = self.step(io)?;
        if drop {
            self.next.pop();
            moved = true;
        }
        moved |= self.own.clock(io, 0);
        if self.p.next {
            moved |= self.next.clock(io, 1);
        }
        Ok(moved)
    }
}
