//! Lint checks and a search for combinational paths, for every form of every primitive's Verilog. All instances stand
//! side by side in one module, so that each tool starts once.

mod equal;
pub(crate) mod forms;
mod lines;
mod mapped;
mod narrow;
mod programs;

use crate::library::{MODULES, closure};
use crate::memories::memory::Host;
use forms::{Hosted, groups};
use samhw_rtlsim as rtl;
use samhw_streams::{Dir, Primitive, Shape};
use samhw_testing::drawn::drawn;
use samhw_testing::rtl::{cache, parameters_are_checked, tool};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Of each group's forms the share that is tried by default.
const SHARE: usize = 12;

/// One module with an instance of each of a group; every port of instance k is a port `u<k>_...`.
fn side_by_side(group: &str, items: &[Hosted]) -> rtl::Design {
    let name = &format!("all_{group}");
    let (mut ports, mut body) = (vec!["input wire clk".to_string(), "input wire rst".to_string()], String::new());
    for (k, (p, host)) in items.iter().enumerate() {
        let i = p.instance();
        let params: Vec<String> = i.params.iter().map(|(n, v)| format!(".{n}({})", v.literal())).collect();
        let mut wires = Vec::new();
        for (name, width, dir) in all_signals(p.as_ref(), *host) {
            let dir = if dir == Dir::In { "input" } else { "output" };
            ports.push(format!("{dir} wire [{}:0] u{k}_{name}", width - 1));
            wires.push(format!(".{name}(u{k}_{name})"));
        }
        body +=
            &format!("    {} #({}) u{k} (.clk(clk), .rst(rst), {});\n", i.module, params.join(", "), wires.join(", "));
    }
    let text = format!("`default_nettype none\nmodule {name} (\n    {}\n);\n{body}endmodule\n", ports.join(",\n    "));
    let modules = closure(items.iter().map(|(p, _)| p.instance().module));
    let mut files = vec![(format!("{name}.v"), text)];
    files.extend(modules.iter().map(|s| (format!("{}.v", s.name), s.text.to_string())));
    rtl::Design::new(name, files)
}

/// Name, width and direction of every signal of `p`, the host's wires included.
fn all_signals(p: &dyn Primitive, host: Host) -> Vec<(String, u32, Dir)> {
    let mut found = signals(p);
    let params = p.instance().params;
    let int = |n: &str| match params.iter().find(|x| x.0 == n) {
        Some((_, samhw_streams::Param::Int(v))) => *v,
        _ => 0,
    };
    let parts = int("PARTS_LOG2");
    let data = match host {
        Host::Absent => return found,
        Host::Writes => ("host_write", "host_wdata", Dir::In),
        Host::Reads => ("host_read", "host_rdata", Dir::Out),
    };
    found.push((data.0.into(), 1, Dir::In));
    found.push(("host_addr".into(), int("ADDR_W") + parts, Dir::In));
    found.push((data.1.into(), int("DATA_W") >> parts, data.2));
    found
}

/// Name, width and direction of every signal of `p`; the lanes of a vector share theirs.
fn signals(p: &dyn Primitive) -> Vec<(String, u32, Dir)> {
    let mut found: Vec<(String, u32, Dir)> = Vec::new();
    for q in p.ports() {
        if matches!(q.shape, Shape::Config { .. } | Shape::Status { .. }) {
            found.push((q.name.into_owned(), q.shape.width(), q.dir));
            continue;
        }
        let (name, lanes, width) = match &q.lane {
            Some(l) => (l.vector, l.count, l.width),
            None => (q.name.as_ref(), 1, q.shape.width()),
        };
        let back = if q.dir == Dir::In { Dir::Out } else { Dir::In };
        for (suffix, width, dir) in [("valid", lanes, q.dir), ("ready", lanes, back), ("beat", lanes * width, q.dir)] {
            let signal = (format!("{name}_{suffix}"), width, dir);
            if !found.contains(&signal) {
                found.push(signal);
            }
        }
    }
    found
}

/// Forms of every group, drawn.
fn some() -> Vec<(&'static str, Vec<Hosted>)> {
    let share = |items: Vec<Hosted>| {
        let count = items.len().div_ceil(SHARE);
        drawn(items, count)
    };
    groups().into_iter().map(|(name, items)| (name, share(items))).collect()
}

/// Verilator (`-Wall`), Icarus (`-g2005 -Wall`) and slang (`--std 1364-2005`) print nothing, with
/// and without assertions.
#[test]
fn lint_finds_nothing() {
    for (name, items) in some() {
        let mut design = side_by_side(name, &items);
        for defines in [vec![], vec!["SAMHW_ASSERT".to_string()]] {
            design.defines = defines;
            tool(name, rtl::lint_verilator(&design, &cache()));
            tool(name, rtl::lint_iverilog(&design, &cache()));
            tool(name, rtl::lint_slang(&design, &cache()));
        }
    }
}

/// Every module stops the tools where a parameter is out of range, and takes its defaults.
#[test]
fn parameters_out_of_range_are_refused() {
    parameters_are_checked(&MODULES.iter().map(|m| (m.name, m.text)).collect::<Vec<_>>());
}

/// No output port depends on an input port within a cycle; no latches, no loops.
#[test]
fn no_path_leads_from_an_input_to_an_output() {
    for (name, items) in some() {
        let Some(paths) = tool(name, rtl::comb_paths(&side_by_side(name, &items), &cache())) else { return };
        let of = |port: &str| {
            let k: Option<usize> =
                port.split('_').next().and_then(|u| u.strip_prefix('u')).and_then(|k| k.parse().ok());
            k.and_then(|k| items.get(k)).map_or(String::new(), |(p, _)| format!("{p:?}"))
        };
        let text: Vec<String> = paths.iter().map(|path| format!("{path} in {}", of(&path.output))).collect();
        assert!(paths.is_empty(), "{}", text.join("\n"));
    }
}

/// The forms have every folder of a primitive, and reach every module of the library.
#[test]
fn no_primitive_and_no_module_is_left_out() {
    let groups = groups();
    let all = || groups.iter().flat_map(|(_, items)| items).map(|(p, _)| p);
    let kinds: BTreeSet<String> = all().map(|p| p.kind().to_string()).collect();
    let folders = |path: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_string();
    // Of `axi` its own tests see to that.
    let groups = folders(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")));
    let groups = groups.iter().filter(|f| !["axi", "blocks", "every"].contains(&name(f).as_str()));
    let primitives: BTreeSet<String> = groups.flat_map(|f| folders(f)).map(|f| name(&f)).collect();
    // Units of the ALU.
    let units = ["float", "real"].map(String::from);
    assert_eq!(kinds, primitives.into_iter().filter(|f| !units.contains(f)).collect());
    let reached: BTreeSet<&str> = closure(all().map(|p| p.instance().module)).iter().map(|s| s.name).collect();
    assert_eq!(reached, MODULES.iter().map(|s| s.name).filter(|n| !n.starts_with("samhw_axi_")).collect());
}
