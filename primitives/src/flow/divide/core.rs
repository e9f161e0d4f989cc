//! Model of `samhw_divide_core`, the part of a divide unit behind its input.

use samhw_streams::{Beat, Kind};

/// The beat whose successor tells where its group ends.
#[derive(Debug)]
pub struct DivideCore {
    shift: u32,
    held: Option<Beat>,
}

impl DivideCore {
    /// Creates the model for groups of keys that agree above their lowest `shift` bits.
    pub fn new(shift: u32) -> Self {
        Self { shift, held: None }
    }
    /// Simulates a clock edge with the head on offer and the two output registers, each empty if its beat has just
    /// left. Returns (head was taken, anything moved).
    #[inline]
    pub fn tick(&mut self, head: Option<Beat>, outer: &mut Option<Beat>, inner: &mut Option<Beat>) -> (bool, bool) {
        let mut moved = false;
        if let Some(h) = self.held.filter(|h| inner.is_none() && (!h.is_leaf() || h.stop > 0 || head.is_some())) {
            let more = h.is_leaf() && h.stop == 0 && head.is_some_and(|n| n.p[0] >> self.shift == h.p[0] >> self.shift);
            if more || outer.is_none() {
                let (o, i) = self.split(&h, more);
                if !more {
                    *outer = Some(o);
                }
                *inner = Some(i);
                self.held = None;
                moved = true;
            }
        }
        let taken = self.held.is_none() && head.is_some();
        if taken {
            self.held = head;
        }
        (taken, moved | taken)
    }
    /// The beats for both outputs.
    #[inline]
    fn split(&self, h: &Beat, more: bool) -> (Beat, Beat) {
        match h.kind {
            Kind::Done => (Beat::DONE, Beat::DONE),
            Kind::Nil => (*h, Beat::nil(h.stop + 1, h.hole() + 1)),
            Kind::Data | Kind::Empty => {
                let low = h.p[0] & ((1 << self.shift) - 1);
                let stop = if more { 0 } else { h.stop + 1 };
                (Beat::data(h.stop, h.p[0] >> self.shift), Beat::new(h.kind, stop, [low, h.p[1]]))
            }
        }
    }
}
