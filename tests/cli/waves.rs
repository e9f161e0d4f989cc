//! Waveforms as FST: both engines write them, and what transfers in one transfers in the other.

use crate::support::{Folder, Ran, SPMV};
use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// What a file has.
struct Waves {
    /// Names, with the numbers of what they show.
    names: Vec<(String, usize)>,
    /// When which number becomes a 1, or something else, in order.
    changes: Vec<(u64, usize, bool)>,
    end: u64,
}

fn read(path: &Path) -> Waves {
    let mut reader = FstReader::open(BufReader::new(File::open(path).unwrap())).unwrap();
    let (mut scopes, mut names) = (Vec::new(), Vec::new());
    reader
        .read_hierarchy(|entry| match entry {
            FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
            FstHierarchyEntry::UpScope => _ = scopes.pop(),
            FstHierarchyEntry::Var { name, handle, .. } => {
                names.push((format!("{}.{name}", scopes.join(".")), handle.get_index()));
            }
            _ => {}
        })
        .unwrap();
    let mut changes = Vec::new();
    let filter = FstFilter::all();
    let read = reader.read_signals(&filter, |time, handle, value| {
        if let FstSignalValue::String(bits) = value {
            changes.push((time, handle.get_index(), bits == b"1"));
        }
        Ok::<(), Infallible>(())
    });
    read.unwrap();
    changes.sort_by_key(|change| change.0);
    Waves { names, changes, end: reader.get_header().end_time }
}

/// How many beats pass at each port, named `CELL_PORT`: in every step of time, or where the clock
/// rises.
fn beats(path: &Path, clock: Option<&str>, port: impl Fn(&str) -> Option<String>) -> BTreeMap<String, u64> {
    let Waves { names, changes, end } = read(path);
    let at: HashMap<&str, usize> = names.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let ports = names.iter().filter_map(|(name, valid)| {
        let ready = at.get(format!("{}_ready", name.strip_suffix("_valid")?).as_str())?;
        Some((port(name.strip_suffix("_valid")?)?, (*valid, *ready)))
    });
    let ports: BTreeMap<String, (usize, usize)> = ports.collect();
    let clock = clock.map(|name| at[name]);
    let mut high = vec![false; names.iter().map(|n| n.1 + 1).max().unwrap_or(0)];
    let mut counts: BTreeMap<String, u64> = ports.keys().map(|name| (name.clone(), 0)).collect();
    let mut count = |high: &[bool], steps: u64| {
        for (name, (valid, ready)) in &ports {
            *counts.get_mut(name).unwrap() += if high[*valid] && high[*ready] { steps } else { 0 };
        }
    };
    let mut now = 0;
    for group in changes.chunk_by(|a, b| a.0 == b.0) {
        match clock {
            None => count(&high, group[0].0 - now),
            Some(clock) => count(&high, u64::from(group.contains(&(group[0].0, clock, true)))),
        }
        now = group[0].0;
        group.iter().for_each(|(_, signal, one)| high[*signal] = *one);
    }
    if clock.is_none() {
        count(&high, end + 1 - now);
    }
    counts
}

/// What the native engine's waveform of `spmv.toml` transfers.
fn native(folder: &Folder) -> BTreeMap<String, u64> {
    assert_eq!(Ran::of(folder.samhw(&["run", "spmv.toml", "--wave", "n.fst"]).output().unwrap()).status, 0);
    beats(&folder.path().join("n.fst"), None, |name| {
        let (cell, port) = name.strip_prefix("spmv.")?.split_once('.')?;
        Some(format!("{cell}_{port}"))
    })
}

#[test]
fn the_native_engine_shows_every_port() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let ports = native(&folder);
    // Leaves of A and a done token, and the end of each of its rows.
    assert!(ports.len() > 20 && ports["mul_val"] > 4, "{ports:?}");
    let view = folder.read("n.gtkw");
    assert!(view.starts_with("[dumpfile] \"n.fst\"") && view.contains("spmv.mul.val_valid"), "{view}");
}

/// What the Verilator engine has written to `v.fst` shows the transfers that the native one shows.
pub(crate) fn same_transfers(folder: &Folder) {
    let native = native(folder);
    let path = folder.path().join("v.fst");
    let top = read(&path).names.into_iter().map(|(name, _)| name).find(|name| name.ends_with("spmv_ram.clk")).unwrap();
    let core = top.replace("clk", "u_core.");
    let verilog =
        beats(&path, Some(&top), |name| Some(name.strip_prefix(&core)?.to_owned()).filter(|n| !n.contains('.')));
    let both: Vec<&String> = native.keys().filter(|name| verilog.contains_key(*name)).collect();
    assert!(both.len() > 10, "{both:?}");
    for name in both {
        assert_eq!(native[name], verilog[name], "{name}");
    }
}
