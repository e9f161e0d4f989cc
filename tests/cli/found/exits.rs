//! Reductions over several indices that end early: the loops around the one that decides end, too.

use super::{Folder, entries};

/// Cycles of a reduction of 64 x 64 values, of which the one at (3, 5) decides, with this schedule.
fn cycles(expr: &str, levels: &str, schedule: &str) -> u64 {
    let folder = Folder::new();
    let mut a: Vec<i64> = (0..4096).map(|n| i64::from(n % 3 == 0) * 2).collect();
    a[3 * 64 + 5] = 255;
    let text = format!(
        "expr = \"{expr}\"\nschedule = {{ {schedule} }}\n[tensors]\ns = {{ type = \"u8\" }}\n\
         A = {{ levels = {levels}, type = \"u8\", shape = [64, 64] }}\n[data]\nA = \"A.tns\"\n"
    );
    folder.write("A.tns", entries(&[64, 64], &a, 0));
    let ran = folder.write("k.toml", text).fine(&["run", "k.toml", "--out", "s=s.tns"]);
    assert!(ran.out.contains("matches  the reference"), "{expr}: {}", ran.out);
    assert!(folder.read("s.tns").lines().any(|line| line.trim() == "255"), "{expr}: {}", folder.read("s.tns"));
    ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
}

#[test]
fn rows_after_the_one_that_decides_are_not_read() {
    for expr in ["s = max[i,j](A(i,j))", "s = max[i](max[j](A(i,j)))"] {
        for levels in ["[\"dense\", \"dense\"]", "[\"dense\", \"compressed\"]", "[\"compressed\", \"compressed\"]"] {
            // Three rows and a part, and rows that were begun before it was known.
            assert!(cycles(expr, levels, "") < 800, "{expr} of {levels}");
        }
    }
    assert!(cycles("s = max[i,j](A(i,j))", "[\"dense\", \"dense\"]", "lanes = { j = 4 }") < 400);
    // What other values of the row decide does not end it.
    assert!(cycles("s = max[i](max[j](A(i,j)) + 0 * i)", "[\"dense\", \"compressed\"]", "") < 1000);
}
