//! Reads next to an index, `a(i + 1)`, of operands of all levels: values by hand, and that loops go over
//! what is stored.

use super::{Folder, entries, gives, scheduled, tensor};

/// What `a` has at `i + by`, or `fill`.
fn at(a: &[i64], i: usize, by: i64, fill: i64) -> i64 {
    let place = usize::try_from(i as i64 + by);
    place.ok().and_then(|place| a.get(place).copied()).unwrap_or(fill)
}

#[test]
fn values_are_those_beside_in_every_level_and_schedule() {
    let a = [0, 4, 4, 4, 0, 0, 9, 0, 2, 2, 7, 7];
    let sum: Vec<i64> = (0..a.len()).map(|i| at(&a, i, -2, 0) + a[i] + at(&a, i, 1, 0)).collect();
    let least: Vec<i64> = (0..a.len()).map(|i| a[i].min(at(&a, i, 3, 0))).collect();
    let product: Vec<i64> = (0..a.len()).map(|i| a[i] * at(&a, i, 1, 0)).collect();
    for level in ["compressed", "run", "block", "bitvector", "hash"] {
        for schedule in ["", "lanes = { i = 2 }", "parallel = { i = 2 }", "split = { i = 4 }"] {
            let line = if schedule.is_empty() { String::new() } else { format!("schedule = {{ {schedule} }}\n") };
            for (expr, expected) in [
                ("y(i) = coalesce(a(i - 2), 0) + a(i) + a(1 + i)", &sum),
                ("y(i) = min(a(i), a(i + 3))", &least),
                ("y(i) = a(i) * a(i + 1)", &product),
            ] {
                // One lane cannot have the coordinates of another one's lists.
                if schedule.starts_with("lanes") && level != "run" {
                    continue;
                }
                let (levels, out) = ([level], ["run"]);
                let tensors = [tensor("a", &levels, &[12], &a), tensor("y", &out, &[12], &[])];
                scheduled(&line, expr, "i32", &tensors, &[("y", expected)]);
            }
        }
    }
}

#[test]
fn stencils_of_runs_take_a_cycle_for_each_piece() {
    let folder = Folder::new();
    let a: Vec<i64> = (0..256).map(|i| if i % 64 < 40 { i / 64 + 1 } else { 0 }).collect();
    folder.write("a.tns", entries(&[256], &a, 0));
    let cycles = |expr: &str, level: &str| -> u64 {
        let text = format!(
            "expr = \"{expr}\"\ndims = {{ i = 256 }}\n[tensors]\ny = {{ levels = [\"{level}\"], type = \"u8\" }}\n\
             a = {{ levels = [\"{level}\"], type = \"u8\" }}\n[data]\na = \"a.tns\"\n"
        );
        let ran = folder.write("k.toml", text).fine(&["run", "k.toml"]);
        assert!(ran.out.contains("matches  the reference"), "{expr}: {}", ran.out);
        ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
    };
    let eroded = "y(i) = min(a(i - 1), a(i), a(i + 1))";
    assert!(cycles(eroded, "run") < 60);
    assert!(cycles("y(i) = a(i - 1) + a(i + 1)", "compressed") < 245);
    // Another operand leads, and what is beside it is looked up.
    let alone = cycles("y(i) = a(i) * a(i)", "compressed");
    assert!(cycles("y(i) = a(i) * a(i + 1)", "compressed") <= alone + 20);
}

#[test]
fn data_may_be_smaller_than_declared_beside_an_index() {
    let folder = Folder::new();
    let text = "expr = \"y(i) = a(i - 1) + a(i)\"\ndims = { i = 8 }\n[tensors]\n\
                y = { levels = [\"compressed\"], type = \"i32\" }\na = { levels = [\"compressed\"], type = \"i32\" }\n";
    folder.write("k.toml", text).write("a.mtx", "%%MatrixMarket matrix array integer general\n5 1\n1\n0\n3\n0\n5\n");
    let ran = folder.fine(&["run", "k.toml", "--tensor", "a=a.mtx", "--out", "y=y.tns"]);
    assert!(ran.out.contains("matches  the reference"), "{}", ran.out);
    let out = folder.read("y.tns");
    let stored: Vec<&str> = out.lines().filter(|line| !line.starts_with('#') && !line.ends_with(" 0")).collect();
    assert_eq!(stored, ["1 1", "2 1", "3 3", "4 3", "5 5"]);
}

#[test]
fn slices_stand_next_to_computed_coordinates() {
    let a: Vec<i64> = (0..30).map(|at| if at % 3 == 1 { 0 } else { at + 1 }).collect();
    let at = |p: usize, q: usize| if q < 5 { a[p * 5 + q] } else { 0 };
    let each = |rows: &[usize], factor: i64| -> Vec<i64> {
        rows.iter().flat_map(|&p| (0..5).map(move |q| (p, q))).map(|(p, q)| factor * at(p, q + 2)).collect()
    };
    for (slice, rows) in [("1:5", &[1, 2, 3, 4][..]), ("1:6:2", &[1, 3, 5]), ("::-1", &[5, 4, 3, 2, 1, 0])] {
        for levels in [["dense", "compressed"], ["compressed", "compressed"], ["dense", "dense"], ["run", "compressed"]]
        {
            let shape = [rows.len() as u64, 5];
            let x = tensor("x", &["dense", "compressed"], &shape, &[]);
            let expr = format!("x(p,q) = A(p[{slice}], q + 2)");
            gives(&expr, "i32", &[tensor("A", &levels, &[6, 5], &a), x], &[("x", &each(rows, 1))]);
            let x = tensor("x", &["dense", "compressed"], &shape, &[]);
            let t = tensor("T", &["dense", "compressed"], &[6, 5], &[]);
            let expr = format!("T(i,j) = A(i,j) * 2; x(p,q) = T(p[{slice}], q + 2)");
            gives(&expr, "i32", &[tensor("A", &levels, &[6, 5], &a), t, x], &[("x", &each(rows, 2))]);
        }
    }
}
