//! Granularity of fusion: models whose statements run one by one, with temporaries in rows, and as
//! one expression.

use super::{BLOCK, LIMIT, NETWORK, Table, block, block_of, grouped, network, one, rendered, text, verdict};
use crate::plot::Chart;
use anyhow::{Context, Result, bail};
use samhw_compiler::diag::Source;
use samhw_compiler::emit::emit;
use samhw_compiler::frontend::{Memory, parse};
use samhw_compiler::passes::fifo::Depths;
use samhw_fpga::Kernel;
use samhw_fpga::board::{self, USUAL};
use samhw_fpga::estimate::{Top, estimate, table};
use samhw_sim::axi::Settings;
use samhw_sim::load::load_operands;
use samhw_sim::native::Watch;
use samhw_sim::run::Problem;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// Cycles from asking to the first line.
const LATENCY: u64 = 100;
/// A bus of 32 bytes a cycle.
const BUS: &str = "[hardware]\nmemory = \"axi\"\naxi = { data_width = 256 }\n";

/// What is fused.
const HOW: [&str; 3] = ["nothing", "rows", "one expression"];
/// The graph network as one expression.
const NETWORK_AT_ONCE: &str = "Y(i,c) = softmax[c](sum[k](A(i,k) * sum[h](relu(sum[m](A(k,m) * \
    sum[f](X(m,f) * W(f,h))) + b(h)) * V(h,c))) + d(c))";
/// A layer of GraphSAGE.
const LAYER: &str = "n(i) = sum[k](pres(A(i,k))); M(i,f) = sum[k](A(i,k) * X(k,f)) / max(n(i), 1); \
    H(i,h) = relu(sum[f](X(i,f) * W(f,h)) + sum[f](M(i,f) * V(f,h)))";
/// The same as one expression.
const LAYER_AT_ONCE: &str = "H(i,h) = relu(sum[f](X(i,f) * W(f,h)) + \
    sum[g](sum[k](A(i,k) * X(k,g)) / max(sum[k](pres(A(i,k))), 1) * V(g,h)))";
/// The sparse autoencoder.
const AUTOENCODER: &str = "H(b,h) = relu(sum[i](X(b,i) * W(i,h)) + c(h)); \
    Y(b,j) = relu(sum[h](mask(H(b,h) > 0, H(b,h) * V(h,j))) + d(j))";
/// The same as one expression, which would compute a hidden number twice to mask it.
const AUTOENCODER_AT_ONCE: &str = "Y(b,j) = relu(sum[h](relu(sum[i](X(b,i) * W(i,h)) + c(h)) * V(h,j)) + d(j))";

/// A model with its statements and as one expression, each for a schedule.
struct Model {
    name: &'static str,
    statements: &'static str,
    /// Or why it would take too long.
    at_once: Result<String, &'static str>,
    text: fn(&str, &str) -> String,
    /// The least gain of statements that follow each other.
    wanted: f64,
}

/// What a run takes behind the bus, and what the kernel with its memories takes of an FPGA.
struct Footprint {
    cycles: u64,
    bytes: u64,
    luts: u64,
    brams: u64,
    /// Modules whose lookup tables are not counted.
    uncounted: Vec<String>,
}

/// The transformer block as one expression: the attention and the sum around it are there twice.
fn block_at_once() -> String {
    let attention = |a: &str| {
        format!(
            "sum[e](sum[j](softmax[j](M(i,j) * sum[d](sum[p](X(i,p) * Wq(p,d)) * sum[q](X(j,q) * Wk(q,d)))) * \
             sum[s](X(j,s) * Wv(s,e))) * Wo(e,{a}))"
        )
    };
    let [one, other] = ["a", "g"].map(|a| format!("(X(i,{a}) + {})", attention(a)));
    format!("Y(i,a) = {one} + sum[f](relu(sum[g]({other} * W1(g,f))) * W2(f,a))")
}

/// A layer of GraphSAGE with 270 nodes, 32 features and 16 hidden ones, or `expr` on its data.
fn layer(expr: &str, schedule: &str) -> String {
    let sizes = "i = 270\nk = 270\nf = 32\nh = 16\n";
    let tensors = ["A dc", "X dd", "W dd", "V dd", "H dd"];
    text((expr, "f32"), sizes, &tensors, &["A 0.02", "X 1.0", "W 1.0", "V 1.0"], schedule)
}

/// An autoencoder as large as that of `examples/models`, or `expr` on its data.
fn autoencoder(expr: &str, schedule: &str) -> String {
    let sizes = "b = 16\ni = 784\nj = 784\nh = 64\n";
    let tensors = ["X dc", "W dc", "V dc", "c d", "d d", "Y dd"];
    text((expr, "f32"), sizes, &tensors, &["X 0.2", "W 0.1", "V 0.1", "c 1.0", "d 1.0"], schedule)
}

/// The transformer block with 16 tokens, 4 features and 8 hidden ones, or `expr` on its data.
fn small_block(expr: &str, schedule: &str) -> String {
    block_of((16, 4), expr, schedule)
}

fn models() -> [Model; 5] {
    let model = |name, statements, at_once, text, wanted| Model { name, statements, at_once, text, wanted };
    [
        model("graph network", NETWORK, Ok(NETWORK_AT_ONCE.into()), network, 1.0),
        model("GraphSAGE", LAYER, Ok(LAYER_AT_ONCE.into()), layer, 1.0),
        // FuseFlow's gain. As one expression the attention stands below two loops more: 6,656
        // scores, 32 hidden numbers, and three sums over 16.
        model("BigBird block", BLOCK, Err("872 million products"), block, 2.7),
        model("BigBird, 16 tokens", BLOCK, Ok(block_at_once()), small_block, 1.0),
        model("autoencoder", AUTOENCODER, Ok(AUTOENCODER_AT_ONCE.into()), autoencoder, 1.0),
    ]
}

/// What a model takes with nothing fused, in rows, and as one expression.
fn granularities(model: &Model) -> Result<[Option<Footprint>; 3]> {
    let measured = |how: usize, expr: &str, schedule: &str| {
        let text = |hardware: &str| (model.text)(expr, &format!("{schedule}{hardware}"));
        takes(text(BUS), text("")).with_context(|| format!("{}: {}", model.name, HOW[how]))
    };
    let alone = measured(0, model.statements, "fuse = {}\n")?;
    let rows = measured(1, model.statements, "")?;
    let at_once = model.at_once.as_ref().ok().map(|expr| measured(2, expr, "")).transpose()?;
    Ok([Some(alone), Some(rows), at_once])
}

/// Prints the table and returns how many rows miss what is wanted; writes the charts into `svg` if
/// it is given.
pub(super) fn measure(svg: Option<&Path>) -> Result<usize> {
    let heads = ["fused, 32 bytes a cycle", "cycles", "times faster", "wanted", "bytes", "LUT4", "block RAMs", ""];
    let mut shown = Table::new(&heads);
    let (mut missed, mut all) = (0, Vec::new());
    for model in models() {
        let taken = granularities(&model)?;
        let alone = taken[0].as_ref().map_or(0, |alone| alone.cycles);
        for (how, taken) in HOW.into_iter().zip(&taken) {
            let wanted = Some(model.wanted).filter(|_| how == HOW[1]);
            let gain = taken.as_ref().map(|taken| alone as f64 / taken.cycles as f64);
            let good = wanted.zip(gain).map(|(wanted, gain)| gain >= wanted);
            missed += usize::from(good == Some(false));
            let number = |of: fn(&Footprint) -> u64| taken.as_ref().map_or("-".into(), |taken| grouped(of(taken)));
            shown.row(vec![
                format!("{}: {how}", model.name),
                number(|t| t.cycles),
                gain.map_or("-".into(), |gain| format!("{gain:.2}")),
                wanted.map_or("-".into(), |wanted| wanted.to_string()),
                number(|t| t.bytes),
                number(|t| t.luts),
                number(|t| t.brams),
                match (&taken, model.at_once.as_ref()) {
                    (None, Err(why)) => (*why).into(),
                    _ => good.map_or(String::new(), verdict),
                },
            ]);
        }
        all.push((model.name, taken));
    }
    shown.print();
    let uncounted: BTreeSet<&String> =
        all.iter().flat_map(|(_, taken)| taken.iter().flatten().flat_map(|t| &t.uncounted)).collect();
    for module in uncounted {
        println!("LUT4 without those of {module} that are not calibrated");
    }
    if let Some(svg) = svg {
        draw(&all, svg)?;
    }
    Ok(missed)
}

/// A file, a title, a unit, and what the chart is of.
type FootprintChart = (&'static str, &'static str, &'static str, fn(&Footprint) -> u64);

/// Writes a chart for each property of `all` models.
fn draw(all: &[(&'static str, [Option<Footprint>; 3])], svg: &Path) -> Result<()> {
    let charts: [FootprintChart; 3] = [
        ("fusion-cycles.svg", "Cycles", "cycles, logarithmic", |t| t.cycles),
        ("fusion-bytes.svg", "Bytes over the bus", "bytes, logarithmic", |t| t.bytes),
        ("fusion-area.svg", "Area", "LUT4, logarithmic", |t| t.luts),
    ];
    for (file, title, unit, of) in charts {
        let bars = |taken: &[Option<Footprint>; 3]| taken.iter().map(|t| t.as_ref().map(of)).collect();
        let chart = Chart {
            title: format!("{title} of models, by what is fused"),
            across: "model",
            series: HOW.map(String::from).to_vec(),
            groups: all.iter().map(|(name, taken)| ((*name).into(), bars(taken))).collect(),
            unit: Some(unit),
            ..Chart::default()
        };
        chart.save(svg, file)?;
    }
    Ok(())
}

/// Prepares the kernel file `text` with its data.
fn prepared(text: String) -> Result<Problem> {
    let file = parse(Arc::new(Source { path: "k.toml".into(), text })).map_err(|d| rendered(&d))?;
    let loaded = load_operands(&file, &BTreeMap::new()).map_err(|d| rendered(&d))?;
    Problem::new(&file, loaded).map_err(|d| rendered(&d))
}

/// What a kernel takes: cycles and bytes `behind` AXI, where its results must be right within the
/// bounds of its sums, and area with all memories on the chip.
fn takes(behind: String, on_chip: String) -> Result<Footprint> {
    let problem = prepared(behind)?;
    let net = problem.netlist(Depths::Auto).map_err(one)?;
    let Memory::Axi(options) = &problem.memory else { bail!("no kernel behind AXI") };
    let settings = Settings { latency: (LATENCY, LATENCY), ..Settings::default() };
    let (outcome, bill) = problem.run_axi_native(&net, options, &settings, LIMIT, Watch::default()).map_err(one)?;
    for (t, coo) in &outcome.results {
        if let Some(difference) = problem.compare(*t, coo).map_err(one)?.difference {
            bail!("{}: {difference}", problem.lowered.kernel.tensor(*t).name);
        }
    }
    let whole = prepared(on_chip)?;
    let design = emit(&whole.lowered, &whole.netlist(Depths::Auto).map_err(one)?);
    let board = board::find(USUAL).map_err(one)?;
    let calibration = table(board.family()).map_err(one)?;
    let area = estimate(&Kernel::new(&design).map_err(one)?, Top::Board, &board, &calibration);
    // Without the parameters.
    let module = |name: &String| name.split(',').next().unwrap_or_default().to_owned();
    Ok(Footprint {
        cycles: bill.cycles,
        bytes: bill.bytes(),
        luts: area.total.luts,
        brams: area.total.brams,
        uncounted: area.unknown.iter().map(module).collect(),
    })
}
