//! The locator of a compressed level, which searches the parent's fiber by bisection.

use super::aligned;
use crate::blocks::Skid;
use samhw_streams::{Beat, Class, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};

/// The locator of a compressed level. Inputs: 0 `crd`, 1 `parent`, 2 `seg_rsp`, 3 `crd_rsp`. Outputs: 0 `seg_req`, 1
/// `crd_req`, 2 `found`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatorCompressed {
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of a parent's position in bits.
    pub ref_in_w: u32,
    /// Width of a position in the level in bits.
    pub ref_w: u32,
    /// Width of the stop field of all three streams in bits.
    pub stop_w: u32,
}

impl Primitive for LocatorCompressed {
    fn kind(&self) -> &'static str {
        "locator"
    }
    fn class(&self) -> Class {
        Class::Search
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_locator_compressed",
            params: vec![
                ("CRD_W", Param::Int(self.crd_w)),
                ("REF_IN_W", Param::Int(self.ref_in_w)),
                ("REF_W", Param::Int(self.ref_w)),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let position = |name| Field::new(name, self.ref_w);
        vec![
            Port::stream("crd", Dir::In, self.stop_w, &[Field::new("crd", self.crd_w)]),
            Port::stream("parent", Dir::In, self.stop_w, &[Field::new("ref", self.ref_in_w)]),
            Port::plain("seg_req", Dir::Out, &[Field::new("addr", self.ref_in_w)]),
            Port::plain("seg_rsp", Dir::In, &[position("begin"), position("end")]),
            Port::plain("crd_req", Dir::Out, &[position("addr"), position("len")]),
            Port::plain("crd_rsp", Dir::In, &[Field::new("data", self.crd_w)]),
            Port::stream("found", Dir::Out, self.stop_w, &[position("ref")]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(LocatorCompressedModel { stop_w: self.stop_w, inputs: Default::default(), state: SearchState::Head })
    }
    /// Of a hit at the first probe, with an on-chip memory.
    fn latency(&self) -> u32 {
        9
    }
    fn describe(&self) -> String {
        "compressed".into()
    }
}

const CRD: usize = 0;
const PARENT: usize = 1;
const SEG_RSP: usize = 2;
const CRD_RSP: usize = 3;
const SEG_REQ: usize = 0;
const CRD_REQ: usize = 1;
const FOUND: usize = 2;

/// As in the module; the coordinate, if there, is in low .. high-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchState {
    /// Look at the head beats.
    Head,
    /// Wait for the fiber's bounds.
    Segment,
    /// Ask for the middle.
    Probe { low: u64, high: u64 },
    /// Wait for it.
    Compare { low: u64, high: u64, middle: u64 },
}

#[derive(Debug)]
struct LocatorCompressedModel {
    stop_w: u32,
    inputs: [Skid; 4],
    state: SearchState,
}

impl LocatorCompressedModel {
    /// Gives `beat` for the heads, if there is room; the next state.
    fn finish(&mut self, io: &mut Io, beat: Beat) -> SearchState {
        if !io.free(FOUND) {
            return self.state;
        }
        io.put(FOUND, beat);
        self.inputs[CRD].pop();
        self.inputs[PARENT].pop();
        SearchState::Head
    }
    fn next(&mut self, io: &mut Io) -> Result<SearchState, Fault> {
        let (Some(&c), Some(&p)) = (self.inputs[CRD].head(), self.inputs[PARENT].head()) else {
            return Ok(self.state);
        };
        aligned(c, p, self.stop_w)?;
        Ok(match self.state {
            SearchState::Head if c.kind == Kind::Data && p.kind == Kind::Data => {
                io.put(SEG_REQ, Beat::data(0, p.p[0]));
                SearchState::Segment
            }
            SearchState::Head => self.finish(io, if c.is_leaf() { Beat::empty(c.stop) } else { c }),
            SearchState::Segment => match self.inputs[SEG_RSP].head() {
                Some(&Beat { p: [low, high], .. }) => {
                    self.inputs[SEG_RSP].pop();
                    SearchState::Probe { low, high }
                }
                None => self.state,
            },
            SearchState::Probe { low, high } if low >= high => self.finish(io, Beat::empty(c.stop)),
            SearchState::Probe { low, high } => {
                let middle = low + (high - low) / 2;
                io.put(CRD_REQ, Beat::pair(0, middle, 1));
                SearchState::Compare { low, high, middle }
            }
            SearchState::Compare { low, high, middle } => match self.inputs[CRD_RSP].head().map(|x| x.p[0]) {
                None => self.state,
                Some(x) if x == c.p[0] => {
                    let next = self.finish(io, Beat::data(c.stop, middle));
                    if next == SearchState::Head {
                        self.inputs[CRD_RSP].pop();
                    }
                    next
                }
                Some(x) => {
                    self.inputs[CRD_RSP].pop();
                    if x < c.p[0] {
                        SearchState::Probe { low: middle + 1, high }
                    } else {
                        SearchState::Probe { low, high: middle }
                    }
                }
            },
        })
    }
}

impl Model for LocatorCompressedModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let next = self.next(io)?;
        let mut moved = next != self.state;
        self.state = next;
        for (k, s) in self.inputs.iter_mut().enumerate() {
            moved |= s.clock(io, k);
        }
        Ok(moved)
    }
}
