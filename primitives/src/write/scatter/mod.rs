#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use crate::memories::memory_fold::{FoldOrder, fold_ports};
use crate::write::value_writer::{FINISHED, end_ports};
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::mask;

/// A scatter writer, which sends values and their positions to a memory that folds. Inputs: 0 `val`, 1 `pos`, 2
/// `settled`. Outputs: 0 `write`, 1 `finished`. Config: 0 `capacity`, 1 `fill`, 2 `chunk`. Status: 0 `count`, 1
/// `overflow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scatter {
    /// Width of a value in bits.
    pub val_w: u32,
    /// Width of addresses and positions in bits; capacity and chunk are below `2^addr_w`.
    pub addr_w: u32,
    /// Width of the stop field in bits.
    pub stop_w: u32,
}

impl Primitive for Scatter {
    fn kind(&self) -> &'static str {
        "scatter"
    }
    fn instance(&self) -> Instance {
        let params = vec![
            ("VAL_W", Param::Int(self.val_w)),
            ("ADDR_W", Param::Int(self.addr_w)),
            ("STOP_W", Param::Int(self.stop_w)),
        ];
        Instance { module: "samhw_scatter", params }
    }
    fn ports(&self) -> Vec<Port> {
        let [write, settled] = fold_ports(Dir::Out, self.addr_w, self.val_w);
        let mut ports = vec![
            Port::config("capacity", self.addr_w),
            Port::config("fill", self.val_w),
            Port::config("chunk", self.addr_w),
            Port::stream("val", Dir::In, self.stop_w, &[Field::new("val", self.val_w)]),
            Port::stream("pos", Dir::In, self.stop_w, &[Field::new("ref", self.addr_w)]),
            write,
            settled,
        ];
        ports.extend(end_ports(self.addr_w));
        ports
    }
    fn model(&self, config: &[u64]) -> Box<dyn Model> {
        let at = |k: usize| config[k] & mask(self.addr_w);
        Box::new(ScatterModel {
            addr_w: self.addr_w,
            capacity: at(0),
            fill: config[1] & mask(self.val_w),
            chunk: at(2),
            val: Skid::default(),
            pos: Skid::default(),
            hole: mask(self.stop_w),
            running: false,
            status: [0; 2],
        })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        "any order".into()
    }
}

#[derive(Debug)]
struct ScatterModel {
    addr_w: u32,
    capacity: u64,
    fill: u64,
    chunk: u64,
    val: Skid,
    pos: Skid,
    hole: u64,
    running: bool,
    status: [u64; 2],
}

impl ScatterModel {
    /// What the heads say is written.
    fn write(&self, v: &Beat, p: &Beat) -> Result<Option<(FoldOrder, u64)>, Fault> {
        let fault = |what| Err(Fault { what, port: "pos".into(), beat: *p });
        let end = !v.is_leaf() && (v.kind != p.kind || (v.p[0] ^ p.p[0]) & self.hole != 0);
        if v.is_leaf() != p.is_leaf() || v.stop != p.stop || end {
            return fault("val and pos are not aligned");
        }
        if v.kind == Kind::Data && (p.kind != Kind::Data || p.p[0] >= self.chunk) {
            return fault("a value without a position in the result");
        }
        Ok(match v.kind {
            Kind::Data => (p.p[0] < self.capacity).then_some((FoldOrder::Fold(p.p[0]), v.p[0])),
            Kind::Done => Some((FoldOrder::End, 0)),
            Kind::Empty | Kind::Nil => None,
        })
    }
}

impl Model for ScatterModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (Some(&v), Some(&p)) = (self.val.head(), self.pos.head())
            && io.free(0)
        {
            let write = if self.running { self.write(&v, &p)? } else { Some((FoldOrder::Begin, self.fill)) };
            if let Some((order, data)) = write {
                io.put(0, Beat::pair(0, order.code(self.addr_w), data));
            }
            if self.running {
                self.val.pop();
                self.pos.pop();
                self.running = v.kind != Kind::Done;
            } else {
                self.running = true;
                self.status = [self.chunk, u64::from(self.chunk > self.capacity)];
            }
            moved = true;
        }
        if io.taken(2).is_some() {
            io.put(1, FINISHED);
        }
        let free = io.free(1);
        io.set_ready(2, free);
        Ok(self.val.clock(io, 0) | self.pos.clock(io, 1) | moved)
    }
    fn status(&self, k: usize) -> u64 {
        self.status[k]
    }
}
