#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::scan::runs_unpack::word_w;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Rate};
use samhw_values::mask;

/// A packer, which combines consecutive coordinates into runs. Inputs: 0 `crd`, and with shared values 1 `val`.
/// Outputs: 0 `run`, and 1 `out`, the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunsPack {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width in bits of the number of coordinates before a run; not with shared values.
    pub ref_w: u32,
    /// Width of a value in bits, if the coordinates of a run share one.
    pub shared: Option<u32>,
    /// Whether the inputs are intervals of one value each rather than coordinates; with shared values only.
    pub intervals: bool,
    /// Width of the stop field in bits; at most `crd_w`, and the bits of a value.
    pub stop_w: u32,
}

impl Primitive for RunsPack {
    fn kind(&self) -> &'static str {
        "runs_pack"
    }
    fn instance(&self) -> Instance {
        let mut params = vec![("CRD_W", Param::Int(self.crd_w))];
        match self.shared {
            Some(val_w) => params.push(("VAL_W", Param::Int(val_w))),
            None => params.push(("REF_W", Param::Int(self.ref_w))),
        }
        params.push(("STOP_W", Param::Int(self.stop_w)));
        if self.intervals {
            params.push(("INTERVALS", Param::Int(1)));
        }
        let module = if self.shared.is_some() { "samhw_runs_pack" } else { "samhw_blocks_pack" };
        Instance { module, params }
    }
    fn ports(&self) -> Vec<Port> {
        let port = |name: &'static str, dir, field| Port::stream(name, dir, self.stop_w, &[field]);
        let word = Field::new("word", word_w(self.crd_w, self.ref_w, self.shared.is_some()));
        let val = |name: &'static str, dir| self.shared.map(|val_w| port(name, dir, Field::new("val", val_w)));
        let came = if self.intervals { Field::new("interval", 2 * self.crd_w) } else { Field::new("crd", self.crd_w) };
        let crd = port("crd", Dir::In, came);
        let all = [Some(crd), val("val", Dir::In), Some(port("run", Dir::Out, word)), val("out", Dir::Out)];
        all.into_iter().flatten().collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(PackModel {
            crd_w: self.crd_w,
            shared: self.shared.is_some(),
            intervals: self.intervals,
            crd: Skid::default(),
            val: Skid::default(),
            held: None,
            count: 0,
        })
    }
    fn latency(&self) -> u32 {
        3
    }
    fn rate(&self) -> Rate {
        Rate::Filters
    }
    fn describe(&self) -> String {
        if self.shared.is_some() { "runs".into() } else { "blocks".into() }
    }
}

/// The run that more coordinates may join, until it is settled.
#[derive(Debug, Clone, Copy)]
struct HeldRun {
    /// As its first coordinate came; the stop is its last one's.
    beat: Beat,
    last: u64,
    base: u64,
    value: u64,
}

impl HeldRun {
    fn settled(&self) -> bool {
        self.beat.kind != Kind::Data || self.beat.stop > 0
    }
}

#[derive(Debug)]
struct PackModel {
    crd_w: u32,
    shared: bool,
    intervals: bool,
    crd: Skid,
    val: Skid,
    held: Option<HeldRun>,
    /// Coordinates since DONE.
    count: u64,
}

impl PackModel {
    /// The coordinate that is there, with its value.
    fn head(&self) -> Result<Option<(Beat, u64)>, Fault> {
        let Some(&c) = self.crd.head() else { return Ok(None) };
        if !self.shared {
            return Ok(Some((c, 0)));
        }
        let Some(&v) = self.val.head() else { return Ok(None) };
        if c.kind != v.kind || c.stop != v.stop {
            return Err(Fault { what: "crd and val are not aligned", port: "val".into(), beat: v });
        }
        Ok(Some((c, v.p[0])))
    }

    fn leave(&self, io: &mut Io, h: HeldRun) {
        let word = match h.beat.kind {
            Kind::Data => [h.base, h.last].into_iter().fold(0, |w, x| (w | x) << self.crd_w) | h.beat.p[0],
            _ => h.beat.p[0],
        };
        io.put(0, Beat { p: [word, 0], ..h.beat });
        if self.shared {
            io.put(1, Beat { p: [h.value, 0], ..h.beat });
        }
    }

    /// First and last coordinate of what came.
    fn ends(&self, c: Beat) -> (u64, u64) {
        let first = c.p[0] & mask(self.crd_w);
        (first, if self.intervals && c.kind == Kind::Data { c.p[0] >> self.crd_w } else { first })
    }

    fn take(&mut self, c: Beat, value: u64, joined: Option<HeldRun>) {
        let (first, last) = self.ends(c);
        let beat = Beat { p: [first, 0], ..c };
        self.held = Some(match joined {
            Some(h) => HeldRun { beat: Beat { stop: c.stop, ..h.beat }, last, ..h },
            None => HeldRun { beat, last, base: if self.shared { 0 } else { self.count }, value },
        });
        match c.kind {
            Kind::Data => self.count += 1,
            Kind::Done => self.count = 0,
            _ => {}
        }
        self.crd.pop();
        if self.shared {
            self.val.pop();
        }
    }
}

impl Model for PackModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let head = self.head()?;
        let growing = self.held.filter(|h| !h.settled());
        if let (Some(h), Some((c, _))) = (growing, head)
            && self.ends(c).0 <= h.last
        {
            return Err(Fault { what: "coordinates of a list do not rise", port: "crd".into(), beat: c });
        }
        let joined = growing.filter(|h| head.is_some_and(|(c, v)| self.ends(c).0 == h.last + 1 && v == h.value));
        let free = io.free(0) && (!self.shared || io.free(1));
        let leaves = self.held.filter(|h| free && (h.settled() || head.is_some() && joined.is_none()));
        let room = joined.is_some() || self.held.is_none() || free;
        if let Some(h) = leaves {
            self.leave(io, h);
            self.held = None;
        }
        let taken = head.filter(|_| room);
        if let Some((c, value)) = taken {
            self.take(c, value, joined);
        }
        let mut moved = leaves.is_some() || taken.is_some();
        moved |= self.crd.clock(io, 0);
        if self.shared {
            moved |= self.val.clock(io, 1);
        }
        Ok(moved)
    }
}
