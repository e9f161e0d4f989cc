//! The part of the C driver about counters of nodes and stuck streams.

use super::bus::Axi;
use super::registers::{Counted, Holds};
use crate::emit::Context;

/// Names of nodes and of streams.
fn names(cx: &Context, axi: &Axi) -> Option<[Vec<String>; 2]> {
    let probes = axi.probes.as_ref()?;
    let nodes = probes.nodes.iter().map(|&c| cx.net.cell(c).name.clone()).collect();
    Some([nodes, probes.streams.iter().map(|&k| cx.net.channels[k].name.clone()).collect()])
}

/// Returns the declarations of the counters for the header.
pub(super) fn declarations(cx: &Context, axi: &Axi) -> String {
    let Some([nodes, streams]) = names(cx, axi) else { return String::new() };
    format!(
        "\n/* What is counted: nodes, and streams between them. */\n#define @NAME_NODES {}u\n#define @NAME_STREAMS {}u\n\
         struct @name_counts {{\n    uint32_t beats;   /* {} */\n    uint32_t stalled; /* {} */\n    uint32_t starved; /* {} */\n}};\n\
         extern const char *const @name_nodes[@NAME_NODES + 1u];\nextern const char *const @name_streams[@NAME_STREAMS + 1u];\n\
         /* The counts of a node in the last run; a count that does not fit stays at the largest number. */\n\
         void @name_count(const struct @name_kernel *k, uint32_t node, struct @name_counts *c);\n\
         /* The first stream, `from` or later, that the watchdog found stuck; @NAME_STREAMS: none. */\n\
         uint32_t @name_stuck(const struct @name_kernel *k, uint32_t from);\n",
        nodes.len(),
        streams.len(),
        Counted::Beats.meaning(),
        Counted::Stalled.meaning(),
        Counted::Starved.meaning(),
    )
}

/// Returns the definitions of the counters for the driver.
pub(super) fn definitions(cx: &Context, axi: &Axi) -> String {
    let Some(lists) = names(cx, axi) else { return String::new() };
    let mut out = String::new();
    for (what, list) in ["nodes", "streams"].into_iter().zip(lists) {
        let list: String = list.iter().map(|n| format!("    \"{n}\",\n")).collect();
        out +=
            &format!("\nconst char *const @name_{what}[@NAME_{} + 1u] = {{\n{list}    0\n}};\n", what.to_uppercase());
    }
    let first = axi.registers.iter().find(|r| matches!(r.holds, Holds::Count(0, Counted::Beats)));
    let first = first.map_or(0, |r| r.offset);
    out + &format!(
        "\nvoid @name_count(const struct @name_kernel *k, uint32_t node, struct @name_counts *c)\n{{\n    \
         c->beats = @name_read(k, {first:#x}u + 12u * node);\n    c->stalled = @name_read(k, {first:#x}u + 12u * node + 4u);\n    \
         c->starved = @name_read(k, {first:#x}u + 12u * node + 8u);\n}}\n\n\
         uint32_t @name_stuck(const struct @name_kernel *k, uint32_t from)\n{{\n    \
         while (from < @NAME_STREAMS && ((@name_read(k, @NAME_STUCK + from / 32u * 4u) >> from % 32u) & 1u) == 0u)\n        \
         from++;\n    return from;\n}}\n"
    )
}
