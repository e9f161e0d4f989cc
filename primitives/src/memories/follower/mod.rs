#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Role};

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
        let token = |name: &'static str, dir| Port::plain(name, dir, &[Field::new("token", 1)]);
        vec![
            Port::plain("read_req", Dir::In, &request),
            token("begin", Dir::In),
            Port::plain("written", Dir::In, &[addr, Field::new("data", self.data_w)]).with_role(Role::Write),
            token("finished", Dir::In),
            Port::plain("req", Dir::Out, &request),
            token("begun", Dir::Out),
            token("opened", Dir::Out),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        let (burst, pair) = (self.burst, self.pair);
        Box::new(FollowerModel { burst, pair, request: Skid::passing(), progress: 0, complete: false })
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
    /// Words that are there.
    progress: u64,
    /// All are.
    complete: bool,
}

impl FollowerModel {
    /// Whether every word that is asked for has been written.
    fn there(&self, request: &Beat) -> bool {
        let words = match (self.burst, self.pair) {
            (true, _) => request.p[1],
            (false, pair) => 1 + u64::from(pair),
        };
        self.complete || request.p[0] + words <= self.progress
    }
}

impl Model for FollowerModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.request.open(io, 0);
        if let Some(&request) = self.request.head().filter(|r| self.there(r) && io.free(0)) {
            self.request.pop();
            io.put(0, request);
        }
        let (begins, written, ends) = (io.taken(1).is_some(), io.taken(2), io.taken(3).is_some());
        if let Some(write) = written {
            self.progress = write.p[0] + 1;
        }
        self.complete |= ends;
        if begins {
            (self.progress, self.complete) = (0, false);
            io.put(1, Beat::default());
        }
        if ends {
            io.put(2, Beat::default());
        }
        let ready = [io.free(1), io.free(2)];
        io.set_ready(1, ready[0]);
        io.set_ready(3, ready[1]);
        Ok(self.request.clock(io, 0) | begins | ends | written.is_some())
    }
}
