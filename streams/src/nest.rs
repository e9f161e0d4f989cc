//! The bijection between beats and nested lists.
//! Source: "The Sparse Abstract Machine" (ASPLOS'23), section 3.

use crate::{Beat, Kind};

/// A nested list with leaves of type `L`, which is the meaning of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nest<L> {
    /// A leaf.
    Leaf(L),
    /// A list.
    List(Vec<Nest<L>>),
}

/// A leaf of one stream: its payloads, or N if it is absent. With two payloads an N leaf keeps its first (`Beat` of
/// kind EMPTY); use [`Leaf`] as given by [`decode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// Whether the leaf is present; false for N.
    pub present: bool,
    /// Payloads.
    pub p: [u64; 2],
}

/// Encodes nested list `x` of depth `d` as beats, ending with DONE.
pub fn encode(x: &Nest<Leaf>, d: u8) -> Vec<Beat> {
    fn go(x: &Nest<Leaf>, h: u8, out: &mut Vec<Beat>) {
        match x {
            Nest::Leaf(l) => {
                out.push(Beat::new(if l.present { Kind::Data } else { Kind::Empty }, 0, l.p));
            }
            Nest::List(v) if v.is_empty() => out.push(Beat::nil(h, h)),
            Nest::List(v) => {
                v.iter().for_each(|c| go(c, h - 1, out));
                if let Some(b) = out.last_mut() {
                    b.stop = h;
                }
            }
        }
    }
    let mut out = Vec::new();
    go(x, d, &mut out);
    out.push(Beat::DONE);
    out
}

/// Decodes beats into a nested list of depth `d`; an error names the first beat that does not fit.
pub fn decode(beats: &[Beat], d: u8) -> Result<Nest<Leaf>, String> {
    struct At<'a> {
        beats: &'a [Beat],
        n: usize,
    }
    impl At<'_> {
        fn next(&mut self) -> Result<Beat, String> {
            self.n += 1;
            self.beats.get(self.n - 1).copied().ok_or_else(|| format!("stream ends after beat {}", self.n - 1))
        }
        fn item(&mut self, h: u8, b: Beat) -> Result<(Nest<Leaf>, Beat), String> {
            if b.kind == Kind::Nil && b.hole() == h {
                if h == 0 || b.stop < h {
                    return Err(format!("beat {}: NIL must close the list that is empty", self.n - 1));
                }
                return Ok((Nest::List(Vec::new()), b));
            }
            if h == 0 {
                if !b.is_leaf() {
                    return Err(format!("beat {}: {:?} where a leaf belongs", self.n - 1, b.kind));
                }
                return Ok((Nest::Leaf(Leaf { present: b.kind == Kind::Data, p: b.p }), b));
            }
            let mut out = Vec::new();
            let mut b = b;
            loop {
                let (c, last) = self.item(h - 1, b)?;
                out.push(c);
                if last.stop >= h {
                    return Ok((Nest::List(out), last));
                }
                b = self.next()?;
            }
        }
    }
    let mut at = At { beats, n: 0 };
    let first = at.next()?;
    let (x, last) = at.item(d, first)?;
    if last.stop > d || at.next()?.kind != Kind::Done || at.n != beats.len() {
        return Err(format!("beat {}: stream does not end with its outermost list, then DONE", at.n - 1));
    }
    Ok(x)
}
