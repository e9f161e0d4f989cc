//! The report of `--tokens`, with one line per stream.

use samhw_compiler::netlist::{Channel, Netlist};
use samhw_compiler::stmt::Kernel;
use samhw_sim::observe::{TokenCounts, Tokens};
use serde_json::{Value, json};

fn over<'k>(channel: &Channel, kernel: &'k Kernel) -> Vec<&'k str> {
    channel.over.iter().map(|v| kernel.var(*v).name.as_str()).collect()
}

/// Returns all channels as JSON.
pub fn json(net: &Netlist, tokens: &Tokens, kernel: &Kernel) -> Value {
    let one = |(c, n): (&Channel, &TokenCounts)| {
        json!({
            "name": c.name, "over": over(c, kernel), "stream": net.is_stream(c),
            "leaves": n.leaves, "stops": n.stops, "absent": n.absent,
            "empty": n.empty, "done": n.done, "stalled": n.stalled, "idle": n.idle,
        })
    };
    net.channels.iter().zip(&tokens.channels).map(one).collect()
}

/// Returns the streams as a table.
pub fn text(net: &Netlist, tokens: &Tokens, kernel: &Kernel) -> String {
    let mut out = String::from("\n");
    let mut row = |name: &str, over: &str, rest: [&str; 7]| {
        out += &format!("{name:<32} {over:<8}");
        rest.iter().for_each(|cell| out += &format!(" {cell:>10}"));
        out.push('\n');
    };
    row("stream", "over", ["leaves", "of: stops", "of: absent", "empty", "done", "stalled", "idle"]);
    for (c, n) in net.channels.iter().zip(&tokens.channels).filter(|(c, _)| net.is_stream(c)) {
        let counts = [n.leaves, n.stops, n.absent, n.empty, n.done, n.stalled, n.idle].map(|n| n.to_string());
        row(&c.name, &over(c, kernel).join(","), counts.each_ref().map(String::as_str));
    }
    out
}
