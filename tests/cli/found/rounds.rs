//! Programs that repeat, with tiles of indices of what rounds carry.

use crate::support::Folder;

/// What a program prints with this schedule.
fn ran(expr: &str, levels: &str, schedule: &str) -> String {
    let square = "[tensors.A]\nformat = \"csr\"\ntype = \"i32\"\nshape = [21, 21]\n";
    let vector = |name| format!("[tensors.{name}]\nlevels = [\"{levels}\"]\ntype = \"i32\"\nshape = [21]\n");
    let text = format!(
        "expr = \"{expr}; more = any[i](n(i) > 3)\"\n[schedule]\n{schedule}\n{square}{}{}{}\
         [tensors.more]\nlevels = []\ntype = \"bool\"\n\
         [repeat]\nwhile = \"more\"\nat_most = 4\ncarry = {{ f = \"n\" }}\n\
         [data]\nA = {{ random = {{ density = 0.2, seed = 1, values = [1, 3] }} }}\n\
         f = {{ random = {{ density = 0.6, seed = 2, values = [1, 6] }} }}\n",
        vector("f"),
        vector("n"),
        if expr.starts_with("t(") { vector("t") } else { String::new() }
    );
    Folder::new().write("k.toml", text).fine(&["run", "k.toml"]).out
}

#[test]
fn what_rounds_carry_may_lie_in_tiles() {
    for expr in [
        "n(i) = pymod(sum[j](A(i,j) * f(j)), 7)",
        "n(i) = pymod(sum[j](A(i,j) * f(j)) + f(i), 7)",
        "t(i) = pymod(sum[j](A(j,i) * f(j)), 5); n(i) = pymod(sum[j](A(i,j) * t(j)), 7)",
    ] {
        for levels in ["dense", "compressed"] {
            let rounds = |out: &str| out.lines().find(|line| line.starts_with("rounds")).map(str::to_owned);
            let plain = rounds(&ran(expr, levels, ""));
            for schedule in [
                "split = { i = 4 }",
                "split = { j = 8 }",
                "split = { i = 5, j = 3 }",
                "split = { i = 4, j = 4 }\nparallel = { i0 = 2 }",
            ] {
                let out = ran(expr, levels, schedule);
                assert!(out.contains("matches  the reference"), "{expr}, {levels}, {schedule}: {out}");
                assert_eq!(rounds(&out), plain, "{expr}, {levels}, {schedule}");
            }
        }
    }
}

#[test]
fn shape_operators_stand_on_both_sides_in_rounds() {
    let expr = "split(n,0,1)(p,q) = pymod(sum[k](A(p,k) * split(f,0,1)(k,q)), 7)";
    for levels in ["dense", "compressed"] {
        for schedule in ["", "split = { p = 4 }", "parallel = { p = 2 }", "lanes = { p = 2 }"] {
            let out = ran(expr, levels, schedule);
            assert!(out.contains("matches  the reference"), "{levels}, {schedule}: {out}");
        }
    }
}
