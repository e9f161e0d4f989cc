//! Memories with several readers: who shares an array, and how ([decision
//! 128](../../../docs/decisions/0128-ports.md)).

use crate::netlist::{CellId, CellPlace, Netlist};
use samhw_streams::{Dir, Param};
use std::collections::HashMap;

/// Most readers of a port that are named; of more the first and the last are: copies.
const MOST_NAMES: usize = 4;

/// For each memory with several readers its name, and who reads at each port of its RAM.
pub(super) fn shared(net: &Netlist) -> Vec<Vec<String>> {
    let cells = net.cells.iter().enumerate().filter(|(_, cell)| cell.place == CellPlace::Memory);
    let senders: Senders = net.channels.iter().filter_map(|c| Some((c.to?, c.from?.0))).collect();
    let rows = cells.filter_map(|(c, cell)| {
        let readers = readers(net, &senders, CellId(c));
        if readers.len() < 2 {
            return None;
        }
        let params = cell.primitive.instance().params;
        let first = params.iter().find_map(|(name, value)| match value {
            Param::Int(n) if *name == "FIRST" => Some(*n as usize),
            _ => None,
        });
        let (first, second) = readers.split_at(first.unwrap_or(readers.len()));
        let turns = |port: &[String]| {
            let names = match port {
                [first, .., last] if port.len() > MOST_NAMES => format!("{first} .. {last}"),
                all => all.join(", "),
            };
            if port.len() > 1 { format!("{names} in turn") } else { names }
        };
        let ports = match second {
            [] => turns(first),
            second => format!("first port {}, second port {}", turns(first), turns(second)),
        };
        Some(vec![cell.name.clone(), ports])
    });
    rows.collect()
}

/// Who sends to each input of a cell.
type Senders = HashMap<(CellId, usize), CellId>;

/// The nodes that ask memory `cell` for words, in the order of its ports.
fn readers(net: &Netlist, senders: &Senders, cell: CellId) -> Vec<String> {
    let ports = |of: CellId| net.handshakes(of, Dir::In).into_iter().enumerate();
    let requests = ports(cell).filter(|(_, port)| port.name.starts_with("read_req"));
    let readers = requests.filter_map(|(p, _)| {
        let from = *senders.get(&(cell, p))?;
        // What delays a request, or leads it to a bank, asks for another.
        let asked = ports(from).find(|(_, port)| port.name == "read_req");
        let node = asked.and_then(|(p, _)| senders.get(&(from, p)).copied()).unwrap_or(from);
        Some(net.cell(node).name.clone())
    });
    readers.collect()
}
