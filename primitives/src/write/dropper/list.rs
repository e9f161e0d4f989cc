//! Cycle model of `samhw_dropper_list`.

use crate::blocks::{HoldBack, Skid};
use samhw_streams::{Beat, Fault, Io, Kind, Model};

#[derive(Debug, Default)]
pub(super) struct ListModel {
    outer: Skid,
    inner: Skid,
    outer_hold: HoldBack<Beat>,
    inner_hold: HoldBack<Beat>,
    /// Within a list whose first beat was passed on.
    open: bool,
}

/// What one step does to a hold-back register.
enum ListStep {
    Push(Beat, bool),
    Close(u8),
    Nothing,
}

impl ListStep {
    fn room(&self, hold: &HoldBack<Beat>, free: bool) -> bool {
        !matches!(self, Self::Push(..)) || hold.room(free)
    }
    fn run(self, hold: &mut HoldBack<Beat>, free: bool) -> Option<(Beat, u8)> {
        match self {
            Self::Push(b, settled) => return hold.push(b, b.stop, settled),
            Self::Close(stop) => hold.close(stop),
            Self::Nothing => return hold.idle(free),
        }
        None
    }
}

impl ListModel {
    /// What the heads ask of the two registers.
    fn steps(&self, o: Beat, i: Beat) -> (ListStep, ListStep) {
        let o_ends = o.stop > 0 || i.kind == Kind::Done;
        if i.is_leaf() {
            let outer = if self.open { ListStep::Nothing } else { ListStep::Push(o, o_ends) };
            // Only the end of an item that is not the last of its list can gain a stop.
            (outer, ListStep::Push(i, i.stop == 0 || o_ends))
        } else if !o_ends {
            (ListStep::Nothing, ListStep::Nothing)
        } else if self.outer_hold.waiting() {
            (ListStep::Close(o.stop), ListStep::Close(i.stop))
        } else if o.is_leaf() {
            (ListStep::Push(Beat::nil(o.stop, 1), true), ListStep::Push(Beat::nil(i.stop, 2), true))
        } else {
            (ListStep::Push(o, true), ListStep::Push(i, true))
        }
    }

    fn check(&self, o: &Beat, i: &Beat) -> Result<(), Fault> {
        let above = i.kind == Kind::Done || i.kind == Kind::Nil && i.hole() != 1;
        let fits = o.is_leaf() != above
            && (o.kind == Kind::Done) == (i.kind == Kind::Done)
            && (i.stop == 0 || o.stop == i.stop - 1)
            && (i.is_leaf() || !self.open);
        if fits {
            return Ok(());
        }
        Err(Fault { what: "outer and inner are not aligned", port: "inner".into(), beat: *i })
    }
}

impl Model for ListModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let (o_free, i_free) = (io.free(0), io.free(1));
        let mut steps = (ListStep::Nothing, ListStep::Nothing);
        let mut moved = false;
        if let (Some(&o), Some(&i)) = (self.outer.head(), self.inner.head()) {
            let wanted = self.steps(o, i);
            if wanted.0.room(&self.outer_hold, o_free) && wanted.1.room(&self.inner_hold, i_free) {
                self.check(&o, &i)?;
                steps = wanted;
                if i.stop > 0 || i.kind == Kind::Done {
                    self.outer.pop();
                }
                self.inner.pop();
                self.open = i.is_leaf() && i.stop == 0;
                moved = true;
            }
        }
        for (k, left) in [steps.0.run(&mut self.outer_hold, o_free), steps.1.run(&mut self.inner_hold, i_free)]
            .into_iter()
            .enumerate()
        {
            if let Some((beat, stop)) = left {
                io.put(k, Beat { stop, ..beat });
                moved = true;
            }
        }
        moved |= self.outer.clock(io, 0);
        moved |= self.inner.clock(io, 1);
        Ok(moved)
    }
}
