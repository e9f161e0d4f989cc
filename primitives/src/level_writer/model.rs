//! Models of `samhw_level_writer` and `samhw_level_writer_at`, with or without the crd array.

use super::{LevelWriter, Parts};
use crate::blocks::Skid;
use crate::model::{Fault, Io, Model};
use crate::stream::{Beat, Kind};
use crate::value_writer::{Append, FINISHED, Placer, RunSkid};

/// The model of a writer with a seg array.
pub fn new(w: &LevelWriter, config: &[u64]) -> Box<dyn Model> {
    let seg = Append::new(Some(0), w.ref_in_w, config[0], true);
    let crd = match w.parts {
        Parts::Both => Append::new(Some(1), w.ref_w, config[1], false),
        _ => Append::new(None, w.ref_w, u64::MAX, false),
    };
    let arrays = Arrays { finished: 1 + usize::from(w.parts == Parts::Both), seg, crd };
    if !w.has_positions() {
        return Box::new(AppendModel { crd: RunSkid::default(), arrays });
    }
    let placer = Placer::new(w.chain, w.ref_in_w, config[config.len() - 1]);
    Box::new(PlaceModel { crd: RunSkid::default(), pos: Skid::default(), arrays, placer, closed: 0 })
}

#[derive(Debug)]
struct Arrays {
    finished: usize,
    seg: Append,
    /// Without output where only seg is written.
    crd: Append,
}

impl Arrays {
    fn start(&mut self, io: &mut Io) {
        self.seg.start(io);
        self.crd.start(io);
    }
    /// All writes have left, and the token can be given.
    fn rest(&self, io: &Io) -> bool {
        self.seg.free(io) && self.crd.free(io) && io.free(self.finished)
    }
    fn status(&self, k: usize) -> u64 {
        [self.crd.count, u64::from(self.seg.overflow || self.crd.overflow)][k]
    }
}

/// True if a list of height 1 ends with `c`.
fn ends_list(c: &Beat) -> bool {
    if c.is_leaf() { c.stop > 0 } else { c.kind == Kind::Nil && c.hole() == 1 }
}

#[derive(Debug)]
struct AppendModel {
    crd: RunSkid,
    arrays: Arrays,
}

impl Model for AppendModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let a = &mut self.arrays;
        if let Some(&c) = self.crd.head() {
            let list = ends_list(&c);
            let room = (!c.is_leaf() || a.crd.free(io)) && (!list || a.seg.free(io));
            if room && (c.kind != Kind::Done || a.rest(io)) {
                if c.is_leaf() {
                    a.crd.push(io, c.p[0]);
                }
                if list {
                    a.seg.push(io, a.crd.count);
                }
                if c.kind == Kind::Done {
                    io.put(a.finished, FINISHED);
                }
                self.crd.pop();
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
struct PlaceModel {
    crd: RunSkid,
    pos: Skid,
    arrays: Arrays,
    placer: Placer,
    /// Leaves up to the last list that ended.
    closed: u64,
}

impl Model for PlaceModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let a = &mut self.arrays;
        let crd = self.crd.head().copied();
        let inner = crd.filter(|c| c.is_leaf() && c.stop == 0);
        let pos = crd.and(self.pos.head().copied());
        let item = match crd {
            Some(c) if c.is_leaf() => inner.is_none() && a.crd.free(io),
            Some(c) => c.kind != Kind::Done || a.rest(io),
            None => false,
        };
        let placed = self.placer.step(pos.as_ref(), item, a.seg.free(io))?;
        if let Some(c) = inner {
            if a.crd.free(io) {
                a.crd.push(io, c.p[0]);
                self.crd.pop();
            }
        } else if let (true, Some(c), Some(p)) = (placed.pop, crd, pos) {
            if !aligned(&c, &p) {
                return Err(Fault { what: "crd and pos are not aligned", port: "pos".into(), beat: p });
            }
            if c.is_leaf() {
                a.crd.push(io, c.p[0]);
            }
            if c.kind == Kind::Done {
                io.put(a.finished, FINISHED);
            }
            self.crd.pop();
            self.pos.pop();
        }
        if placed.push {
            a.seg.push(io, if placed.gap { self.closed } else { a.crd.count });
        }
        if placed.pop {
            self.closed = a.crd.count;
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

/// True if `p` stands for the list, or the empty list higher up, that ends with `c`.
fn aligned(c: &Beat, p: &Beat) -> bool {
    match p.kind {
        Kind::Done => c.kind == Kind::Done,
        Kind::Nil => c.kind == Kind::Nil && c.hole() == p.hole() + 1 && c.stop == p.stop + 1,
        Kind::Data | Kind::Empty => ends_list(c) && c.stop == p.stop + 1,
    }
}
