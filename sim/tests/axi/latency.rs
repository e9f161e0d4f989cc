//! What latency costs where arrays are read in order: next to nothing. `SAMHW_FULL` takes 100,000 rows.

use super::{bill, full, problem};

const SPMV: &str = "name = \"mv\"\nexpr = \"y(i) = A(i,j) * x(j)\"\n[tensors.A]\nformat = \"csr\"\ntype = \"f32\"\n[tensors.x]\n\
    format = \"dense\"\ntype = \"f32\"\n[tensors.y]\nformat = \"dense\"\ntype = \"f32\"\n[schedule]\nlocate = [\"x\"]\n[data]\n\
    A = { poisson2d = { n = SIDE } }\nx = { random = { density = 1.0, seed = 2 } }\n";
const ADD: &str = "name = \"add\"\nexpr = \"X(i,j) = A(i,j) + B(i,j)\"\n[tensors.A]\nformat = \"csr\"\ntype = \"f32\"\n[tensors.B]\n\
    format = \"csr\"\ntype = \"f32\"\n[tensors.X]\nformat = \"csr\"\ntype = \"f32\"\n[data]\n\
    A = { poisson2d = { n = SIDE } }\nB = { poisson2d = { n = SIDE } }\n";

#[test]
fn latency_costs_a_twentieth_at_most() {
    let side = if full() { 317 } else { 64 };
    for kernel in [SPMV, ADD] {
        let text = kernel.replace("SIDE", &side.to_string());
        let dims = format!("[dims]\ni = {0}\nj = {0}\n[hardware]\nmemory = \"axi\"\n", side * side);
        let p = problem(&format!("{text}{dims}[hardware.axi]\ndata_width = 256\non_chip = 1048576\n"));
        let net = p.netlist(samhw_compiler::passes::fifo::Depths::Auto).expect("a netlist");
        let [(fast, _), (slow, moved)] = [1, 100].map(|latency| {
            let bill = bill(&p, &net, latency);
            (bill.cycles, bill.moved)
        });
        let (lines, bytes) = (moved.lines_read.max(moved.lines_written), 32 * (moved.lines_read + moved.lines_written));
        eprintln!(
            "{}: {fast} cycles, {slow} with a latency of 100: {:.4}",
            p.lowered.kernel.name,
            slow as f64 / fast as f64
        );
        eprintln!(
            "  {bytes} bytes moved, {lines} cycles at least, {:.1} % of the bus",
            100.0 * lines as f64 / slow as f64
        );
        assert!(slow * 20 <= fast * 21, "{slow} cycles instead of {fast}");
    }
}

/// A product with a dense matrix; the chip has room for neither operand.
const SPMM: &str = "name = \"mm\"\nexpr = \"Y(i,c) = A(i,j) * X(j,c)\"\nORDER\n[dims]\ni = 200\nj = 200\nc = 16\n[tensors.A]\n\
    format = \"csr\"\ntype = \"f32\"\n[tensors.X]\nformat = \"dense\"\ntype = \"f32\"\n[tensors.Y]\nformat = \"dense\"\ntype = \"f32\"\n\
    [data]\nA = { random = { density = 0.05, seed = 1 } }\nX = { random = { density = 1.0, seed = 2 } }\n\
    [hardware]\nmemory = \"axi\"\n[hardware.axi]\non_chip = 256\ntile = 0\n";

#[test]
fn the_chosen_order_waits_least_for_memory() {
    let cycles = |order: &str| {
        let p = problem(&SPMM.replace("ORDER", order));
        let net = p.netlist(samhw_compiler::passes::fifo::Depths::Auto).expect("a netlist");
        bill(&p, &net, 100).cycles
    };
    let chosen = cycles("");
    let all = ["i, j, c", "i, c, j"].map(|order| {
        let names: Vec<String> = order.split(", ").map(|name| format!("\"{name}\"")).collect();
        cycles(&format!("order = [{}]", names.join(", ")))
    });
    assert_eq!(Some(&chosen), all.iter().min(), "{all:?}");
    assert!(all.iter().max() > Some(&(3 * chosen)), "the orders differ little: {all:?}");
}
