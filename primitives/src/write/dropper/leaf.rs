//! Cycle model of `samhw_dropper_leaf`.

use super::Explicit;
use crate::blocks::{HoldBack, Skid};
use samhw_streams::{Beat, Fault, Io, Kind, Model};

#[derive(Debug)]
pub(super) struct LeafModel {
    explicit: Option<Explicit>,
    outer: Skid,
    inner: Skid,
    hold: HoldBack<[Beat; 2]>,
}

impl LeafModel {
    pub(super) fn new(explicit: Option<Explicit>) -> Self {
        Self { explicit, outer: Skid::default(), inner: Skid::default(), hold: HoldBack::default() }
    }
}

impl Model for LeafModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let free = io.free(0) && io.free(1);
        let mut moved = false;
        let left = match (self.outer.head(), self.inner.head()) {
            (Some(&o), Some(&i)) if self.hold.room(free) => {
                if o.stop != i.stop || (o.kind == Kind::Data) != i.is_leaf() || !i.is_leaf() && o != i {
                    return Err(Fault { what: "outer and inner are not aligned", port: "inner".into(), beat: i });
                }
                self.outer.pop();
                self.inner.pop();
                moved = true;
                let ends = i.stop > 0 || i.kind == Kind::Done;
                if i.kind == Kind::Data && !self.explicit.is_some_and(|e| e.matches(i.p[0])) {
                    self.hold.push([o, i], i.stop, ends)
                } else if ends && self.hold.waiting() {
                    self.hold.close(i.stop);
                    None
                } else if ends {
                    let nothing = if i.is_leaf() { Beat::nil(i.stop, 1) } else { i };
                    self.hold.push([nothing; 2], i.stop, true)
                } else {
                    self.hold.idle(free)
                }
            }
            _ => self.hold.idle(free),
        };
        if let Some((beats, stop)) = left {
            for (k, b) in beats.into_iter().enumerate() {
                io.put(k, Beat { stop, ..b });
            }
            moved = true;
        }
        moved |= self.outer.clock(io, 0);
        moved |= self.inner.clock(io, 1);
        Ok(moved)
    }
}
