//! What is stored in runs takes its pieces, not its coordinates: values and cycles.

use crate::support::Folder;
use serde_json::Value;

const SIZE: usize = 1000;

/// Where a vector changes: starts of its stretches, and their values.
type Stretches<'a> = &'a [(usize, i64)];

const A: Stretches<'_> = &[(0, 3), (100, 0), (250, -2), (251, 7), (600, 0), (900, 1)];
const B: Stretches<'_> = &[(0, 0), (50, 4), (255, -1), (640, 2), (950, 0)];

/// The value at each coordinate.
fn full(of: Stretches<'_>) -> Vec<i64> {
    (0..SIZE).map(|c| of.iter().rfind(|(start, _)| *start <= c).map_or(0, |(_, v)| *v)).collect()
}

fn file(values: &[i64]) -> String {
    let line = |(c, v): (usize, &i64)| if *v == 0 { String::new() } else { format!("{} {v}\n", c + 1) };
    values.iter().enumerate().map(line).collect()
}

/// The kernel on A, B, points p and a dense d, with results in runs: cycles, and what `graph` notes.
fn kernel(expr: &str, more: &str) -> (u64, String) {
    let folder = Folder::new();
    let table = |(name, levels): (&str, &str)| {
        let shape =
            if name == "y" && !expr.starts_with("y(i[") { String::new() } else { format!("shape = [{SIZE}]\n") };
        let text = format!("[tensors.{name}]\nlevels = {levels}\ntype = \"i32\"\n{shape}");
        if expr.contains(&format!("{name}(")) { text } else { String::new() }
    };
    let levels =
        [("a", "[\"run\"]"), ("b", "[\"run\"]"), ("p", "[\"compressed\"]"), ("d", "[\"dense\"]"), ("y", "[\"run\"]")];
    let tables: String = levels.into_iter().map(table).collect();
    let scalar = if expr.starts_with("s ") { "[tensors.s]\ntype = \"i32\"\n" } else { "" };
    let dims = if expr.contains('[') && expr.contains(':') { String::new() } else { format!("[dims]\ni = {SIZE}\n") };
    folder.write("k.toml", format!("expr = \"{expr}\"\n{dims}{tables}{scalar}{more}"));
    folder.write("a.tns", file(&full(A))).write("b.tns", file(&full(B)));
    folder.write("p.tns", file(&(0..SIZE).map(|c| i64::from(c % 37 == 5)).collect::<Vec<_>>()));
    let mut args = vec!["run".to_string(), "k.toml".into(), "--json".into()];
    folder.write("d.tns", file(&(0..SIZE).map(|c| c as i64 * 7 % 19 - 9).collect::<Vec<_>>()));
    for name in ["a", "b", "p", "d"].into_iter().filter(|name| expr.contains(&format!("{name}("))) {
        args.extend(["--tensor".into(), format!("{name}={name}.tns")]);
    }
    let report: Value = serde_json::from_str(&folder.fine(&args).out).unwrap();
    assert_eq!(report["matches_reference"], true, "{expr}");
    (report["cycles"].as_u64().unwrap(), folder.fine(&["graph", "k.toml"]).out)
}

#[test]
fn loops_over_runs_take_their_pieces() {
    // 12 breakpoints, and 27 points, each with the stretch before it.
    let kernels = [
        "s = a(i)",
        "s = a(i) * b(i)",
        "s = sum[i](a(i) + 2)",
        "s = max[i](min(a(i), b(i)))",
        "s = bxor[i](a(i))",
        "s = p(i) * a(i)",
        "s = sum[i](p(i) + 1)",
        "s = min[i](p(i) * a(i))",
        "y(i) = 2 * a(i)",
        "y(i) = a(i) - b(i)",
        "y(i) = a(i) + 5",
        "y(i) = max(a(i), b(i)) * a(i)",
        // Slices cut runs and move them.
        "s = a(i[100:900])",
        "y(i) = min(a(i[0:999]), a(i[1:1000]))",
        "y(i) = max(a(i), roll(a,0,-3)(i))",
        "y(i[5:1000]) = a(i[0:995]) + b(i[5:1000])",
        // What is looked up by a coordinate, or is one, is absent where no point is.
        "s = max[i](p(i) * d(i))",
        "s = sum[i](p(i) * d(i) + 1)",
        "s = sum[i](where(d(i) > 2, p(i), 0) + 3)",
        "s = min[i](p(i) * i)",
        "s = max[i](p(i) * d(i) + a(i))",
    ];
    for expr in kernels {
        let (cycles, graph) = kernel(expr, "");
        assert!(cycles < 110, "{expr} takes {cycles} cycles");
        assert!(graph.contains("goes by intervals"), "{expr}: {graph}");
    }
}

#[test]
fn lanes_and_copies_do_not_take_pieces_apart() {
    for expr in ["s = a(i) * b(i)", "s = p(i) * a(i)", "y(i) = a(i) - b(i)"] {
        for (schedule, what) in [("lanes", "it has no lanes"), ("parallel", "it has no copies")] {
            let (cycles, graph) = kernel(expr, &format!("[schedule]\n{schedule} = {{ i = 4 }}\n"));
            assert!(cycles < 110, "{expr} takes {cycles} cycles with {schedule}");
            assert!(graph.contains(what), "{expr}: {graph}");
        }
    }
    // The index around has them, and of more lanes than there are likely to be pieces each has its
    // coordinates.
    let matrix = |schedule: &str| {
        let folder = Folder::new();
        let tables = "[tensors.A]\nlevels = [\"dense\", \"run\"]\ntype = \"i32\"\n[tensors.y]\nlevels = [\"dense\"]\n\
                      type = \"i32\"\n";
        let text = format!("expr = \"y(i) = A(i,j)\"\ndims = {{ i = 40, j = 400 }}\n{tables}[schedule]\n{schedule}\n");
        folder.write("k.toml", text).fine(&["graph", "k.toml"]).out
    };
    for what in ["lanes", "copies"] {
        let key = if what == "copies" { "parallel" } else { what };
        assert!(matrix(&format!("{key} = {{ j = 4 }}")).contains(&format!("i has {what} instead")));
        assert!(matrix(&format!("{key} = {{ i = 2, j = 4 }}")).contains("goes by intervals of runs"));
    }
    assert!(!kernel_graph("s = a(i)", "[schedule]\nlanes = { i = 64 }\n").contains("goes by intervals"));
}

#[test]
fn what_needs_each_coordinate_gets_it() {
    let kernels = [
        ("s = prod[i](a(i))", ""),
        ("s = sum[i](i * a(i))", ""),
        ("s = max[i](where(d(i) > 2, a(i), 0))", ""),
        ("s = a(i) * b(i)", "[schedule]\nskip = [\"i\"]\n"),
    ];
    for (expr, more) in kernels {
        let graph = kernel_graph(expr, more);
        assert!(!graph.contains("goes by intervals"), "{expr}: {graph}");
    }
}

/// What `graph` says of the kernel; it need not run.
fn kernel_graph(expr: &str, more: &str) -> String {
    let folder = Folder::new();
    let tables = "[tensors.a]\nlevels = [\"run\"]\ntype = \"i32\"\n[tensors.s]\ntype = \"i32\"\n";
    let b = if expr.contains("b(") { "[tensors.b]\nlevels = [\"run\"]\ntype = \"i32\"\n" } else { "" };
    let d = if expr.contains("d(") { "[tensors.d]\nlevels = [\"dense\"]\ntype = \"i32\"\n" } else { "" };
    folder.write("k.toml", format!("expr = \"{expr}\"\n[dims]\ni = {SIZE}\n{tables}{b}{d}{more}"));
    let ran = folder.run(&["graph", "k.toml"]);
    format!("{}{}", ran.out, ran.err)
}
