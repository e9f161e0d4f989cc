//! Kernels of every kind of port, bus and placing, with memories of every kind.

use super::{Bench, build, full, memories, options, problem, seed};
use samhw_sim::axi::Placing;
use samhw_testing::drawn::drawn;
use samhw_values::Rng;

/// Expression, order, tensors (`A` levels), type, bus.
type Kernel = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

const KERNELS: [Kernel; 10] = [
    // A located vector that is copied to the chip; elements as wide as the bus.
    ("y(i) = A(i,j) * x(j)", "ij", &[("A", "dc"), ("x", "d"), ("y", "d")], "i32", "data_width = 32"),
    // Rows in any order, through windows that begin again; the widest bus.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "cc"), ("C", "dc"), ("X", "cc")],
        "i16",
        "data_width = 512\non_chip = 0\nmasters = 3\nmanagers = { C = 2, X_vals = 2, B_crd1 = 1 }",
    ),
    // The same with all of it on the chip.
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", &[("B", "cc"), ("C", "cc"), ("X", "dc")], "u8", "address_width = 48"),
    // A dense result, and one of two dense levels; two managers.
    (
        "X(i,j) = B(i,j) + C(i,j)",
        "ij",
        &[("B", "dc"), ("C", "cc"), ("X", "dd")],
        "i64",
        "data_width = 128\nmasters = 2",
    ),
    // A scalar; three levels; a manager for every array.
    (
        "a = B(i,j,k) * C(i,j,k)",
        "ijk",
        &[("B", "ccc"), ("C", "ccc"), ("a", "")],
        "u32",
        "data_width = 64\nmasters = 16",
    ),
    // A temporary on the chip between two statements; floating point; wide addresses.
    (
        "T(i,j) = B(i,j) + C(i,j); y(i) = T(i,j) * x(j)",
        "ij",
        &[("B", "dc"), ("C", "dc"), ("T", "dc"), ("x", "d"), ("y", "c")],
        "f32",
        "data_width = 256\naddress_width = 64",
    ),
    // A sum that is stored before it is added to: nobody but the hardware reads it.
    (
        "X(i,j) = B(k,i) * C(k,j) + D(i,j)",
        "kij",
        &[("B", "cc"), ("C", "cc"), ("D", "dd"), ("X", "dd")],
        "i32",
        "data_width = 64",
    ),
    // Scanners that seek read pairs of coordinates.
    (
        "x(i) = b(i) * c(i)",
        "i",
        &[("b", "c"), ("c", "c"), ("x", "c")],
        "u16",
        "data_width = 64\n[schedule]\nskip = [\"i\"]",
    ),
    // Lanes that take the lines of one fetch of x, windows that begin ahead, short bursts.
    (
        "y(i) = A(i,j) * x(j)",
        "ij",
        &[("A", "dc"), ("x", "d"), ("y", "c")],
        "f32",
        "data_width = 128\nmasters = 3\n[schedule]\nlanes = { j = 5 }",
    ),
    // Blocks and runs, read in any order, and written.
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "ikj",
        &[("B", "kr"), ("C", "dk"), ("X", "kr")],
        "i16",
        "data_width = 64\non_chip = 0",
    ),
];

fn text((expr, order, tensors, ty, bus): &Kernel, size: u64, seed: u64) -> String {
    let vars: Vec<String> = order.chars().map(|v| v.to_string()).collect();
    let quoted: Vec<String> = vars.iter().map(|v| format!("\"{v}\"")).collect();
    let mut out = format!("name = \"k\"\nexpr = \"{expr}\"\norder = [{}]\n[dims]\n", quoted.join(", "));
    for v in &vars {
        out += &format!("{v} = {size}\n");
    }
    let mut data = String::from("[data]\n");
    for (n, (name, levels)) in tensors.iter().enumerate() {
        let kind = |c| match c {
            'd' => "\"dense\"",
            'k' => "\"block\"",
            'r' => "\"run\"",
            _ => "\"compressed\"",
        };
        let levels: Vec<&str> = levels.chars().map(kind).collect();
        out += &format!("[tensors.{name}]\ntype = \"{ty}\"\nlevels = [{}]\n", levels.join(", "));
        let written = expr.split(';').any(|s| s.trim_start().starts_with(name));
        if !written {
            data += &format!("{name} = {{ random = {{ density = 0.2, seed = {} }} }}\n", seed * 8 + n as u64);
        }
    }
    format!("{out}{data}[hardware]\nmemory = \"axi\"\n[hardware.axi]\n{bus}\n")
}

#[test]
fn kernels_behind_axi_give_the_reference() {
    let mut rng = Rng::new(seed());
    for kernel in drawn(&KERNELS, 2) {
        let size = if kernel.1.len() == 3 {
            12
        } else if kernel.1.len() == 1 {
            300
        } else {
            40
        };
        let sets: Vec<_> =
            (0..if full() { 8 } else { 2 }).map(|_| problem(&text(kernel, size, rng.below(1 << 20)))).collect();
        let net = sets[0].declared_netlist().expect("a netlist");
        let Some(built) = build(&sets[0], &net, &options(&sets[0]), true) else { return };
        for (n, problem) in sets.iter().enumerate() {
            for settings in memories(&mut rng) {
                let at = rng.bits();
                for placing in [Placing::Aligned, Placing::Anywhere(at), Placing::AtTheEnd(at)] {
                    let what = format!("{kernel:?}, data {n}, {settings:?}, {placing:?}");
                    let mut bench = Bench::new(problem, &net, &built, &settings, placing);
                    bench.succeed(&what);
                    // The next run without a reset.
                    bench.succeed(&what);
                }
            }
        }
    }
}
