//! Wires with a lane for each array at the bus in `NAME_axi`.

use super::bus::Axi;
use crate::emit::instance::Group;
use samhw_hdl::{Expr, Signal};

/// Wires with a lane per port.
pub(super) struct Vectors {
    pub misaligned: Signal,
    pub disordered: Signal,
    pub beyond: Signal,
    pub full: Signal,
    pub moves: Signal,
    pub waits: Signal,
    pub masters: Vec<Master>,
    pub shares: Vec<SharedFetch>,
    pub idle: Signal,
}

/// Wires of a manager, with a lane per port that it serves.
pub(super) struct Master {
    pub fetch: Group,
    pub data_valid: Signal,
    pub data: Signal,
    pub store: Group,
    pub line: Group,
    pub ack: Signal,
}

impl Master {
    /// Creates wires with the names that `net` returns; a manager without ports in a direction has an unused lane
    /// there.
    pub fn new(axi: &Axi, m: usize, net: &mut impl FnMut(&str, u32) -> Signal) -> Self {
        let (request, line) = (8 + axi.options.address_width, axi.options.data_width / 8 * 9);
        let [readers, writers] = [false, true].map(|writes| axi.served(m, writes).len().max(1) as u32);
        let mut own = |name: &str, width: u32| net(&numbered(axi, m, name), width);
        let mut group = |name: &str, lanes: u32, width: u32| Group {
            valid: own(&format!("{name}_valid"), lanes),
            ready: own(&format!("{name}_ready"), lanes),
            beat: own(&format!("{name}_beat"), lanes * width),
        };
        let (fetch, store, line) =
            (group("fetch", readers, request), group("store", writers, request), group("line", writers, line));
        let (data_valid, data) = (own("data_valid", readers), own("data_beat", axi.options.data_width));
        Self { fetch, data_valid, data, store, line, ack: own("ack", writers) }
    }
}

/// Wires of ports that fetch alike, with a lane per port.
pub(super) struct SharedFetch {
    /// Numbers of the ports; the first one's is the lane at the manager.
    pub ports: Vec<usize>,
    pub fetch: Group,
    pub data_valid: Signal,
    pub data: Signal,
}

impl SharedFetch {
    /// Creates the wires of the `k`-th group with the names that `net` returns.
    pub fn new(axi: &Axi, (k, ports): (usize, Vec<usize>), net: &mut impl FnMut(&str, u32) -> Signal) -> Self {
        let lanes = ports.len() as u32;
        let mut own = |name: &str, width: u32| net(&format!("shared_{k}_{name}"), width);
        let fetch = Group {
            valid: own("fetch_valid", lanes),
            ready: own("fetch_ready", lanes),
            beat: own("fetch_beat", lanes * (8 + axi.options.address_width)),
        };
        Self { ports, fetch, data_valid: own("data_valid", lanes), data: own("data_beat", axi.options.data_width) }
    }
}

/// A name, with the number of the manager where there are several.
pub(super) fn numbered(axi: &Axi, master: usize, name: &str) -> String {
    if axi.masters() == 1 { name.into() } else { format!("{name}_{master}") }
}

pub(super) fn one(name: &str) -> Expr {
    Signal::new(name, 1).all()
}
