#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{FiberOver, Skid};
use crate::join::joiner::hint_fields;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate, Role};
use samhw_values::mask;

/// An unpacker, which expands runs to coordinates. Inputs: 0 `in` (word, ref), and 1 `skip` (hints) where
/// an early exit ends fibers. Output: 0 `out` (crd, ref).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsUnpack {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a position in bits.
    pub ref_w: u32,
    /// Width of a run's own number in bits; with `shared` that is its position, of `ref_w` bits.
    pub at_w: u32,
    /// Whether all coordinates of a run share its position; otherwise the word has the position of the first, and the
    /// others follow.
    pub shared: bool,
    /// Width of the stop field in bits; at most `crd_w`.
    pub stop_w: u32,
    /// Width of a fiber's number in the hints that end it, in bits; 0 for no hints.
    pub tag_w: u32,
}

/// Width of the word of a run in bits.
pub fn word_w(crd_w: u32, ref_w: u32, shared: bool) -> u32 {
    2 * crd_w + if shared { 0 } else { ref_w }
}

impl Primitive for RunsUnpack {
    fn kind(&self) -> &'static str {
        "runs_unpack"
    }
    fn instance(&self) -> Instance {
        let mut params = vec![
            ("CRD_W", Param::Int(self.crd_w)),
            ("REF_W", Param::Int(self.ref_w)),
            ("AT_W", Param::Int(self.at_w)),
            ("SHARED", Param::Int(self.shared.into())),
            ("STOP_W", Param::Int(self.stop_w)),
        ];
        if self.tag_w == 0 {
            return Instance { module: "samhw_runs_unpack", params };
        }
        params.push(("TAG_W", Param::Int(self.tag_w)));
        Instance { module: "samhw_runs_unpack_exit", params }
    }
    fn ports(&self) -> Vec<Port> {
        let f = Field::new;
        let word = f("word", word_w(self.crd_w, self.ref_w, self.shared));
        let mut ports = vec![Port::stream("in", Dir::In, self.stop_w, &[word, f("ref", self.at_w)])];
        if self.tag_w > 0 {
            ports.push(Port::plain("skip", Dir::In, &hint_fields(self.tag_w, self.crd_w)).with_role(Role::Hint));
        }
        ports.push(Port::stream("out", Dir::Out, self.stop_w, &[f("crd", self.crd_w), f("ref", self.ref_w)]));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RunsUnpackModel {
            crd_w: self.crd_w,
            shared: self.shared,
            words: Skid::passing(),
            place: 0,
            told: FiberOver::new(self.tag_w),
        })
    }
    fn latency(&self) -> u32 {
        1
    }
    fn rate(&self) -> Rate {
        Rate::Expands
    }
    fn describe(&self) -> String {
        let kind = if self.shared { "runs" } else { "blocks" };
        if self.tag_w > 0 { format!("{kind}, told of early exits") } else { kind.into() }
    }
}

#[derive(Debug)]
struct RunsUnpackModel {
    crd_w: u32,
    shared: bool,
    words: Skid,
    /// Coordinates of the current run that are through already.
    place: u64,
    /// The hints about the current fiber.
    told: FiberOver,
}

impl RunsUnpackModel {
    /// What leaves now, and whether the run ends with it.
    fn next(&self, b: Beat) -> Result<(Beat, bool), Fault> {
        if b.kind != Kind::Data {
            return Ok((b, true));
        }
        let [word, at] = b.p;
        let (first, last) = (word & mask(self.crd_w), word >> self.crd_w & mask(self.crd_w));
        if last < first {
            return Err(Fault { what: "a run ends before it begins", port: "in".into(), beat: b });
        }
        let crd = first + self.place;
        let position = if self.shared { at } else { (word >> (2 * self.crd_w)) + self.place };
        let ends = crd == last || self.told.over();
        Ok((Beat::pair(if ends { b.stop } else { 0 }, crd, position), ends))
    }
}

impl Model for RunsUnpackModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.words.open(io, 0);
        let hint = if self.told.hints() { io.taken(1) } else { None };
        let (mut moved, mut leaves) = (hint.is_some(), false);
        if let (true, Some(&b)) = (io.free(0), self.words.head()) {
            let (beat, ends) = self.next(b)?;
            io.put(0, beat);
            self.place = if ends { 0 } else { self.place + 1 };
            if ends {
                leaves = b.kind != Kind::Data || b.stop > 0;
                self.words.pop();
            }
            moved = true;
        }
        self.told.clock(hint, leaves);
        Ok(self.words.clock(io, 0) | moved)
    }
}
