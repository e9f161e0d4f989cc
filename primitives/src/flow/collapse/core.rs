//! Model of `samhw_collapse_core`, the part of a collapse unit behind its input buffers.

use crate::blocks::HoldBack;
use samhw_streams::{Beat, Fault, Kind};

/// The effects of a clock edge.
#[derive(Debug, Clone, Copy, Default)]
pub struct CollapseStep {
    /// Whether the head of `outer` was taken.
    pub outer: bool,
    /// Whether the head of `inner` was taken.
    pub inner: bool,
    /// Whether a register changed.
    pub moved: bool,
}

/// The beat held back and the arithmetic of keys.
#[derive(Debug)]
pub struct CollapseCore {
    size0: u64,
    key_mask: u64,
    held: HoldBack<(Kind, [u64; 2])>,
}

impl CollapseCore {
    /// Creates the model for keys crd1 * size0 + crd0 of `key_w` bits.
    pub fn new(size0: u64, key_w: u32) -> Self {
        Self { size0, key_mask: u64::MAX >> (64 - key_w), held: HoldBack::default() }
    }
    /// Simulates a clock edge with the heads on offer and the output register, empty if its beat has just left.
    #[inline]
    pub fn tick(
        &mut self,
        outer: Option<Beat>,
        inner: Option<Beat>,
        out: &mut Option<Beat>,
    ) -> Result<CollapseStep, Fault> {
        let free = out.is_none();
        let mut step = CollapseStep::default();
        let mut leave = None;
        match (outer, inner) {
            (Some(o), Some(i)) if self.held.room(free) => {
                check(&o, &i)?;
                // `inner` without its innermost lists.
                let list = i.kind == Kind::Nil && i.hole() == 1;
                let stop = i.stop.saturating_sub(1);
                step = CollapseStep { inner: true, outer: i.stop > 0 || i.kind == Kind::Done, moved: true };
                if i.is_leaf() {
                    let key = o.p[0].wrapping_mul(self.size0).wrapping_add(i.p[0]) & self.key_mask;
                    leave = self.held.push((i.kind, [key, i.p[1]]), stop, stop > 0);
                } else if i.kind == Kind::Done {
                    leave = self.held.push((Kind::Done, [0, 0]), 0, true);
                } else if !list {
                    leave = self.held.push((Kind::Nil, [i.p[0] - 1, 0]), stop, true);
                } else if stop > 0 && self.held.waiting() {
                    self.held.close(stop);
                } else if stop > 0 {
                    leave = self.held.push((Kind::Nil, [1, 0]), stop, true);
                } else {
                    leave = self.held.idle(free);
                }
            }
            _ => leave = self.held.idle(free),
        }
        if let Some(((kind, p), stop)) = leave {
            *out = Some(Beat::new(kind, stop, p));
            step.moved = true;
        }
        Ok(step)
    }
}

fn check(o: &Beat, i: &Beat) -> Result<(), Fault> {
    let leaf = i.is_leaf() || i.kind == Kind::Nil && i.hole() == 1;
    if (o.kind == Kind::Data) != leaf || (o.kind == Kind::Done) != (i.kind == Kind::Done) {
        return Err(Fault { what: "outer and inner are not aligned", port: "inner".into(), beat: *i });
    }
    Ok(())
}
