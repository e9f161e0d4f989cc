#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::write::value_writer::{Append, FINISHED, Item, Placer, RunSkid, end_ports, write_port};
use samhw_streams::{Beat, Bulk, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Word};
use samhw_values::mask;

/// A writer, which stores a bitvector level. Inputs: 0 `crd`, 1 `pos` (if `chain` > 0). Outputs: 0 `bits_write`, 1
/// `rank_write`, 2 `finished`. Config: 0 `capacity`, 1 `chunk`, 2 `words` (if `chain` > 0). Status: 0 `count`, 1
/// `overflow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitsWriter {
    /// Width of a word in bits: a power of two, 8 to 256.
    pub width: u32,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the parents' positions in bits.
    pub ref_in_w: u32,
    /// Width of addresses of words in bits; `capacity`, `words` and `chunk` are below `2^addr_w`.
    pub addr_w: u32,
    /// Width of a rank in bits.
    pub ref_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// Number of dense levels above that determine positions; 0 appends fibers in order.
    pub chain: u32,
    /// Whether a chunk (without positions: a fiber) without leaves gets no words, because it has no parent either.
    pub skip_empty: bool,
}

impl Primitive for BitsWriter {
    fn kind(&self) -> &'static str {
        "bits_writer"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Words
    }
    fn instance(&self) -> Instance {
        let at = self.chain > 0;
        let params = [
            (true, "WIDTH", self.width),
            (true, "WIDTH_LOG2", self.width.trailing_zeros()),
            (true, "CRD_W", self.crd_w),
            (at, "REF_IN_W", self.ref_in_w),
            (true, "ADDR_W", self.addr_w),
            (true, "REF_W", self.ref_w),
            (true, "STOP_W", self.stop_w),
            (at, "CHAIN", self.chain),
            (true, "SKIP", u32::from(self.skip_empty)),
        ];
        let params = params.into_iter().filter(|p| p.0).map(|(_, name, n)| (name, Param::Int(n))).collect();
        Instance { module: if at { "samhw_bits_writer_at" } else { "samhw_bits_writer" }, params }
    }
    fn ports(&self) -> Vec<Port> {
        let stream = |name, field, width| Port::stream(name, Dir::In, self.stop_w, &[Field::new(field, width)]);
        let mut ports = vec![Port::config("capacity", self.addr_w), Port::config("chunk", self.addr_w)];
        if self.chain > 0 {
            ports.push(Port::config("words", self.addr_w));
        }
        ports.push(stream("crd", "crd", self.crd_w));
        if self.chain > 0 {
            ports.push(stream("pos", "ref", self.ref_in_w));
        }
        ports.push(write_port("bits_write", self.addr_w, self.width));
        ports.push(write_port("rank_write", self.addr_w, self.ref_w));
        ports.extend(end_ports(self.addr_w));
        ports
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let array = |port| Append::new(port, self.addr_w, config[0], false);
        Box::new(WriterModel {
            of: self.clone(),
            words: config.get(2).copied().unwrap_or(0),
            crd: RunSkid::default(),
            pos: Skid::default(),
            base: None,
            held: None,
            out: None,
            leaves: 0,
            placer: Placer::new(self.chain + 1, self.addr_w, config[1], self.skip_empty),
            arrays: [array(0), array(1)],
        })
    }
    fn latency(&self) -> u32 {
        4
    }
    fn describe(&self) -> String {
        let below = if self.chain > 0 { format!(" below {} dense", self.chain) } else { String::new() };
        let skip = if self.skip_empty { ", no empty lists" } else { "" };
        format!("words of {}{below}{skip}", self.width)
    }
}

/// Handshake output `finished`.
const TOKEN: usize = 2;

/// A word that is filled, or a list without.
#[derive(Debug, Clone, Copy)]
struct HeldWord {
    /// Kind, stop and place, as the placer takes them.
    beat: Beat,
    word: Word,
    rank: u64,
    /// Its fiber has ended.
    last: bool,
}

#[derive(Debug)]
struct WriterModel {
    of: BitsWriter,
    words: u64,
    crd: RunSkid,
    pos: Skid,
    /// The head of the positions, and the first word of its fiber.
    base: Option<(Beat, u64)>,
    held: Option<HeldWord>,
    out: Option<HeldWord>,
    leaves: u64,
    placer: Placer,
    arrays: [Append; 2],
}

impl WriterModel {
    fn aligned(&self, c: &Beat) -> Result<(), Fault> {
        let Some((p, _)) = self.base else { return Ok(()) };
        let fiber = c.is_leaf() || c.kind == Kind::Nil && c.hole() == 1;
        if p.is_leaf() != fiber || c.kind != Kind::Done && p.stop + 1 != c.stop {
            return Err(Fault { what: "crd and pos are not aligned", port: "pos".into(), beat: p });
        }
        Ok(())
    }

    /// Takes the head of the coordinates if there is room, where the register behind the held word is `free`. What
    /// leaves for it.
    fn pack(&mut self, free: bool) -> Result<(bool, Option<HeldWord>), Fault> {
        let settled = self.held.filter(|h| free && h.last);
        let head = self.crd.head().copied().filter(|c| c.kind != Kind::Done);
        let based = self.of.chain == 0 || self.base.is_some();
        let Some(c) = head.filter(|_| based) else {
            if settled.is_some() {
                self.held = None;
            }
            return Ok((false, settled));
        };
        let width = u64::from(self.of.width);
        let base = self.base.map_or(0, |(_, base)| base);
        let place = if c.is_leaf() { (base + c.p[0] / width) & mask(self.of.addr_w) } else { c.p[0] };
        let open = self.held.filter(|h| !h.last && c.is_leaf());
        if open.is_some_and(|h| place < h.beat.p[0]) {
            return Err(Fault { what: "coordinates must increase in their fiber", port: "crd".into(), beat: c });
        }
        let same = open.filter(|h| h.beat.p[0] == place);
        if same.is_none() && self.held.is_some() && !free {
            return Ok((false, None));
        }
        if !c.is_leaf() && self.held.is_some_and(|h| !h.last) {
            return Err(Fault { what: "an empty list in one that has leaves", port: "crd".into(), beat: c });
        }
        let ends = c.stop > 0;
        if ends {
            self.aligned(&c)?;
            self.base = None;
        }
        let beat = Beat { p: [place, 0], ..c };
        let out = if same.is_some() { None } else { self.held };
        let mut held = same.unwrap_or(HeldWord { beat, word: Word::default(), rank: self.leaves, last: ends });
        held.word.set(c.p[0] % width);
        self.held = Some(HeldWord { beat, last: ends, ..held });
        self.leaves += u64::from(c.is_leaf());
        self.crd.pop();
        Ok((true, out))
    }
}

impl Model for WriterModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = self.arrays.iter().all(|a| a.free(io));
        let done = self.crd.head().is_some_and(|c| c.kind == Kind::Done)
            && self.held.is_none()
            && (self.of.chain == 0 || self.base.is_some());
        let item = self.out.map(|h| h.beat).or(done.then_some(Beat::DONE));
        let ready = self.out.is_some() || free && io.free(TOKEN);
        let placed = self.placer.step(item.as_ref(), Item { ready, bare: false }, free)?;
        if placed.push {
            let data = self.out.filter(|_| !placed.gap).map_or([0, 0], |h| [h.word.payload(self.of.width), h.rank]);
            self.arrays.iter_mut().zip(data).for_each(|(a, d)| a.push(io, d));
        }
        let finish = placed.pop && self.out.is_none();
        let out_free = self.out.is_none() || placed.pop;
        let (taken, left) = self.pack(out_free)?;
        if finish {
            self.aligned(&Beat::DONE)?;
            io.put(TOKEN, FINISHED);
            self.crd.pop();
            self.base = None;
        }
        if out_free {
            self.out = left;
        }
        let mut moved = taken | placed.push | placed.pop | left.is_some();
        if self.of.chain > 0 {
            if let (None, Some(&p)) = (self.base, self.pos.head()) {
                self.base = Some((p, p.p[0].wrapping_mul(self.words) & mask(self.of.addr_w)));
                self.pos.pop();
                moved = true;
            }
            moved |= self.pos.clock(io, 1);
        }
        let clocked = self.crd.clock(io, 0);
        if clocked.start {
            self.arrays.iter_mut().for_each(|a| a.start(io));
            self.leaves = 0;
        }
        Ok(moved | clocked.moved)
    }
    fn status(&self, k: usize) -> u64 {
        [self.arrays[0].count, u64::from(self.arrays[0].overflow)][k]
    }
}
