//! The contents of streams, as in figure 14 of the SAM paper: `X(i,j) = B(i,j)` on its matrices, as shares of all
//! cycles of each level's coordinate stream. SAM's shares follow from its tokens: one a cycle, a stop for each fiber,
//! one that ends the stream, FIFOs without bounds; the few cycles until the first one comes are left out.

use crate::kernel::{LIMIT, one, rendered};
use crate::plot::Chart;
use crate::table::{Table, grouped, verdict};
use crate::{Verdict, shared};
use anyhow::{Context, Result, anyhow};
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::load::operands;
use samhw_sim::native::Watch;
use samhw_sim::observe::{Observer, TokenCounts};
use samhw_sim::run::Problem;
use samhw_sim::tensor::{Coo, Loaded};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Files of the shared folder that are in the lists from which the figure's matrices were drawn.
const FILES: [&str; 3] = ["Ragusa16.mtx", "b1_ss.mtx", "cage5.mtx"];

/// Runs the benchmark.
pub fn run() -> Result<Verdict> {
    draw(None)
}

/// The shares of a stream in the chart: what each series is of all.
const SERIES: [&str; 5] = ["coordinate", "stop alone", "empty list", "stalled", "idle"];

/// Runs the benchmark and, if `svg` is given, writes the chart of the matrices that are made by rule into that folder.
pub fn draw(svg: Option<&Path>) -> Result<Verdict> {
    let mut chart = Chart {
        title: "Figure 14: tokens of X(i,j) = B(i,j)".into(),
        across: "matrix, level, ours or SAM's",
        series: SERIES.map(String::from).to_vec(),
        shares: true,
        ..Chart::default()
    };
    let mut all = generated();
    if let Some(folder) = shared::find("data", "matrices of the shared data") {
        let load = |name: &&str| Some((format!("{name}, file"), shared::matrix(&folder.join(name))?));
        all.extend(FILES.iter().filter_map(load));
    }
    let heads = ["matrix, level", "cycles", "leaf", "of: stop", "empty", "stalled", "idle"];
    let mut table = Table::new(&[&heads[..], &["SAM: cycles", "leaf", "stop", "idle", ""]].concat());
    let mut missed = 0;
    for (name, b) in all {
        let (cycles, levels) = measured(&b).with_context(|| name.clone())?;
        let rows = b.iter().map(|(c, _)| c[0]).collect::<BTreeSet<_>>().len() as u64;
        let theirs = b.len() as u64 + rows + 1;
        // Leaves and stops of each level.
        for (level, (ours, sam)) in ["i", "j"].iter().zip(levels.iter().zip([(rows, 1), (b.len() as u64, rows)])) {
            let share = |n: u64, of: u64| format!("{:.1} %", 100.0 * n as f64 / of as f64);
            let ok = ours.leaves as f64 / cycles as f64 >= sam.0 as f64 / (theirs as f64 + START);
            missed += usize::from(!ok);
            let mine = [ours.leaves, ours.stops, ours.empty, ours.stalled, ours.idle].map(|n| share(n, cycles));
            let them = [sam.0, sam.1, theirs - sam.0 - sam.1 - 1].map(|n| share(n, theirs));
            if let Some(rule) = name.strip_suffix(RULE) {
                // A stop rides on a coordinate of ours; what ends SAM's stream is idle here.
                let of = |all: u64, parts: [u64; 5]| parts.map(|n| Some((1000 * n + all / 2) / all.max(1))).to_vec();
                let own = of(cycles, [ours.leaves, 0, ours.empty, ours.stalled, ours.idle]);
                let other = of(theirs, [sam.0, sam.1, 0, 0, theirs - sam.0 - sam.1]);
                chart
                    .groups
                    .extend([("ours", own), ("SAM", other)].map(|(of, n)| (format!("{rule}, {level}, {of}"), n)));
            }
            let mut row = vec![format!("{name}, {level}"), grouped(cycles)];
            row.extend(mine);
            row.push(grouped(theirs));
            row.extend(them);
            row.push(verdict(ok));
            table.row(row);
        }
    }
    table.print();
    if let Some(svg) = svg {
        chart.save(svg, "figure-14.svg")?;
    }
    println!("wanted: at least SAM's share of leaves, {START} cycles for our start and end granted");
    Ok(Verdict::of(missed))
}

/// The end of the name of a matrix that is made by rule.
const RULE: &str = ", by rule";

/// Cycles in which nothing has come yet, or only writers work.
const START: f64 = 25.0;

/// Those of the figure's matrices whose pattern is known by rule.
fn generated() -> Vec<(String, Coo)> {
    // Boundaries of chessboard complexes: for each pair of squares in other rows and columns these two.
    let chess = |m: u64, n: u64| {
        let squares = || (0..m * n).map(move |s| (s / n, s % n, s));
        let pairs = squares().flat_map(|a| squares().map(move |b| (a, b)));
        let apart = pairs.filter(|(a, b)| a.2 < b.2 && a.0 != b.0 && a.1 != b.1);
        let coords = apart.enumerate().flat_map(|(row, (a, b))| [[row as u64, a.2], [row as u64, b.2]]);
        coords.collect::<BTreeSet<_>>()
    };
    // The Brusselator: two tridiagonal blocks, coupled point by point.
    let half = 1000;
    let point = |r: u64| [Some(r), (r + 1 < half).then_some(r + 1), r.checked_sub(1)].into_iter().flatten();
    let entries = |r: u64| point(r).flat_map(move |c| [[r, c], [r + half, c + half]]);
    let wave = (0..half).flat_map(|r| entries(r).chain([[r, r + half], [r + half, r]])).collect();
    // A torus of 100 x 20 vertices.
    let (rows, columns) = (100, 20);
    let vertex = |r: u64, c: u64| (r % rows) * columns + c % columns;
    let sides = |r: u64, c: u64| [vertex(r + 1, c), vertex(r, c + 1)].map(|to| (vertex(r, c), to));
    let edges = (0..rows).flat_map(|r| (0..columns).flat_map(move |c| sides(r, c)));
    let torus = edges.flat_map(|(a, b)| [[a, b], [b, a]]).collect();
    let named = |name: &str, shape: [u64; 2], coords: BTreeSet<[u64; 2]>| {
        let values = vec![1; coords.len()];
        let coords = coords.into_iter().flatten().collect();
        let coo = Coo::new(shape.to_vec(), coords, values).unwrap_or_else(|_| Coo::empty(shape.to_vec()));
        (format!("{name}{RULE}"), coo)
    };
    vec![
        named("ch4-4-b1", [72, 16], chess(4, 4)),
        named("ch7-6-b1", [630, 42], chess(7, 6)),
        named("bwm2000", [2 * half, 2 * half], wave),
        named("G32", [rows * columns, rows * columns], torus),
    ]
}

/// Cycles of a run, and what the streams of both levels' coordinates carried.
fn measured(b: &Coo) -> Result<(u64, [TokenCounts; 2])> {
    let mut text = format!("expr = \"X(i,j) = B(i,j)\"\n[dims]\ni = {}\nj = {}\n", b.shape()[0], b.shape()[1]);
    for name in ["B", "X"] {
        text += &format!("[tensors.{name}]\nformat = \"dcsr\"\ntype = \"i16\"\n");
    }
    let file = parse(Arc::new(Source { path: "tokens.toml".into(), text })).map_err(|d| rendered(&d))?;
    let loaded = operands(&file.kernel).into_iter().map(|t| (t, Loaded { coo: b.clone(), sized: true })).collect();
    let problem = Problem::new(&file, loaded).map_err(|d| rendered(&d))?;
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let mut observer = Observer::new(true, false);
    let watch = Watch { observer: Some(&mut observer), ..Watch::default() };
    let outcome = problem.run_native_watched(&net, LIMIT, None, watch).map_err(one)?;
    let tokens = observer.tokens.context("nothing was seen")?;
    let level = |scanner: &str| {
        let from = |k: &usize| net.channels[*k].from.is_some_and(|(c, _)| net.cell(c).name == scanner);
        let first = (0..net.channels.len()).find(from).ok_or_else(|| anyhow!("no {scanner}"))?;
        Ok::<_, anyhow::Error>(tokens.channels[first])
    };
    Ok((outcome.counts.cycles, [level("scan_B_i")?, level("scan_B_j")?]))
}
