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

/// Cycles of a kernel over rows of A, and of B, which are all true and stored so, with this line in its schedule.
fn of_rows(expr: &str, levels: [&str; 2], schedule: &str) -> u64 {
    let folder = Folder::new();
    let mut text = format!(
        "expr = \"{expr}\"\nschedule = {{ {schedule} }}\n[tensors]\ny = {{ format = \"dense\", type = \"bool\" }}\n"
    );
    let mut args = vec!["run".to_owned(), "k.toml".to_owned(), "--out".into(), "y=y.tns".into()];
    for (name, level) in ["A", "B"].into_iter().zip(levels).filter(|(name, _)| expr.contains(&format!("{name}("))) {
        text += &format!("{name} = {{ levels = [\"dense\", \"{level}\"], type = \"bool\", shape = [20, 600] }}\n");
        folder.write(&format!("{name}.tns"), entries(&[20, 600], &[1; 12_000], 0));
        args.extend(["--tensor".to_owned(), format!("{name}={name}.tns")]);
    }
    let ran = folder.write("k.toml", text).fine(&args);
    assert!(ran.out.contains("matches  the reference"), "{expr}: {}", ran.out);
    let rows = folder.read("y.tns").lines().filter(|line| line.ends_with(" 1")).count();
    assert_eq!(rows, 20, "{expr} of {levels:?}");
    ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
}

#[test]
fn rows_that_the_first_value_decides_take_few_cycles_in_every_level() {
    let levels = ["dense", "compressed", "bitvector", "bitvector8", "block", "run"];
    for (n, first) in levels.into_iter().enumerate() {
        let alone = of_rows("y(i) = any[j](A(i,j))", [first; 2], "");
        assert!(alone <= 20 * 18 + 50, "{first} takes {alone} cycles");
        for second in &levels[n..] {
            let joined = of_rows("y(i) = any[j](A(i,j) and B(i,j))", [first, second], "");
            assert!(joined <= 20 * 25 + 50, "{first} and {second} take {joined} cycles");
        }
    }
    for schedule in ["lanes = { i = 4 }", "parallel = { i = 4 }"] {
        for level in ["dense", "block", "bitvector8"] {
            let quarter = of_rows("y(i) = any[j](A(i,j) and B(i,j))", [level, "dense"], schedule);
            assert!(quarter <= 5 * 25 + 80, "{level} takes {quarter} cycles with {schedule}");
        }
    }
}
