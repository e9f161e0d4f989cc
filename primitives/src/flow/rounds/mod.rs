#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive, Role, Tells};

/// Width of the number of the bank that a round reads, for [`Rounds`] and [`Banks`](crate::memories::banks::Banks):
/// bank 0 has the host's data.
pub const TURN_W: u32 = 2;

/// The control of a program's rounds. Inputs: 0 `start`, 1 `finished`, 2 `write`. Outputs: 0 `turn`, 1 `done`. Status:
/// 0 `rounds`, 1 `open`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    /// Width of an address of the scalar's array in bits.
    pub addr_w: u32,
    /// Width of the scalar in bits.
    pub data_w: u32,
    /// Mask of the scalar's bits of which one must be 1 for another round.
    pub mask: u64,
    /// Largest number of rounds, at least 1.
    pub at_most: u32,
}

impl Primitive for Rounds {
    fn kind(&self) -> &'static str {
        "rounds"
    }
    fn instance(&self) -> Instance {
        Instance {
            module: "samhw_rounds",
            params: vec![
                ("ADDR_W", Param::Int(self.addr_w)),
                ("DATA_W", Param::Int(self.data_w)),
                ("MASK", Param::Bits(self.data_w, vec![self.mask])),
                ("AT_MOST", Param::Bits(32, vec![u64::from(self.at_most)])),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        let token = |name: &'static str, dir| Port::plain(name, dir, &[Field::new("token", 1)]);
        let write = [Field::new("addr", self.addr_w), Field::new("data", self.data_w)];
        vec![
            token("start", Dir::In),
            token("finished", Dir::In),
            Port::plain("write", Dir::In, &write).with_role(Role::Write),
            Port::plain("turn", Dir::Out, &[Field::new("bank", TURN_W)]),
            token("done", Dir::Out),
            Port::status("rounds", 32, Tells::Rounds),
            Port::status("open", 1, Tells::Unfinished),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(RoundsModel { at_most: self.at_most, mask: self.mask, ..RoundsModel::default() })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("at most {}", self.at_most)
    }
}

#[derive(Debug, Default)]
struct RoundsModel {
    at_most: u32,
    mask: u64,
    /// A start token waits.
    asked: bool,
    /// The token of the round waits.
    here: bool,
    running: bool,
    more: bool,
    rounds: u32,
    open: bool,
}

impl Model for RoundsModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let begins = self.asked && !self.running && io.free(1);
        let decides = self.running && self.here && io.free(0);
        self.asked &= !begins;
        self.here &= !decides;
        if begins {
            io.put(0, Beat::data(0, 0));
            (self.running, self.rounds, self.open) = (true, 1, false);
        } else if decides && self.more && self.rounds != self.at_most {
            io.put(0, Beat::data(0, if self.rounds % 2 == 1 { 1 } else { 2 }));
            self.rounds += 1;
        } else if decides {
            io.put(1, Beat::default());
            (self.running, self.open) = (false, self.more);
        }
        self.asked |= io.taken(0).is_some();
        self.here |= io.taken(1).is_some();
        if let Some(write) = io.taken(2) {
            self.more = write.p[1] & self.mask != 0;
        }
        io.set_ready(0, !self.asked);
        io.set_ready(1, !self.here);
        Ok(begins || decides || (0..3).any(|k| io.taken(k).is_some()))
    }
    fn status(&self, port: usize) -> u64 {
        if port == 0 { u64::from(self.rounds) } else { u64::from(self.open) }
    }
}
