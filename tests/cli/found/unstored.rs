//! What shape operators on the left take goes to them as streams, with any schedule, in as many cycles as without them.

use crate::support::Folder;

/// A kernel on random matrices, with what else stands in its file; `x`: levels and sizes of the result.
fn text(expr: &str, rest: &str, x: (&[&str], &[u64]), levels: &[&str]) -> String {
    let (kinds, shape) = x;
    let operand = |name: &str| format!("[tensors.{name}]\ntype = \"i32\"\nlevels = {levels:?}\nshape = [40, 40]\n");
    let source = |seed| format!("{{ random = {{ density = 0.6, seed = {seed}, values = [1, 9] }} }}");
    let operands: Vec<&str> = ["A", "B"].into_iter().filter(|name| expr.contains(name)).collect();
    let tables: String = operands.iter().map(|name| operand(name)).collect();
    let data: String = operands.iter().zip(1..).map(|(name, seed)| format!("{name} = {}\n", source(seed))).collect();
    format!(
        "expr = \"{expr}\"\n{rest}{tables}[tensors.x]\ntype = \"i32\"\nlevels = {kinds:?}\nshape = {shape:?}\n[data]\n{data}"
    )
}

/// Cycles, and how many entries the result stores.
fn ran(text: &str) -> (u64, u64) {
    let out = Folder::new().write("k.toml", text).fine(&["run", "k.toml"]).out;
    assert!(out.contains("the reference") && !out.contains("NOT"), "{text}{out}");
    let number = |before: &str, after: &str| {
        let line = out.lines().find(|line| line.starts_with(before)).unwrap();
        line.strip_suffix(after).unwrap().rsplit(' ').next().unwrap().parse().unwrap()
    };
    (number("cycles", ""), number("result   x", " stored"))
}

/// Values that no tensor's entries are, one by one.
const VALUES: [&str; 2] = ["A(p,k) * B(k,q)", "A(p,q) * (sum[k](B(p,k)))"];

#[test]
fn values_that_are_stored_nowhere_take_no_cycle_more() {
    for levels in [["compressed", "compressed"], ["dense", "compressed"]] {
        for value in VALUES {
            let plain = ran(&text(&format!("x(p,q) = {value}"), "", (&["compressed"; 2], &[40, 40]), &levels));
            for (left, shape) in [
                ("split(x, 0, 40)", &[1600][..]),
                ("reshape(x, 40, 40)", &[16, 100]),
                ("reshape(x, 40, 40)", &[400, 4]),
            ] {
                let kinds = vec!["compressed"; shape.len()];
                let kernel = text(&format!("{left}(p,q) = {value}"), "", (&kinds, shape), &levels);
                let (cycles, stored) = ran(&kernel);
                assert_eq!(stored, plain.1, "{kernel}");
                assert!(cycles <= plain.0 + 120, "{kernel}takes {cycles} cycles, without the operator {}", plain.0);
                let graph = Folder::new().write("k.toml", kernel.clone()).fine(&["graph", "k.toml"]).out;
                assert!(graph.contains("seen_of_x is not stored"), "{kernel}{graph}");
            }
        }
    }
}

#[test]
fn schedules_name_indices_that_operators_on_the_left_divide_or_join() {
    for value in VALUES {
        let expr = format!("split(x, 0, 40)(p,q) = {value}");
        let (_, stored) = ran(&text(&expr, "", (&["compressed"], &[1600]), &["dense", "compressed"]));
        for asked in ["lanes = { p = 4 }", "parallel = { p = 2 }", "split = { q = 8 }", "fuse = {}"] {
            for table in ["schedule", "schedule.x"] {
                if asked == "fuse = {}" && table != "schedule" {
                    continue;
                }
                let rest = format!("[{table}]\n{asked}\n");
                let found = ran(&text(&expr, &rest, (&["compressed"], &[1600]), &["dense", "compressed"]));
                assert_eq!(found.1, stored, "{value}, {table}: {asked}");
            }
        }
    }
    let expr = "collapse(x, 0)(p) = collapse(A, 0)(p) + 1";
    for rest in ["[schedule]\nlanes = { p = 4 }\n", "[schedule.x]\nparallel = { p = 2 }\n", "order = [\"p\"]\n"] {
        let (_, stored) = ran(&text(expr, rest, (&["compressed"; 2], &[40, 40]), &["dense", "compressed"]));
        let all = ran(&text(expr, "", (&["compressed"; 2], &[40, 40]), &["dense", "compressed"])).1;
        assert_eq!(stored, all, "{rest}");
    }
}
