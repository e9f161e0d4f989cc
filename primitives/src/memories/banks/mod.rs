#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::flow::rounds::TURN_W;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Role};

/// Number of memories that a round may read: the host's data, and two that rounds write alternately.
pub const BANKS: usize = 3;

/// The banks of an array that is carried between rounds. Inputs: 0 `read_req`, 1 `turn`, 2 `write`, 3 to 5 `rsp0` to
/// `rsp2`. Outputs: 0 `read_rsp`, 1 `turned`, 2 to 4 `req0` to `req2`, 5 and 6 `put0` and `put1`, the writes into banks
/// 1 and 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Banks {
    /// Width of an address in bits, and of a burst's length.
    pub addr_w: u32,
    /// Width of a word in bits.
    pub data_w: u32,
    /// Whether requests have a length.
    pub burst: bool,
    /// Whether an answer is a pair of neighbouring words.
    pub pair: bool,
}

impl Primitive for Banks {
    fn kind(&self) -> &'static str {
        "banks"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_banks",
            params: vec![
                ("ADDR_W", Param::Int(self.addr_w)),
                ("BURST", Param::Int(u32::from(self.burst))),
                ("ANSWER_W", Param::Int(self.data_w << u32::from(self.pair))),
                ("DATA_W", Param::Int(self.data_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (addr, data) = (Field::new("addr", self.addr_w), |name| Field::new(name, self.data_w));
        let request = match self.burst {
            true => vec![addr.clone(), Field::new("len", self.addr_w)],
            false => vec![addr.clone()],
        };
        let answer = if self.pair { vec![data("data0"), data("data1")] } else { vec![data("data")] };
        let write = [addr, data("data")];
        let width = |fields: &[Field]| fields.iter().map(|f| f.width).sum();
        let lane = |vector, k: u32, count, dir, fields: &[Field]| {
            Port::plain(format!("{vector}{k}"), dir, fields).in_lane(vector, k, count, width(fields))
        };
        let mut ports = vec![
            Port::plain("read_req", Dir::In, &request),
            Port::plain("turn", Dir::In, &[Field::new("bank", TURN_W)]),
            Port::plain("write", Dir::In, &write).with_role(Role::Write),
        ];
        ports.extend((0..BANKS as u32).map(|k| lane("rsp", k, BANKS as u32, Dir::In, &answer)));
        ports.push(Port::plain("read_rsp", Dir::Out, &answer));
        ports.push(Port::plain("turned", Dir::Out, &[Field::new("token", 1)]));
        ports.extend((0..BANKS as u32).map(|k| lane("req", k, BANKS as u32, Dir::Out, &request)));
        ports.extend((0..2).map(|k| lane("put", k, 2, Dir::Out, &write)));
        ports
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(BanksModel {
            burst: self.burst,
            request: Skid::passing(),
            write: Skid::passing(),
            answers: std::array::from_fn(|_| Skid::passing()),
            owed: 0,
            bank: 0,
            next: None,
        })
    }
    fn latency(&self) -> u32 {
        1
    }
}

/// Numbers of ports.
const READ_REQ: usize = 0;
const TURN: usize = 1;
const WRITE: usize = 2;
const RSP: usize = 3;
const READ_RSP: usize = 0;
const TURNED: usize = 1;
const REQ: usize = 2;
const PUT: usize = 5;

#[derive(Debug)]
struct BanksModel {
    burst: bool,
    request: Skid,
    write: Skid,
    answers: [Skid; BANKS],
    /// Answers that are still to be given.
    owed: u64,
    bank: u64,
    /// The bank of a round that is to begin.
    next: Option<u64>,
}

impl Model for BanksModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        self.request.open(io, READ_REQ);
        self.write.open(io, WRITE);
        self.answers.iter_mut().enumerate().for_each(|(k, answer)| answer.open(io, RSP + k));
        let asks = self.request.head().copied();
        let turns = self.next.filter(|_| self.owed == 0 && asks.is_none() && io.free(TURNED));
        let mut owed = self.owed;
        if let Some(request) = asks.filter(|_| (0..BANKS).all(|k| io.free(REQ + k))) {
            self.request.pop();
            io.put(REQ + self.bank as usize, request);
            owed += if self.burst { request.p[1] } else { 1 };
        }
        let answer = self.answers.iter_mut().find(|answer| answer.head().is_some()).filter(|_| io.free(READ_RSP));
        if let Some(answer) = answer
            && let Some(&beat) = answer.head()
        {
            if self.owed == 0 {
                return Err(Fault { what: "an answer that nobody asked for", port: "rsp".into(), beat });
            }
            answer.pop();
            io.put(READ_RSP, beat);
            owed -= 1;
        }
        if let Some(&write) = self.write.head()
            && io.free(PUT)
            && io.free(PUT + 1)
        {
            self.write.pop();
            io.put(PUT + usize::from(self.bank == 1), write);
        }
        let mut moved = owed != self.owed || io.taken(TURN).is_some();
        self.owed = owed;
        if let Some(bank) = turns {
            io.put(TURNED, Beat::default());
            (self.bank, self.next) = (bank, None);
            moved = true;
        }
        if let Some(turn) = io.taken(TURN) {
            self.next = Some(turn.p[0]);
        }
        io.set_ready(TURN, self.next.is_none());
        moved |= self.request.clock(io, READ_REQ) | self.write.clock(io, WRITE);
        for (k, answer) in self.answers.iter_mut().enumerate() {
            moved |= answer.clock(io, RSP + k);
        }
        Ok(moved)
    }
}
