#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::copies::parallelizer::turn_width;
use samhw_streams::{Beat, Bulk, Class, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// A serializer, which merges the items of copies in order. Inputs: 0 `turn`, then `in0`, `in1` ... of the copies.
/// Output: 0 `out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Serializer {
    /// Payload field of the streams.
    pub field: Field,
    /// Number of copies, at least 2.
    pub copies: u32,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
    /// Height of the items.
    pub height: u8,
}

impl Primitive for Serializer {
    fn kind(&self) -> &'static str {
        "serializer"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Merges
    }
    fn class(&self) -> Class {
        Class::Serializer { copies: self.copies, height: self.height.into() }
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_serializer",
            params: vec![
                ("COPIES", Param::Int(self.copies)),
                ("W", Param::Int(self.field.width)),
                ("TURN_W", Param::Int(turn_width(self.copies, self.stop_w))),
                ("STOP_W", Param::Int(self.stop_w)),
                ("HEIGHT", Param::Int(self.height.into())),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let turn = Field::new("copy", turn_width(self.copies, self.stop_w));
        let width = 2 + self.stop_w + self.field.width;
        let of = |name, dir| Port::stream(name, dir, self.stop_w, std::slice::from_ref(&self.field));
        let mut ports = vec![Port::stream("turn", Dir::In, self.stop_w, &[turn])];
        ports.extend((0..self.copies).map(|c| of(format!("in{c}"), Dir::In).in_lane("in", c, self.copies, width)));
        ports.push(of("out".into(), Dir::Out));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let copies = (0..self.copies).map(|_| Skid::default()).collect();
        Box::new(SerializerModel { turn: Skid::default(), copies, height: self.height })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("{} copies", self.copies)
    }
}

#[derive(Debug)]
struct SerializerModel {
    turn: Skid,
    copies: Vec<Skid>,
    height: u8,
}

impl Model for SerializerModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (h, mut moved) = (self.height, false);
        let heads: Vec<Option<Beat>> = self.copies.iter().map(|s| s.head().copied()).collect();
        let bare = |b: &Beat| b.kind == Kind::Nil && b.hole() > h;
        let mut pops: Vec<bool> = heads.iter().map(|b| b.as_ref().is_some_and(bare)).collect();
        if let (true, Some(&turn)) = (io.free(0), self.turn.head()) {
            let mut out = None;
            match turn.kind {
                Kind::Done if heads.iter().all(|b| b.is_some_and(|b| b.kind == Kind::Done)) => {
                    pops.fill(true);
                    out = Some((Beat::DONE, true));
                }
                Kind::Nil => out = Some((Beat::nil(turn.stop + h, turn.hole() + h), true)),
                Kind::Data | Kind::Empty => {
                    let c = turn.p[0] as usize;
                    if let Some(b) = heads.get(c).copied().flatten().filter(|b| !bare(b)) {
                        if b.kind == Kind::Done {
                            return Err(Fault { what: "a copy ends before its turn", port: format!("in{c}"), beat: b });
                        }
                        let ends = b.stop >= h;
                        pops[c] = true;
                        out = Some((Beat { stop: if ends { h + turn.stop } else { b.stop }, ..b }, ends));
                    }
                }
                Kind::Done => {}
            }
            if let Some((beat, turns)) = out {
                io.put(0, beat);
                moved = true;
                if turns {
                    self.turn.pop();
                }
            }
        }
        moved |= self.turn.clock(io, 0);
        for (c, (skid, pop)) in self.copies.iter_mut().zip(pops).enumerate() {
            if pop {
                skid.pop();
            }
            moved |= skid.clock(io, 1 + c);
        }
        Ok(moved)
    }
}
