//! Limits of arrays and workspaces on a chip, checked before anything is built or packed.

use super::{Array, Netlist, Sizes};
use crate::diag::Diagnostic;
use crate::graph::{Graph, Op, Payload, StreamId};
use crate::levels::Part;
use crate::lower::Lowered;
use crate::stmt::Kernel;

/// Refuses a graph whose arrays or workspaces no chip has.
pub(crate) fn check(lowered: &Lowered, sizes: &Sizes) -> Result<(), Diagnostic> {
    let large = |n: &u64| *n > MAX_WORDS;
    let over = sizes.positions.iter().enumerate().find_map(|(u, p)| p.iter().copied().find(large).map(|n| (u, n)));
    if let Some((u, n)) = over {
        return Err(too_large(&lowered.graph.uses[u].name, n));
    }
    workspace_too_large(lowered).map_or(Ok(()), Err)
}

/// Refuses words that the host cannot see as one.
pub(crate) fn check_words(net: &Netlist, sizes: &Sizes) -> Result<(), Diagnostic> {
    // The host sees words of more than 64 bits as several.
    let several =
        |a: &&Array| matches!(a.part, Part::Runs(l, _) | Part::Way(l, ..) if a.words > sizes.runs[a.of.0][l].max(1));
    let Some(a) = net.arrays.iter().find(several) else { return Ok(()) };
    let holds = match a.part {
        Part::Way(..) => "a coordinate and two positions",
        _ => "two coordinates and a position",
    };
    let message = format!("a word of {}, {holds}, would have more than 64 bits", a.name);
    Err(Diagnostic::new("H005", message)
        .help("declare smaller [dims], or a smaller nnz, which limits positions")
        .help("or store this level `compressed`"))
}

/// Returns an error for arrays that no chip can hold, before the host packs them; dense levels have all coordinates,
/// whatever is stored.
pub fn of_dims(lowered: &Lowered, dims: &[u64]) -> Result<(), Diagnostic> {
    let kernel = &lowered.kernel;
    for s in &kernel.statements {
        let accesses = kernel.reads(s.value).into_iter().chain([(s.result, s.indices.as_slice())]);
        for (t, indices) in accesses {
            for used in lowered.graph.uses.iter().filter(|u| u.tensor == t && u.slices.is_empty() && u.chunk.is_none())
            {
                let dense = used.levels.iter().zip(&used.mode_order).take_while(|(l, _)| l.is_dense());
                let size = |&m: &usize| indices.get(m).map_or(1, |v| dims[v.0]);
                let n = dense.map(|(_, m)| size(m)).fold(1u64, u64::saturating_mul);
                if n > MAX_WORDS {
                    return Err(too_large(&used.name, n));
                }
            }
        }
    }
    Ok(())
}

fn too_large(name: &str, positions: u64) -> Diagnostic {
    Diagnostic::new("H001", format!("{name} would need {positions} positions on the chip"))
        .help("declare nnz, or choose compressed levels or smaller dimensions")
}

/// Most positions of an array.
const MAX_WORDS: u64 = 1 << 31;

/// Most coordinates that a reducer's workspace holds.
pub(crate) const MAX_WORKSPACE: u64 = 1 << 25;

/// The values of a workspace with a place for each combination of the coordinates that these streams can
/// carry.
pub(crate) fn workspace(kernel: &Kernel, graph: &Graph, kept: &[StreamId]) -> u64 {
    let size = |p: Payload| match p {
        Payload::Crd(v) => kernel.var(v).max.next_power_of_two(),
        Payload::Key(bits) => 1u64.checked_shl(bits).unwrap_or(u64::MAX),
        _ => 1,
    };
    kept.iter().map(|&s| size(graph.stream(s).payload)).fold(1, u64::saturating_mul)
}

fn workspace_too_large(lowered: &Lowered) -> Option<Diagnostic> {
    lowered.graph.nodes.iter().find_map(|n| {
        let Op::Reduce { kept, .. } = n.op else { return None };
        let words = workspace(&lowered.kernel, &lowered.graph, &n.inputs[..kept]);
        (kept > 0 && words > MAX_WORKSPACE).then(|| {
            Diagnostic::new("H002", format!("reducer {} would need a workspace of {words} values on the chip", n.name))
                .help(format!("at most {MAX_WORKSPACE} are possible: choose a loop order that reduces further inside, or smaller dimensions"))
                .help("linked lists replace a workspace by default where two or more indices are kept, and absent entries do not count")
        })
    })
}
