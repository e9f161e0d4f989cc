//! Model of `samhw_skip_answers`: what an answer of the memory is.

use super::super::BUFFER_LOG2;
use crate::blocks::Queue;
use crate::scan::scanner_wide::Group;
use samhw_streams::{Beat, Io};

const CRD_RSP: usize = 2;
const LAST: usize = 2;

/// The description of a pair of groups that was requested.
#[derive(Debug, Clone, Copy)]
pub(super) struct Note {
    pub store: bool,
    /// The lane in which its fiber ends, if that must be reported.
    pub last: Option<u64>,
    /// Number of its fiber.
    pub tag: u64,
}

/// The answer that arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Came {
    Nothing,
    Stored([u64; 2]),
    Probe([u64; 2]),
    Tail,
}

impl Came {
    pub(super) fn any(&self) -> bool {
        *self != Self::Nothing
    }
    pub(super) fn stored(&self) -> Option<[u64; 2]> {
        if let Self::Stored(pair) = self { Some(*pair) } else { None }
    }
}

#[derive(Debug)]
pub(super) struct Answers {
    group: Group,
    notes: Queue<Note>,
}

impl Answers {
    pub(super) fn new(group: Group) -> Self {
        Self { group, notes: Queue::new(BUFFER_LOG2) }
    }
    /// Whether one more may be asked for.
    pub(super) fn room(&self) -> bool {
        self.notes.room()
    }
    /// Takes the answer of this edge; `note`: of what is asked for.
    pub(super) fn clock(&mut self, io: &mut Io, note: Option<Note>) -> Came {
        let mut came = Came::Nothing;
        if let (Some(pair), Some(&note)) = (io.taken(CRD_RSP), self.notes.head()) {
            self.notes.pop();
            if let (Some(lane), true) = (note.last, io.free(LAST)) {
                let wide = self.group.wide() as u64;
                let crd = self.group.lane(pair.p[(lane / wide) as usize], lane % wide);
                io.put(LAST, Beat::pair(0, note.tag, crd));
            }
            came = match note {
                Note { store: true, .. } => Came::Stored(pair.p),
                Note { last: Some(_), .. } => Came::Tail,
                _ => Came::Probe(pair.p),
            };
        }
        if let Some(note) = note {
            self.notes.push(note);
        }
        self.notes.clock();
        came
    }
}
