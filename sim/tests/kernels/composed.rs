//! Schedules together with each other and with everything a statement can have: masks, slices, shape operators, scans of
//! coordinates, programs. Results are as the reference says, twice back to back and under random back-pressure, and what
//! is refused is little. `SAMHW_SEED` draws levels and schedules, `SAMHW_FULL=1` runs every schedule with every kernel.

use samhw_compiler::diag::{Diagnostic, Source};
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_sim::load::load_operands;
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_testing::verify::{run_pressed, run_twice};
use samhw_values::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Expression, sizes of its indices, tensors with their sizes by mode; results come last, from the one after `>` on.
const KERNELS: [(&str, &str, &str); 22] = [
    ("y(i) = A(i,j) * x(j)", "i20 j18", "A20,18 x18 > y20"),
    ("y(j) = A(i,j) * x(i)", "i20 j18", "A20,18 x20 > y18"),
    ("Y(i,h) = A(i,j) * X(j,h)", "i12 j13 h6", "A12,13 X13,6 > Y12,6"),
    ("Y(i,j) = A(i,k) * P(k,j)", "i12 j13 k11", "A12,11 P11,13 > Y12,13"),
    ("Y(i,j) = A(i,j) + P(i,j)", "i20 j18", "A20,18 P20,18 > Y20,18"),
    ("s = A(i,j) * P(i,j)", "i20 j18", "A20,18 P20,18 > s"),
    ("Y(i,j) = mask(j <= i, A(i,j))", "i20 j18", "A20,18 > Y20,18"),
    ("y(i) = mask(q > 0, A(i,j) * x(j))", "i20 j18", "A20,18 x18 q > y20"),
    ("z = x(j) * x(j); y(i) = where(z > 2, sum[j](A(i,j) * x(j)), 0)", "i20 j18", "A20,18 x18 > z y20"),
    ("y(i) = sum[j](mask(i - 3 <= j and j < i + 3, A(i,j) * x(j)))", "i20 j18", "A20,18 x18 > y20"),
    ("Y(i,j) = where(i % 3 == 1, A(i,j) * j, P(i,j))", "i20 j18", "A20,18 P20,18 > Y20,18"),
    ("y(i) = concat(1,A,P)(i,j) * x(j)", "i12 j24", "A12,14 P12,10 x24 > y12"),
    ("Y(i,j) = roll(A,1,3)(i,j) * P(i,j)", "i20 j18", "A20,18 P20,18 > Y20,18"),
    ("y(i) = triu(A,0)(i,j) * x(j)", "i20 j18", "A20,18 x18 > y20"),
    ("Y(i,j) = flip(A,1)(i,j) * P(i,j)", "i20 j18", "A20,18 P20,18 > Y20,18"),
    ("Z(i,h) = A(i,j) * X(j,h); Y(i,h) = max(Z(i,h), 0)", "i12 j13 h6", "A12,13 X13,6 > Z12,6 Y12,6"),
    ("y(i) = A(i,j) * x(j); s = y(i) * y(i)", "i20 j18", "A20,18 x18 > y20 s"),
    ("r(i) = A(i,j); c(j) = A(i,j)", "i20 j18", "A20,18 > r20 c18"),
    ("m(i) = A(i,j); Y(i,j) = A(i,j) * m(i)", "i20 j18", "A20,18 > m20 Y20,18"),
    ("T(i,k) = A(i,j) * P(j,k); Y(i,h) = T(i,k) * U(k,h)", "i12 j13 k11 h6", "A12,13 P13,11 U11,6 > T12,11 Y12,6"),
    ("t(i) = A(i,j) * x(j); y(i) = cumsum[i](t(i))", "i20 j18", "A20,18 x18 > t20 y20"),
    ("T(i,j) = A(i,j) * P(i,j); y(j) = triu(T,0)(i,j) * x(i)", "i20 j18", "A20,18 P20,18 x20 > T20,18 y18"),
];

/// Schedules of these indices, and the indices that a kernel must have.
const SCHEDULES: [(&str, &str); 21] = [
    ("lanes = { j = 3 }", "j"),
    ("lanes = { i = 4 }", "i"),
    ("lanes = { h = 4 }", "h"),
    ("lanes = { k = 2 }", "k"),
    ("lanes = { i = 2, h = 3 }", "ih"),
    ("lanes = { j = 3, i = 2 }", "ij"),
    ("parallel = { i = 4 }", "i"),
    ("parallel = { j = 4 }", "j"),
    ("parallel = { k = 2 }", "k"),
    ("split = { i = 6 }", "i"),
    ("split = { j = 5 }", "j"),
    ("split = { i = 4, j = 8 }", "ij"),
    ("split = { j = 8 }\nlanes = { j = 4 }", "j"),
    ("split = { j = 6 }\nlanes = { i = 4 }", "ij"),
    ("split = { i = 8 }\nlanes = { i1 = 4 }", "i"),
    ("split = { j = 5 }\nlanes = { j0 = 2 }", "j"),
    ("split = { i = 6 }\nparallel = { i0 = 2 }", "i"),
    ("parallel = { i = 2 }\nlanes = { j = 4 }", "ij"),
    ("parallel = { i = 2 }\nlanes = { i = 3 }", "i"),
    ("parallel = { i = 2 }\nlanes = { h = 3 }", "ih"),
    ("fuse = {}\nlanes = { j = 4 }", "j"),
];

/// What a schedule may be refused with: where no way is left. One in this number of cases is, at most.
const REFUSED: [&str; 7] = ["S014", "S015", "S017", "S018", "S019", "S020", "S042"];
const ONE_IN: usize = 8;

fn text((expr, dims, tensors): (&str, &str, &str), schedule: &str, bus: bool, rng: &mut Rng) -> String {
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\n[dims]\n");
    for dim in dims.split(' ') {
        out += &format!("{} = {}\n", &dim[..1], &dim[1..]);
    }
    let (mut data, mut result) = (String::from("[data]\n"), false);
    let ty = rng.pick(&["i32", "f32", "i16"]);
    for word in tensors.split(' ') {
        if word == ">" {
            result = true;
            continue;
        }
        let (name, sizes) = word.split_at(1);
        let shape: Vec<&str> = sizes.split(',').filter(|s| !s.is_empty()).collect();
        let inner = rng.pick(if result { &["dense", "compressed"] } else { &["dense", "compressed", "bitvector"] });
        let outer = rng.pick(&["dense", "compressed"]);
        let levels = match shape.len() {
            0 => vec![],
            1 => vec![rng.pick(&["dense", "compressed"])],
            // A dense level of a result is below dense ones.
            _ if result && inner == "dense" => vec![inner; 2],
            _ => vec![outer, inner],
        };
        out += &format!("[tensors.{name}]\ntype = \"{ty}\"\n");
        if !levels.is_empty() {
            out += &format!("levels = {levels:?}\nshape = [{}]\n", shape.join(", "));
        }
        if !result {
            let (density, seed) = (rng.pick(&["0.05", "0.2", "0.6"]), rng.below(1000));
            data += &format!("{name} = {{ random = {{ density = {density}, seed = {seed} }} }}\n");
        }
    }
    let memory = if bus { "[hardware]\nmemory = \"axi\"\n" } else { "" };
    format!("{out}[schedule]\n{schedule}\n{memory}{data}")
}

/// Runs a kernel, unless its schedule is refused.
fn run(text: &str, seed: u64) -> Result<Option<Diagnostic>, String> {
    let file = parse(Arc::new(Source { path: "k.toml".into(), text: text.into() })).map_err(|d| format!("{d:?}"))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| format!("{d:?}"))?;
    let problem = match Problem::new(&file, loaded) {
        Ok(problem) => problem,
        Err(d) => return d.into_iter().next().map(Some).ok_or_else(|| "refused without a reason".into()),
    };
    let net = problem.netlist(Depths::Auto).map_err(|d| format!("{d:?}"))?;
    run_twice(&problem, &net)?;
    run_pressed(&problem, &net, Pressure { rng: Rng::new(seed), percent: 5 + seed % 60 })?;
    Ok(None)
}

#[test]
fn schedules_go_together() {
    let base = std::env::var("SAMHW_SEED").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    let full = std::env::var_os("SAMHW_FULL").is_some();
    println!("SAMHW_SEED={base}");
    let mut rng = Rng::new(base);
    let (mut runs, mut refused) = (0, Vec::new());
    for kernel in KERNELS {
        for (schedule, indices) in SCHEDULES {
            let has = |v: char| kernel.1.contains(v);
            if !indices.chars().all(has) || !full && rng.chance(60) {
                continue;
            }
            let seed = rng.below(1 << 32);
            let text = text(kernel, schedule, rng.chance(30), &mut rng);
            runs += 1;
            match run(&text, seed) {
                Ok(None) => {}
                Ok(Some(d)) => {
                    assert!(REFUSED.contains(&d.code), "{text}\n{d:?}");
                    refused.push((d.message, text));
                }
                Err(e) => panic!("seed {seed}:\n{text}\n{e}"),
            }
        }
    }
    println!("{runs} kernels, {} refused", refused.len());
    assert!(refused.len() * ONE_IN <= runs, "{runs} kernels, refused: {refused:#?}");
}

/// Copies whose results were wrong once: coordinates were dealt before a slice moved them, or before a mask bounded them.
#[test]
fn copies_that_were_dealt_too_early() {
    let kernels = [
        ("Y(i,j) = roll(A,1,3)(i,j) * P(i,j)", "i20 j18", "A20,18 P20,18 > Y20,18"),
        ("Y(i,j) = mask(j <= i, A(i,j))", "i20 j18", "A20,18 > Y20,18"),
    ];
    for kernel in kernels {
        for seed in 0..6 {
            let text = text(kernel, "parallel = { j = 4 }", false, &mut Rng::new(seed));
            let ran = run(&text, seed);
            assert!(matches!(ran, Ok(None)), "{text}\n{ran:?}");
        }
    }
}
