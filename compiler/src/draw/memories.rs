//! Memories with several readers: who shares an array, and how ([decision
//! 128](../../../docs/decisions/0128-ports.md)).

use crate::netlist::{CellId, CellPlace, Netlist};
use samhw_streams::{Dir, Param};

/// Most readers of a port that are named; of more the first and the last are: copies.
const MOST_NAMES: usize = 4;

/// For each memory with several readers its name, and who reads at each port of its RAM.
pub(super) fn shared(net: &Netlist) -> Vec<Vec<String>> {
    let cells = net.cells.iter().enumerate().filter(|(_, cell)| cell.place == CellPlace::Memory);
    let rows = cells.filter_map(|(c, cell)| {
        let readers = readers(net, CellId(c));
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

/// The nodes that ask memory `cell` for words, in the order of its ports.
fn readers(net: &Netlist, cell: CellId) -> Vec<String> {
    let asks = |to: CellId, port: &str| {
        let channel = net
            .channels
            .iter()
            .find(|c| c.to.is_some_and(|(of, p)| of == to && net.handshakes(to, Dir::In)[p].name == port));
        channel.and_then(|c| c.from).map(|(from, _)| from)
    };
    let ports = net.handshakes(cell, Dir::In);
    let requests = ports.iter().filter(|port| port.name.starts_with("read_req"));
    let readers = requests.filter_map(|port| {
        let from = asks(cell, &port.name)?;
        // What delays a request, or leads it to a bank, asks for another.
        let node = asks(from, "read_req").unwrap_or(from);
        Some(net.cell(node).name.clone())
    });
    readers.collect()
}
