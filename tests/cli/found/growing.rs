//! Readers of results whose outermost level is a list follow it while it is written.

use crate::support::Folder;

/// The cycles of these statements, on a tensor with a value at three of four coordinates.
fn cycles(expr: &str, levels: &[&str]) -> u64 {
    let folder = Folder::new();
    let shape = &["24", "16"][..levels.len()];
    let table = |name: &str| format!("[tensors.{name}]\nlevels = {levels:?}\ntype = \"i32\"\n");
    let written = expr.split("; ").filter_map(|s| s.split('(').next()).map(table).collect::<String>();
    let text = format!(
        "expr = \"{expr}\"\n[tensors.A]\nlevels = {levels:?}\ntype = \"i32\"\nshape = [{}]\n{written}\
         [data]\nA = {{ random = {{ density = 0.75, seed = 1 }} }}\n",
        shape.join(", ")
    );
    let ran = folder.write("k.toml", text).fine(&["run", "k.toml"]);
    ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
}

#[test]
fn a_second_statement_ends_soon_after_the_first() {
    for levels in [&["compressed", "compressed"][..], &["compressed", "dense"], &["compressed"], &["run"], &["block"]] {
        let (of, other) = if levels.len() == 2 { ("(i,j)", "(k,l)") } else { ("(i)", "(k)") };
        let first = format!("T{of} = A{of} * 2");
        let alone = cycles(&first, levels);
        let both = cycles(&format!("{first}; y{other} = T{other} * 3"), levels);
        assert!(both <= alone + 60, "{levels:?}: {both}, and {alone} for the first");
        let three = cycles(&format!("{first}; U{other} = T{other} * 3; y{of} = U{of} * 5"), levels);
        assert!(three <= alone + 120, "{levels:?}: {three}, and {alone} for the first");
    }
    let later = cycles("T(i) = A(i) * 2; y(i) = T(i) * 3", &["compressed"]);
    let parts = cycles("T(i) = A(i) * 2; y(k) = T(k[2:9]) * 3", &["compressed"]);
    assert!(parts <= later + 10, "a part takes {parts}, all {later}");
}

#[test]
fn copies_that_share_a_memory_follow_its_writer() {
    let first = "T(i,j) = A(i,j) * 2";
    let alone = cycles(first, &["dense", "compressed"]);
    for memory in ["own", "shared", "banked"] {
        let folder = Folder::new();
        let table = |name: &str| format!("[tensors.{name}]\nlevels = [\"dense\", \"compressed\"]\ntype = \"i32\"\n");
        let text = format!(
            "expr = \"{first}; y(k) = T(k,l)\"\n[schedule.y]\n\
             parallel = {{ k = {{ copies = 3, memory = \"{memory}\" }} }}\n{}shape = [24, 16]\n{}\
             [tensors.y]\nlevels = [\"dense\"]\ntype = \"i32\"\n\
             [data]\nA = {{ random = {{ density = 0.75, seed = 1 }} }}\n",
            table("A"),
            table("T")
        );
        let ran = folder.write("k.toml", text).fine(&["run", "k.toml"]);
        let both = ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap();
        let both: u64 = both.trim().parse().unwrap();
        assert!(both <= alone + 100, "{memory}: {both}, and {alone} for the first");
    }
}
