#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::write::value_writer::{Append, FINISHED, RunSkid, end_ports, write_port};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A list writer, which stores coordinates as linked lists, one for each position above, in the order in which they come.
/// Inputs: 0 `crd`, 1 `pos`. Outputs: 0 `seg_write`, 1 `crd_write`, 2 `next_write`, 3 `finished`. Config: 0
/// `crd_capacity`, 1 `chunk`. Status: 0 `count`, 1 `overflow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListWriter {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the positions above in bits; `chunk < 2^ref_in_w`.
    pub ref_in_w: u32,
    /// Width of a place in bits, an address of `crd` and `next`; at most 32, and `crd_capacity < 2^ref_w`.
    pub ref_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// Most positions above; `chunk` is at most this.
    pub words: u32,
}

impl ListWriter {
    /// Returns the number of lists whose ends the module remembers: those that positions can reach.
    fn lists(&self) -> u32 {
        self.words.clamp(2, 1u32.checked_shl(self.ref_in_w).unwrap_or(u32::MAX))
    }
}

impl Primitive for ListWriter {
    fn kind(&self) -> &'static str {
        "list_writer"
    }
    fn instance(&self) -> Instance {
        let params = vec![
            ("CRD_W", Param::Int(self.crd_w)),
            ("REF_IN_W", Param::Int(self.ref_in_w)),
            ("REF_W", Param::Int(self.ref_w)),
            ("STOP_W", Param::Int(self.stop_w)),
            ("WORDS", Param::Int(self.lists())),
        ];
        Instance { module: "samhw_list_writer", params }
    }
    fn ports(&self) -> Vec<Port> {
        let ports = vec![
            Port::config("crd_capacity", self.ref_w),
            Port::config("chunk", self.ref_in_w),
            Port::stream("crd", Dir::In, self.stop_w, &[Field::new("crd", self.crd_w)]),
            Port::stream("pos", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)]),
            write_port("seg_write", self.ref_in_w, 2 * self.ref_w),
            write_port("crd_write", self.ref_w, self.crd_w),
            write_port("next_write", self.ref_w, self.ref_w),
        ];
        ports.into_iter().chain(end_ports(self.ref_w)).collect()
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        Box::new(ListWriterModel {
            crd: RunSkid::default(),
            pos: Skid::default(),
            array: Append::new(CRD, self.ref_w, config[0], false),
            capacity: config[0] & mask(self.ref_w),
            chunk: config[1] & mask(self.ref_in_w),
            hole: mask(self.stop_w),
            ref_w: self.ref_w,
            cleared: None,
            held: None,
            next: None,
            ends: vec![[0; 2]; self.lists() as usize],
        })
    }
    fn latency(&self) -> u32 {
        4
    }
    fn describe(&self) -> String {
        "linked lists in any order".into()
    }
}

/// Handshake outputs.
const SEG: usize = 0;
const CRD: usize = 1;
const NEXT: usize = 2;
const TOKEN: usize = 3;

#[derive(Debug)]
struct ListWriterModel {
    crd: RunSkid,
    pos: Skid,
    array: Append,
    capacity: u64,
    chunk: u64,
    hole: u64,
    ref_w: u32,
    /// The lists that are empty already, while a run begins.
    cleared: Option<u64>,
    /// A coordinate and its position, whose list's ends are read.
    held: Option<[u64; 2]>,
    /// The one that is written next.
    next: Option<[u64; 2]>,
    /// For each list the place of its first coordinate and that behind its last one, which is 0 if it has none.
    ends: Vec<[u64; 2]>,
}

impl ListWriterModel {
    fn free(io: &Io) -> bool {
        [SEG, CRD, NEXT].into_iter().all(|k| io.free(k))
    }

    fn write_ends(&self, io: &mut Io, pos: u64, [begin, end]: [u64; 2]) {
        io.put(SEG, Beat::pair(0, pos, end << self.ref_w | begin));
    }

    /// Writes a coordinate at the end of its list.
    fn append(&mut self, io: &mut Io, [crd, pos]: [u64; 2]) {
        let place = self.array.count;
        let fits = !self.array.overflow && place != self.capacity;
        self.array.push(io, crd);
        let Some(ends) = self.ends.get_mut(pos as usize).filter(|_| fits) else { return };
        let [first, behind] = *ends;
        *ends = [if behind == 0 { place } else { first }, place + 1];
        let ends = *ends;
        self.write_ends(io, pos, ends);
        if behind != 0 {
            io.put(NEXT, Beat::pair(0, behind - 1, place));
        }
    }

    fn check(&self, c: &Beat, p: &Beat) -> Result<(), Fault> {
        let fault = |what| Err(Fault { what, port: "pos".into(), beat: *p });
        let same =
            if c.is_leaf() { p.kind == Kind::Data } else { c.kind == p.kind && (c.p[0] ^ p.p[0]) & self.hole == 0 };
        if !same || c.stop != p.stop {
            return fault("crd and pos are not aligned");
        }
        if c.is_leaf() && p.p[0] >= self.chunk {
            return fault("a coordinate without a position above");
        }
        Ok(())
    }
}

impl Model for ListWriterModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let idle = self.held.is_none() && self.next.is_none();
        let (rest, mut moved) = (idle && Self::free(io) && io.free(TOKEN), false);
        if Self::free(io)
            && let Some(next) = self.next.take()
        {
            self.append(io, next);
            moved = true;
        }
        if self.next.is_none() && self.held.is_some() {
            self.next = self.held.take();
            moved = true;
        }
        if let Some(pos) = self.cleared {
            if io.free(SEG) {
                self.write_ends(io, pos, [0; 2]);
                self.ends.iter_mut().skip(pos as usize).take(1).for_each(|ends| *ends = [0; 2]);
                self.cleared = Some(pos + 1).filter(|next| *next != self.chunk);
                moved = true;
            }
        } else if let (Some(&c), Some(&p)) = (self.crd.head(), self.pos.head()) {
            let takes = match c.kind {
                Kind::Data | Kind::Empty => self.held.is_none(),
                Kind::Nil => true,
                Kind::Done => rest,
            };
            if takes {
                self.check(&c, &p)?;
                if c.is_leaf() {
                    self.held = Some([c.p[0], p.p[0]]);
                }
                if c.kind == Kind::Done {
                    io.put(TOKEN, FINISHED);
                }
                self.crd.pop();
                self.pos.pop();
            }
        }
        let clocked = self.crd.clock(io, 0);
        if clocked.start {
            self.array.start(io);
            self.cleared = (self.chunk != 0).then_some(0);
        }
        Ok(clocked.moved | self.pos.clock(io, 1) | moved)
    }
    fn status(&self, k: usize) -> u64 {
        [self.array.count, u64::from(self.array.overflow)][k]
    }
}
