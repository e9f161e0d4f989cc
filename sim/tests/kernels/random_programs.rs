//! Random programs whose statements write one result again and again, against a kernel of one
//! statement that says the same in one expression. SAMHW_CASES and SAMHW_SEED choose them.

use crate::engines::engines_agree_on;
use crate::seeds;
use samhw_compiler::diag::Source;
use samhw_compiler::frontend::parse;
use samhw_compiler::passes::fifo::Depths;
use samhw_compiler::stmt::{Expr, ExprId, TensorId, VarId};
use samhw_sim::native::Pressure;
use samhw_sim::run::Problem;
use samhw_sim::tensor::Loaded;
use samhw_testing::kernels::{Case, Functions, Limits, generate};
use samhw_testing::verify::{against_dense, legal_order, netlist, run_pressed, run_twice};
use samhw_values::Rng;
use std::path::PathBuf;
use std::sync::Arc;

/// The right-hand side that `e` is, as text.
fn text(case: &Case, e: ExprId) -> String {
    let mut case = case.clone();
    case.kernel.statements[0].value = e;
    let shown = case.to_string();
    let line = shown.lines().find(|line| line.starts_with("expr = ")).unwrap_or_default();
    line.trim_end_matches('"').split_once(" = ").and_then(|l| l.1.split_once(" = ")).map_or("", |l| l.1).to_owned()
}

/// The case's file with other statements. Indices of parts have a `w` before the name of the
/// mode's.
fn file(case: &Case, statements: &str) -> String {
    let all = case.order.iter().map(|&v| case.kernel.var(v).name.clone());
    let order: Vec<String> = all.flat_map(|name| [format!("w{name}"), name]).collect();
    let order: Vec<&String> =
        order.iter().filter(|name| name.len() == 1 || statements.contains(&format!("{name}["))).collect();
    let shown = case.to_string();
    let lines = shown.lines().map(|line| match line.split_once(" = ") {
        Some(("expr", _)) => format!("expr = \"{statements}\""),
        Some(("order", _)) => format!("order = {order:?}"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn one_of<T: Clone>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u64) as usize].clone()
}

/// A program, and what it leaves in X as one expression.
fn program(case: &Case, rng: &mut Rng) -> (String, String) {
    let statement = &case.kernel.statements[0];
    let names: Vec<&str> = statement.indices.iter().map(|&v| case.kernel.var(v).name.as_str()).collect();
    let at = |tensor: &str, names: &[&str]| match names {
        [] => tensor.to_owned(),
        _ => format!("{tensor}({})", names.join(",")),
    };
    let x = at("X", &names);
    let mut terms = vec!["1".to_owned(), "2".to_owned()];
    // Those with other indices than the result, which an update reduces with its operator.
    let mut wider: Vec<(String, Vec<&str>)> = Vec::new();
    for (e, expr) in case.kernel.exprs.iter().enumerate() {
        let Expr::Access(_, indices) = expr else { continue };
        let mut others: Vec<VarId> = indices.iter().copied().filter(|v| !statement.indices.contains(v)).collect();
        others.sort_unstable();
        others.dedup();
        if others.is_empty() {
            terms.push(text(case, ExprId(e)));
        } else {
            let others = others.iter().map(|&v| case.kernel.var(v).name.as_str()).collect();
            wider.push((text(case, ExprId(e)), others));
        }
    }
    let both = |op: &str, a: &str, b: &str| match op {
        "+" | "-" | "or" => format!("({a} {op} {b})"),
        "mul" => format!("({a} * {b})"),
        _ => format!("{op}({a}, {b})"),
    };
    let mut now = text(case, statement.value);
    let mut all = Vec::new();
    if rng.chance(20) {
        all.push(format!("{x} = {}", one_of(rng, &terms)));
    }
    all.push(format!("{x} = {now}"));
    let mut others: Vec<(String, String)> = Vec::new();
    for n in 0..1 + rng.below(3) {
        let (term, op) = (one_of(rng, &terms), rng.pick(&["+", "min", "max", "mul", "or"]));
        match rng.below(7) {
            6 if !wider.is_empty() => {
                let (term, others) = one_of(rng, &wider);
                let others = others.join(",");
                all.push(format!("{x} {op}= {term} + 1"));
                let reduced = match op {
                    // Each term is summed by itself.
                    "+" => format!("(sum[{others}]({term}) + 1)"),
                    "or" => format!("any[{others}]({term} + 1)"),
                    _ => format!("{op}[{others}]({term} + 1)"),
                };
                now = both(op, &now, &reduced);
            }
            0 | 1 => {
                all.push(format!("{x} {op}= {term}"));
                now = both(op, &now, &term);
            }
            2 => {
                all.push(format!("{x} = {}", both("-", &term, &x)));
                now = both("-", &term, &now);
            }
            3 => {
                let y = at(&format!("Y{n}"), &names);
                all.push(format!("{y} = {}", both(op, &x, &term)));
                others.push((y, both(op, &now, &term)));
            }
            4 if !others.is_empty() => {
                let (y, was) = one_of(rng, &others);
                all.push(format!("{x} += {y}"));
                now = both("+", &now, &was);
            }
            _ => {
                let places: Vec<usize> = (0..names.len()).filter(|&m| case.dims[statement.indices[m].0] > 0).collect();
                if places.is_empty() {
                    continue;
                }
                let m = rng.pick(&places);
                let size = case.dims[statement.indices[m].0];
                let (lo, step) = (rng.below(size), 1 + rng.below(2));
                let hi = lo + 1 + rng.below(size - lo);
                let part = format!("w{}[{lo}:{hi}:{step}]", names[m]);
                let mut indices = names.clone();
                indices[m] = &part;
                let (left, i) = (at("X", &indices), names[m]);
                let inside = format!("{i} >= {lo} and {i} < {hi} and ({i} - {lo}) % {step} == 0");
                let value = if rng.chance(50) {
                    all.push(format!("{left} = 2"));
                    "2".to_owned()
                } else {
                    all.push(format!("{left} {op}= 2"));
                    both(op, &now, "2")
                };
                now = format!("where({inside}, {value}, {now})");
            }
        }
    }
    // The last one that is written is the one that is declared.
    if all.last().is_some_and(|s| s.starts_with('Y')) {
        all.push(format!("{x} += 1"));
        now = both("+", &now, "1");
    }
    (all.join("; "), format!("{x} = {now}"))
}

/// A kernel file on the case's data; `None`: refused for what this is not about.
fn prepare(case: &Case, text: String) -> Result<Option<Problem>, String> {
    let source = Source { path: PathBuf::from("program.toml"), text };
    let file = match parse(Arc::new(source)) {
        Ok(file) => file,
        // A number below 0 in a file of unsigned tensors.
        Err(problems) if problems.iter().all(|d| d.code == "E005") => return Ok(None),
        Err(problems) => return Err(format!("{problems:?}")),
    };
    let data = file.kernel.tensors.iter().enumerate().filter_map(|(n, tensor)| {
        let old = case.kernel.tensors.iter().position(|t| t.name == tensor.name)?;
        let coo = case.data.get(&TensorId(old))?.clone();
        Some((TensorId(n), Loaded { coo, sized: true }))
    });
    match Problem::new(&file, data.collect()) {
        Ok(p) => Ok(Some(p)),
        Err(problems) if problems.iter().all(|d| d.code.starts_with('S') || matches!(d.code, "T012" | "H001")) => {
            Ok(None)
        }
        Err(problems) => Err(format!("{problems:?}")),
    }
}

/// Results as values at every coordinate where one of them stores something.
fn differ(a: &Problem, b: &Problem) -> Option<String> {
    let find = |p: &Problem| {
        p.reference.iter().find(|(t, _)| p.lowered.kernel.tensor(**t).name == "X").map(|(_, o)| o.clone())
    };
    let (Some(x), Some(y)) = (find(a), find(b)) else { return Some("X is not written".into()) };
    let coords: Vec<Vec<u64>> = x.stored.iter().chain(y.stored.iter()).map(|(c, _)| c.to_vec()).collect();
    coords.into_iter().find_map(|c| {
        let (v, w) = (x.stored.get(&c).unwrap_or(x.fill), y.stored.get(&c).unwrap_or(y.fill));
        (v != w).then(|| format!("at {c:?}: {v} in one statement, {w} in several"))
    })
}

/// A case with a program, and an expression that gives the same, as kernel files.
fn draw(seed: u64, limits: &Limits) -> (Case, String, String) {
    let limits = Limits { functions: Functions::Arithmetic, coordinate_lists: false, ..*limits };
    let mut case = generate(seed, &limits);
    case.order = legal_order(&case.kernel, case.order.clone());
    let (several, one) = program(&case, &mut Rng::new(seed));
    let (several, one) = (file(&case, &several), file(&case, &one));
    (case, several, one)
}

/// Runs a case natively; `Ok(false)`: refused.
fn run(seed: u64) -> Result<bool, String> {
    let (case, several, one) = draw(seed, &Limits { accesses: 4, ..Limits::default() });
    let text = |e: String| format!("{several}\n{e}");
    let Some(plain) = prepare(&case, one).map_err(text)? else { return Ok(false) };
    let Some(p) = prepare(&case, several.clone()).map_err(text)? else { return Ok(false) };
    if let Some(e) = against_dense(&plain).or_else(|| differ(&plain, &p)) {
        return Err(text(e));
    }
    let Ok(net) = netlist(&p, Depths::Auto)? else { return Ok(false) };
    run_twice(&p, &net).map_err(text)?;
    let mut rng = Rng::new(seed);
    let percent = 5 + rng.below(70);
    run_pressed(&p, &net, Pressure { rng, percent }).map_err(text)?;
    Ok(true)
}

#[test]
fn statements_that_write_one_result_run_in_order() {
    let (count, ran) = seeds::all(400, run);
    assert!(ran * 2 > count, "only {ran} of {count} programs ran");
}

/// Some of them on both engines, beat for beat: two, or thirty with SAMHW_FULL.
#[test]
fn verilog_does_the_same() {
    let most = if std::env::var_os("SAMHW_FULL").is_some() { 30 } else { 2 };
    engines_agree_on(most, |seed| {
        let (case, several, _) = draw(seed, &Limits { accesses: 2, vars: 3, depth: 2, ..Limits::default() });
        let p = prepare(&case, several.clone()).ok()??;
        let net = netlist(&p, Depths::Auto).ok()?.ok()?;
        several.contains("(w").then_some((several, p, net))
    });
}
