#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::{Progress, Skid};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// A follower, which delays a reader's requests until the words are written. Inputs: 0 `read_req`, 1 `begin`, 2
/// `written`, 3 `finished`. Outputs: 0 `req`, 1 `begun`, 2 `opened`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follower {
    /// Width of an address in bits, and of a burst's length.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// Whether requests have a length.
    pub burst: bool,
    /// Whether requests are for pairs of neighbouring words.
    pub pair: bool,
}

impl Primitive for Follower {
    fn kind(&self) -> &'static str {
        "follower"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_follower",
            params: vec![
                ("ADDR_W", Param::Int(self.addr_w)),
                ("DATA_W", Param::Int(self.data_w)),
                ("BURST", Param::Int(u32::from(self.burst))),
                ("PAIR", Param::Int(u32::from(self.pair))),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let addr = Field::new("addr", self.addr_w);
        let request = match self.burst {
            true => vec![addr.clone(), Field::new("len", self.addr_w)],
            false => vec![addr.clone()],
        };
        let (tokens, held) = Progress::ports(self.addr_w, self.data_w);
        let all = [Port::plain("read_req", Dir::In, &request)].into_iter().chain(tokens);
        all.chain([Port::plain("req", Dir::Out, &request)]).chain(held).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let (burst, pair) = (self.burst, self.pair);
        Box::new(FollowerModel { burst, pair, request: Skid::passing(), progress: Progress::default() })
    }
    fn latency(&self) -> u32 {
        1
    }
}

#[derive(Debug)]
struct FollowerModel {
    burst: bool,
    pair: bool,
    request: Skid,
    progress: Progress,
}

impl FollowerModel {
    /// Whether every word that is asked for has been written.
    fn there(&self, request: &Beat) -> bool {
        let words = match (self.burst, self.pair) {
            (true, _) => request.p[1],
            (false, pair) => 1 + u64::from(pair),
        };
        self.progress.complete || request.p[0] + words <= self.progress.words
    }
}

impl Model for FollowerModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.request.open(io, 0);
        if let Some(&request) = self.request.head().filter(|r| self.there(r) && io.free(0)) {
            self.request.pop();
            io.put(0, request);
        }
        let moved = self.progress.clock(io, 1, 1);
        Ok(self.request.clock(io, 0) | moved)
    }
}
