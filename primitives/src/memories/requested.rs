//! What the models of memories share: requests, cut into words (`samhw_words`).

use crate::blocks::Skid;
use samhw_streams::{Beat, Fault, Io};

/// The requests of a reader: of a word each, or bursts (addr, len).
#[derive(Debug)]
pub(super) struct RequestedWords {
    burst: bool,
    request: Skid,
    /// Next address and words left of a burst whose first word was taken.
    pub rest: Option<(u64, u64)>,
}

impl RequestedWords {
    pub fn new(burst: bool) -> Self {
        Self { burst, request: Skid::passing(), rest: None }
    }

    /// Sees what input `k` offers at this edge.
    #[inline]
    pub fn open(&mut self, io: &mut Io, k: usize) {
        self.request.open(io, k);
    }

    /// Whether a word is asked for.
    #[inline]
    pub fn asks(&self) -> bool {
        self.rest.is_some() || self.request.head().is_some()
    }

    /// Takes the address of the next word, if one is asked for; `fault` tells of a request that asks for none.
    #[inline]
    pub fn take(&mut self, fault: impl Fn(&'static str, Beat) -> Fault) -> Result<Option<Beat>, Fault> {
        let (at, left) = match (self.rest, self.request.head()) {
            (Some((next, left)), _) => (Beat::data(0, next), left),
            (None, None) => return Ok(None),
            (None, Some(&head)) => {
                self.request.pop();
                (head, if self.burst { head.p[1] } else { 1 })
            }
        };
        if left == 0 {
            return Err(fault("a request for no words", at));
        }
        self.rest = (left > 1).then(|| (at.p[0] + 1, left - 1));
        Ok(Some(at))
    }

    /// Moves the skid of input `k`; whether anything moved.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, k: usize) -> bool {
        self.request.clock(io, k)
    }
}
