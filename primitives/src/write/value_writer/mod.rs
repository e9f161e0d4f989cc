#![doc = include_str!("README.md")]

mod append;
mod placer;
mod run_skid;
#[cfg(test)]
pub(crate) mod tests;

pub use append::Append;
pub use placer::{Item, Placed, Placer};
pub use run_skid::{Clocked, RunSkid};

use crate::blocks::Skid;
use samhw_streams::{Beat, Class, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive, Role, Tells};
use samhw_values::mask;

/// A value writer, which stores values as an array. Inputs: 0 `val`, 1 `pos` (if `chain` > 0). Outputs: 0 `write`, 1
/// `finished`. Config: 0 `capacity`, 1 `fill`, 2 `chunk` (if `chain` > 0). Status: 0 `count`, 1 `overflow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueWriter {
    /// Width of a value in bits.
    pub val_w: u32,
    /// Width of addresses, counts and positions in bits; capacity and chunk are below `2^addr_w`.
    pub addr_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
    /// Number of dense levels that determine positions; 0 appends values in order.
    pub chain: u32,
    /// Whether a chunk without leaves is not written, because it has no parent either.
    pub skip_empty: bool,
}

impl Primitive for ValueWriter {
    fn kind(&self) -> &'static str {
        "value_writer"
    }
    fn class(&self) -> Class {
        if self.chain > 0 { Class::GapFiller } else { Class::Other }
    }
    fn instance(&self) -> Instance {
        let mut params = vec![
            ("VAL_W", Param::Int(self.val_w)),
            ("ADDR_W", Param::Int(self.addr_w)),
            ("STOP_W", Param::Int(self.stop_w)),
        ];
        if self.chain == 0 {
            return Instance { module: "samhw_value_writer", params };
        }
        params.push(("CHAIN", Param::Int(self.chain)));
        params.push(("SKIP", Param::Int(u32::from(self.skip_empty))));
        Instance { module: "samhw_value_writer_at", params }
    }
    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![Port::config("capacity", self.addr_w), Port::config("fill", self.val_w)];
        if self.chain > 0 {
            ports.push(Port::config("chunk", self.addr_w));
        }
        ports.push(Port::stream("val", Dir::In, self.stop_w, &[Field::new("val", self.val_w)]));
        if self.chain > 0 {
            ports.push(Port::stream("pos", Dir::In, self.stop_w, &[Field::new("ref", self.addr_w)]));
        }
        ports.push(write_port("write", self.addr_w, self.val_w));
        ports.extend(end_ports(self.addr_w));
        ports
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let array = Append::new(0, self.addr_w, config[0], false);
        let fill = config[1] & mask(self.val_w);
        if self.chain == 0 {
            return Box::new(ValueAppendModel { val: RunSkid::passing(), array, fill });
        }
        let placer = Placer::new(self.chain, self.addr_w, config[2], self.skip_empty);
        Box::new(ValuePlaceModel {
            val: RunSkid::default(),
            pos: Skid::default(),
            array,
            placer,
            fill,
            hole: mask(self.stop_w),
        })
    }
    fn latency(&self) -> u32 {
        if self.chain == 0 { 1 } else { 2 }
    }
    fn describe(&self) -> String {
        let skip = if self.skip_empty { ", no empty chunks" } else { "" };
        if self.chain == 0 { "append".into() } else { format!("{} dense{skip}", self.chain) }
    }
}

/// Returns the write port of an array.
pub fn write_port(name: &'static str, addr_w: u32, data_w: u32) -> Port {
    Port::plain(name, Dir::Out, &[Field::new("addr", addr_w), Field::new("data", data_w)])
}

/// Returns the last ports of every writer.
pub fn end_ports(count_w: u32) -> [Port; 3] {
    [
        Port::plain("finished", Dir::Out, &[Field::new("token", 1)]).with_role(Role::Finished),
        Port::status("count", count_w, Tells::Words),
        Port::status("overflow", 1, Tells::Overflow),
    ]
}

/// The token of output `finished`.
pub const FINISHED: Beat = Beat::data(0, 1);

#[derive(Debug)]
struct ValueAppendModel {
    val: RunSkid,
    array: Append,
    fill: u64,
}

impl Model for ValueAppendModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        if self.val.open(io, 0) {
            self.array.start(io);
        }
        if let Some(&v) = self.val.head() {
            let free = self.array.free(io);
            match v.kind {
                Kind::Data | Kind::Empty if free => {
                    self.array.push(io, if v.kind == Kind::Data { v.p[0] } else { self.fill });
                    self.val.pop();
                }
                Kind::Nil => self.val.pop(),
                Kind::Done if free && io.free(1) => {
                    io.put(1, FINISHED);
                    self.val.pop();
                }
                _ => {}
            }
        }
        Ok(self.val.clock(io, 0).moved)
    }
    fn status(&self, k: usize) -> u64 {
        [self.array.count, u64::from(self.array.overflow)][k]
    }
}

#[derive(Debug)]
struct ValuePlaceModel {
    val: RunSkid,
    pos: Skid,
    array: Append,
    placer: Placer,
    fill: u64,
    hole: u64,
}

impl Model for ValuePlaceModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let both = self.val.head().copied().zip(self.pos.head().copied());
        if let Some((v, p)) = both
            && (v.is_leaf() != p.is_leaf() || !v.is_leaf() && (v.kind != p.kind || (v.p[0] ^ p.p[0]) & self.hole != 0))
        {
            return Err(Fault { what: "val and pos are not aligned", port: "pos".into(), beat: p });
        }
        let free = self.array.free(io);
        let done = both.is_some_and(|(v, _)| v.kind == Kind::Done);
        let pos = both.map(|(_, p)| p);
        let item = Item { ready: !done || free && io.free(1), bare: false };
        let placed = self.placer.step(pos.as_ref(), item, free)?;
        if placed.push {
            let val = both.filter(|(v, _)| v.kind == Kind::Data && !placed.gap);
            self.array.push(io, val.map_or(self.fill, |(v, _)| v.p[0]));
        }
        if placed.pop {
            self.val.pop();
            self.pos.pop();
            if done {
                io.put(1, FINISHED);
            }
        }
        let clocked = self.val.clock(io, 0);
        if clocked.start {
            self.array.start(io);
        }
        Ok(clocked.moved | self.pos.clock(io, 1) | placed.push)
    }
    fn status(&self, k: usize) -> u64 {
        [self.array.count, u64::from(self.array.overflow)][k]
    }
}
