//! What a run shows in addition to its result: `--tokens` and `--trace`.

use crate::schema::check;
use crate::support::{Folder, SPMV};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

const ROWS: u32 = 1;
const NODES: [u32; 2] = [2, 3];
const CHANNELS: u32 = 5;

/// The Trace Event format, as far as it is used: no other fields, no other kinds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Trace {
    trace_events: Vec<Event>,
    display_time_unit: String,
    other_data: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(tag = "ph", deny_unknown_fields)]
enum Event {
    M { name: String, pid: u32, tid: u32, args: Value },
    C { name: String, pid: u32, ts: u64, args: BTreeMap<String, u64> },
    X { name: String, cat: String, pid: u32, tid: u32, ts: u64, dur: u64, args: BTreeMap<String, u64> },
}

const SPMSPM: &str = r#"name = "spmspm"
expr = "X(i,j) = B(i,k) * C(k,j)"
order = ["i", "k", "j"]
[dims]
i = 60
j = 60
k = 60
[tensors.B]
format = "dcsr"
type = "i32"
[tensors.C]
format = "dcsr"
type = "i32"
[tensors.X]
format = "dcsr"
type = "i32"
[data]
B = { random = { density = 0.1, seed = 1 } }
C = { random = { density = 0.1, seed = 2 } }
"#;

/// Kernels of one index and of several, lanes, several statements, memory behind AXI.
fn kernels() -> Vec<(&'static str, String)> {
    let lanes = SPMV.replace("dcsr", "csr") + "[schedule]\nlanes = { i = 2 }\n";
    let two = SPMV.replace("A(i,j) * x(j)\"", "A(i,j) * x(j); z(i) = 2 * y(i)\"")
        + "[tensors.z]\nlevels = [\"compressed\"]\ntype = \"i32\"\n";
    let axi = SPMV.to_string() + "[hardware]\nmemory = \"axi\"\n";
    vec![("spmv", SPMV.into()), ("lanes", lanes), ("two", two), ("axi", axi), ("spmspm", SPMSPM.into())]
}

/// The file reads back, and what its buckets hold are the counters of the report.
#[test]
fn timelines_add_up_to_the_report() {
    let folder = Folder::new();
    for (what, kernel) in kernels() {
        let ran = folder.write("k.toml", kernel).fine(&["run", "k.toml", "--json", "--trace", "t.json"]);
        let report: Value = serde_json::from_str(&ran.out).unwrap();
        let trace: Trace = serde_json::from_str(&folder.read("t.json")).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(trace.display_time_unit, "ns");
        let cycles = trace.other_data["cycles"].as_u64().unwrap();
        assert!(cycles >= report["cycles"].as_u64().unwrap(), "{what}");
        let width = trace.other_data["bucket_cycles"].as_u64().unwrap();
        assert!(width.is_power_of_two() && cycles.div_ceil(width) <= 1024, "{what}: {width}");

        let mut sums: BTreeMap<(u32, String), BTreeMap<String, u64>> = BTreeMap::new();
        let mut slices: BTreeMap<u32, Vec<(u64, u64, u64)>> = BTreeMap::new();
        let mut last = 0;
        for event in &trace.trace_events {
            match event {
                Event::M { name, pid, tid, args } => {
                    let known = ["process_name", "process_sort_index", "thread_name", "thread_sort_index"];
                    assert!(known.contains(&name.as_str()) && (1..=CHANNELS).contains(pid), "{what}: {name} {tid}");
                    assert!(args.is_object(), "{what}: {args}");
                }
                Event::C { name, pid, ts, args } => {
                    assert!(*ts >= last && *ts <= cycles && (*ts % width == 0 || *ts == cycles), "{what}: {ts}");
                    last = *ts;
                    let sum = sums.entry((*pid, name.clone())).or_default();
                    args.iter().for_each(|(k, n)| *sum.entry(k.clone()).or_default() += n);
                }
                Event::X { name, cat, pid, tid, ts, dur, args } => {
                    assert!((*pid, cat.as_str()) == (ROWS, "rows") && name.contains(['=', 'r']), "{what}: {name}");
                    slices.entry(*tid).or_default().push((*ts, ts + dur, args["rows"]));
                }
            }
        }
        // Behind AXI the netlist that runs has other memories, and a register counts the cycles.
        for node in report["nodes"].as_array().unwrap() {
            let found = NODES.iter().find_map(|pid| sums.get(&(*pid, node["name"].as_str().unwrap().into())));
            let Some(sum) = found.filter(|_| what != "axi") else { continue };
            for count in ["busy", "stalled", "starved"] {
                assert_eq!(Some(sum[count]), node[count].as_u64(), "{what}: {node} {sum:?}");
            }
            assert_eq!(sum.values().sum::<u64>(), cycles, "{what}: {node}");
        }
        assert!(sums.keys().any(|(pid, _)| *pid == CHANNELS), "{what}");
        assert!(!slices.is_empty(), "{what}: no rows");
        for rows in slices.values() {
            assert!(rows.windows(2).all(|w| w[0].1 == w[1].0), "{what}: slices do not touch");
            assert!(rows.iter().all(|(from, to, rows)| from <= to && *to <= cycles && *rows > 0), "{what}");
        }
    }
}

/// Every cycle of a channel is one of leaf, empty list, done, stalled, idle; looking changes nothing.
#[test]
fn tokens_are_all_cycles() {
    let folder = Folder::new();
    let schema: Value = serde_json::from_str(&folder.fine(&["run", "--json-schema"]).out).unwrap();
    for (what, kernel) in kernels() {
        folder.write("k.toml", kernel);
        let plain: Value = serde_json::from_str(&folder.fine(&["run", "k.toml", "--json"]).out).unwrap();
        let told: Value = serde_json::from_str(&folder.fine(&["run", "k.toml", "--json", "--tokens"]).out).unwrap();
        assert_eq!(check(&schema, &told, "report"), Vec::<String>::new(), "{what}");
        assert_eq!((&plain["cycles"], &plain["nodes"]), (&told["cycles"], &told["nodes"]), "{what}");
        let channels = told["tokens"].as_array().unwrap();
        assert!(!channels.is_empty(), "{what}");
        let count = |c: &Value, k: &str| c[k].as_u64().unwrap();
        let all = |c: &Value| ["leaves", "empty", "done", "stalled", "idle"].iter().map(|k| count(c, k)).sum::<u64>();
        let cycles = all(&channels[0]);
        assert!(what == "axi" || Some(cycles) == told["cycles"].as_u64(), "{what}: {cycles}");
        for c in channels {
            assert_eq!(all(c), cycles, "{what}: {c}");
            assert!(count(c, "stops").max(count(c, "absent")) <= count(c, "leaves"), "{what}: {c}");
        }
    }
    let text = folder.write("k.toml", SPMV).fine(&["run", "k.toml", "--tokens"]).out;
    assert!(text.contains("of: stops") && text.contains("mul_val"), "{text}");
}

/// Files that cannot be written are reported before the run, or does not take the results with it.
#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("k.toml", SPMV).write("t.json", "before");
    let ran = folder.run(&["run", "k.toml", "--trace", "nowhere/t.json"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{ran:?}");
    assert!(ran.err.contains("T020"), "{}", ran.err);
    // The device is always full.
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full.json")).unwrap();
    let ran = folder.run(&["run", "k.toml", "--trace", "full.json", "--out", "y=y.mtx"]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.out.contains("matches  the reference") && ran.err.contains("T020"), "{ran:?}");
    assert!(folder.read("y.mtx").starts_with("%%MatrixMarket"));
    // A limit on the size of files, as a disk that fills.
    let limited = format!("ulimit -f 8; trap '' XFSZ; exec {} run k.toml --trace t.json", env!("CARGO_BIN_EXE_samhw"));
    let shell = std::process::Command::new("bash").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&shell.stdout), String::from_utf8_lossy(&shell.stderr));
    assert!(shell.status.code() == Some(2) && out.contains("matches  the reference"), "{out}{err}");
    assert_eq!(folder.read("t.json"), "before");
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.iter().all(|n| !n.to_string_lossy().contains(".part")), "{names:?}");
}
