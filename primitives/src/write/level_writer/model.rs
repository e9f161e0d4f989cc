//! Models of `samhw_level_writer` and `samhw_level_writer_at`.

use super::LevelWriter;
use crate::blocks::Skid;
use crate::write::value_writer::{Append, FINISHED, Item, Placer, RunSkid};
use samhw_streams::{Beat, Fault, Io, Kind, Model};

/// The model of a writer of both arrays.
pub fn new(w: &LevelWriter, config: &[u64]) -> Box<dyn Model> {
    let seg = Append::new(0, w.ref_in_w, config[0], true);
    let arrays = Arrays { seg, crd: Append::new(1, w.ref_w, config[1], false) };
    let (crd, height, some) = (RunSkid::default(), w.seg_height, false);
    if !w.has_positions() {
        return Box::new(LevelAppendModel { crd, arrays, height, skip: w.skip_empty, some });
    }
    let placer = Placer::new(w.chain, w.ref_in_w, config[config.len() - 1], w.skip_empty);
    Box::new(LevelPlaceModel { crd, pos: Skid::default(), arrays, placer, closed: 0, height, some })
}

/// Handshake output `finished`.
const TOKEN: usize = 2;

#[derive(Debug)]
struct Arrays {
    seg: Append,
    crd: Append,
}

impl Arrays {
    fn start(&mut self, io: &mut Io) {
        self.seg.start(io);
        self.crd.start(io);
    }
    /// All writes have left, and the token can be given.
    fn rest(&self, io: &Io) -> bool {
        self.seg.free(io) && self.crd.free(io) && io.free(TOKEN)
    }
    fn status(&self, k: usize) -> u64 {
        [self.crd.count, u64::from(self.seg.overflow || self.crd.overflow)][k]
    }
}

/// True if a list of height `h` ends with `c`.
fn ends_list(c: &Beat, h: u8) -> bool {
    c.stop >= h && (c.is_leaf() || c.kind == Kind::Nil && c.hole() <= h)
}

#[derive(Debug)]
struct LevelAppendModel {
    crd: RunSkid,
    arrays: Arrays,
    /// Height of the lists that have an entry in seg.
    height: u8,
    /// Lists without leaves have none.
    skip: bool,
    /// The current list has a leaf before the head.
    some: bool,
}

impl Model for LevelAppendModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let a = &mut self.arrays;
        if let Some(&c) = self.crd.head() {
            let ends = ends_list(&c, self.height);
            let list = ends && (!self.skip || self.some || c.is_leaf());
            let room = (!c.is_leaf() || a.crd.free(io)) && (!list || a.seg.free(io));
            if room && (c.kind != Kind::Done || a.rest(io)) {
                if c.is_leaf() {
                    a.crd.push(io, c.p[0]);
                }
                if list {
                    a.seg.push(io, a.crd.count);
                }
                if c.kind == Kind::Done {
                    io.put(TOKEN, FINISHED);
                }
                self.crd.pop();
                self.some = !ends && (self.some || c.is_leaf());
            }
        }
        let clocked = self.crd.clock(io, 0);
        if clocked.start {
            a.start(io);
        }
        Ok(clocked.moved)
    }
    fn status(&self, k: usize) -> u64 {
        self.arrays.status(k)
    }
}

#[derive(Debug)]
struct LevelPlaceModel {
    crd: RunSkid,
    pos: Skid,
    arrays: Arrays,
    placer: Placer,
    /// Leaves up to the last list that ended.
    closed: u64,
    /// Height of the lists that have positions.
    height: u8,
    /// The current list has a leaf before the head.
    some: bool,
}

impl Model for LevelPlaceModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let a = &mut self.arrays;
        let crd = self.crd.head().copied();
        let inner = crd.filter(|c| c.kind != Kind::Done && c.stop < self.height);
        let pos = crd.and(self.pos.head().copied());
        let ready = match crd {
            Some(c) if c.is_leaf() => inner.is_none() && a.crd.free(io),
            Some(c) => inner.is_none() && (c.kind != Kind::Done || a.rest(io)),
            None => false,
        };
        let item = Item { ready, bare: !self.some && crd.is_some_and(|c| !c.is_leaf()) };
        let placed = self.placer.step(pos.as_ref(), item, a.seg.free(io))?;
        if let Some(c) = inner {
            if !c.is_leaf() || a.crd.free(io) {
                if c.is_leaf() {
                    a.crd.push(io, c.p[0]);
                }
                self.some |= c.is_leaf();
                self.crd.pop();
            }
        } else if let (true, Some(c), Some(p)) = (placed.pop, crd, pos) {
            if !aligned(&c, &p, self.height) {
                return Err(Fault { what: "crd and pos are not aligned", port: "pos".into(), beat: p });
            }
            if c.is_leaf() {
                a.crd.push(io, c.p[0]);
            }
            if c.kind == Kind::Done {
                io.put(TOKEN, FINISHED);
            }
            self.crd.pop();
            self.pos.pop();
        }
        if placed.push {
            a.seg.push(io, if placed.gap { self.closed } else { a.crd.count });
        }
        if placed.pop {
            self.closed = a.crd.count;
            self.some = false;
        }
        let clocked = self.crd.clock(io, 0);
        if clocked.start {
            a.start(io);
            self.closed = 0;
        }
        Ok(clocked.moved | self.pos.clock(io, 1) | placed.push)
    }
    fn status(&self, k: usize) -> u64 {
        self.arrays.status(k)
    }
}

/// True if `p` stands for the list of height `h`, or the empty list higher up, that ends with `c`.
fn aligned(c: &Beat, p: &Beat, h: u8) -> bool {
    match p.kind {
        Kind::Done => c.kind == Kind::Done,
        Kind::Nil => c.kind == Kind::Nil && c.hole() == p.hole() + h && c.stop == p.stop + h,
        Kind::Data | Kind::Empty => ends_list(c, h) && c.stop == p.stop + h,
    }
}
