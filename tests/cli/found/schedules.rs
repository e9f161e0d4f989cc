//! Schedules, rounds, and data behind a bus.

use super::{Tensor, entries, gives, scheduled, tensor};
use crate::support::Folder;

const V: &[i64] = &[0, 4, 5, 0, 0, 7, 8, 9, 0];

#[test]
fn statements_share_a_scanner_of_blocks_that_one_joins_by_intervals() {
    for levels in [&["compressed"], &["dense"], &["bitvector8"], &["block"], &["run"]] {
        let tensors = [
            tensor("v", &["block"], &[9], V),
            tensor("t", &["block"], &[9], &[3, 2, 0, 0, 1, 1, 1, 0, 6]),
            tensor("x", &["compressed"], &[9], &[]),
            tensor("y", levels, &[9], &[]),
        ];
        let product = [0, 8, 0, 0, 0, 7, 8, 0, 0];
        gives("x(j) = v(j) * t(j); y(j) = v(j)", "i16", &tensors, &[("x", &product), ("y", V)]);
    }
}

#[test]
fn what_rounds_carry_is_read_at_computed_coordinates() {
    let folder = Folder::new();
    let kernel = |level: &str| {
        format!(
            "expr = \"y(i) = x(p(i)) * x(i); more = any[i](y(i) != 0)\"\n[dims]\ni = 4\n[tensors]\n\
             x = {{ levels = [\"{level}\"], type = \"i32\" }}\np = {{ format = \"dense\", type = \"i32\" }}\n\
             y = {{ levels = [\"{level}\"], type = \"i32\", fill = 0 }}\nmore = {{ type = \"bool\" }}\n\
             [repeat]\nwhile = \"more\"\nat_most = 3\ncarry = {{ x = \"y\" }}\n[data]\n\
             x = {{ random = {{ density = 0.5, seed = 2 }} }}\n\
             p = {{ random = {{ density = 1.0, seed = 3, values = [1, 3] }} }}\n"
        )
    };
    for level in ["compressed", "dense"] {
        let ran = folder.write("k.toml", kernel(level)).fine(&["run", "k.toml"]);
        assert!(ran.out.contains("matches  the reference"), "{}", ran.out);
    }
}

#[test]
fn lanes_in_step_have_banks_of_one_size() {
    // Seven columns in three lanes: two banks have one beyond the end, which takes nothing from the rows
    // below.
    let (b, x) = (&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], &[10, 20]);
    for memory in ["ram", "axi"] {
        let more = format!("\"\n[schedule]\nlanes = {{ k = 3 }}\n[hardware]\nmemory = \"{memory}");
        let tensors = [
            tensor("b", &["dense", "dense"], &[2, 7], b),
            tensor("x", &["dense"], &[2], x),
            tensor("y", &["dense", "dense"], &[2, 7], &[]),
        ];
        let expected = [11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31, 32, 33, 34];
        gives(&format!("y(i,k) = b(i,k) + x(i){more}"), "i32", &tensors, &[("y", &expected)]);
    }
}

#[test]
fn names_of_packings_and_versions_are_different_ones() {
    let tensors = [tensor("R", &["compressed"], &[6], &[]), tensor("a", &["compressed"], &[6], &[0, 0, 0, 0, 0, 1])];
    gives("R(k) min= 1; R(k) = 1; R(k) = a(k)", "i32", &tensors, &[("R", &[0, 0, 0, 0, 0, 1])]);
}

#[test]
fn lanes_read_no_rows_that_lanes_left_out() {
    const A: &[i64] = &[0, 0, 0, 1];
    for levels in [&["compressed", "dense"], &["compressed", "compressed"]] {
        let tensors = [
            tensor("A", &["compressed", "compressed"], &[2, 2], A),
            tensor("Q", levels, &[2, 2], &[]),
            tensor("R", levels, &[2, 2], &[]),
        ];
        let lanes = "schedule = { lanes = { i = 2 } }\n";
        scheduled(lanes, "Q(j,i) = A(j,i); R(j,i) = Q(j,i) * 2", "i32", &tensors, &[("R", &[0, 0, 0, 2])]);
        let [a, _, r] = tensors;
        scheduled(lanes, "R(j,i) = A(j,i); R(j,i) += A(j,i)", "i32", &[a, r], &[("R", &[0, 0, 0, 2])]);
    }
}

#[test]
fn lanes_do_not_cut_what_rounds_carry_as_the_host_would() {
    let rounds =
        "schedule = { lanes = { i = 2 } }\nrepeat = { while = \"more\", at_most = 2, carry = { A = \"R\" } }\n";
    let pattern = &[0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    for lanes in ["2", "3", "4"] {
        let rounds = rounds.replace("i = 2", &format!("i = {lanes}"));
        let two = ["compressed", "compressed"];
        let tensors =
            [tensor("A", &two, &[4, 4], pattern), tensor("R", &two, &[4, 4], &[]), tensor("more", &[], &[], &[])];
        scheduled(&rounds, "R(j,i) = A(j,i); more = 1", "i32", &tensors, &[("R", pattern)]);
    }
    // Of one index there is no row that could have the lanes instead.
    let folder = Folder::new();
    let vector = "type = \"i32\"\nlevels = [\"compressed\"]\nshape = [5]\n";
    let scalar = "type = \"i32\"\nlevels = []\n";
    let tables = [("A", vector), ("b", vector), ("R", vector), ("Q", scalar), ("more", scalar)];
    let tables: String = tables.iter().map(|(name, table)| format!("[tensors.{name}]\n{table}")).collect();
    folder.write("k.toml", format!("expr = \"R(j) = b(j) * 2; Q = A(i); more = 1\"\n{rounds}{tables}"));
    let ran = folder.run(&["graph", "k.toml"]);
    assert!(ran.err.contains("error[S020]") && ran.err.contains("rounds carry R to A"), "{}", ran.err);
}

#[test]
fn what_is_written_behind_a_bus_is_read_when_it_is_there() {
    for size in [57, 64, 73, 80, 96, 137] {
        let (seven, all, shape) = (vec![7; size], vec![21; size], [size as u64]);
        let tensors = [
            tensor("R", &["dense"], &shape, &[]),
            tensor("b", &["dense"], &[1], &[3]),
            tensor("Q", &["dense"], &shape, &[]),
        ];
        for (ty, width) in [("i32", 32), ("i64", 64)] {
            let bus = format!("hardware = {{ memory = \"axi\", axi = {{ data_width = {width} }} }}\n");
            let expected = [("R", &seven[..]), ("Q", &all[..])];
            scheduled(&bus, "R(j) = 7; Q(j) = R(j) * b(i)", ty, &tensors, &expected);
        }
    }
}

#[test]
fn early_exits_of_symmetric_operands_end_behind_a_bus() {
    let (a, most) = (&[1, 0, 0, 2, 0, 0, 0, 0, 255], &[2, 2, 255]);
    for level in ["dense", "compressed", "bitvector8", "bitvector16", "block", "run"] {
        let levels = [level, "compressed"];
        let tensors = [
            tensor("R", &["compressed"], &[3], &[]),
            Tensor { more: "symmetric = true", ..tensor("A", &levels, &[3, 3], a) },
        ];
        let bus = "hardware = { memory = \"axi\" }\n";
        scheduled(bus, "R(j) = max[k](A(j,k))", "u8", &tensors, &[("R", most)]);
    }
}

#[test]
fn lanes_go_to_an_index_of_the_result_around_a_rolled_operand() {
    let a = &[0, 1, 1, 0, 0];
    // Of each i + 1, which is not 0, as many as m has: an odd number.
    let rolled = [0, 0, 0, 1, 1];
    let expected: Vec<i64> = rolled.repeat(3);
    for lanes in ["i = 2", "i = 3", "k = 2"] {
        let tensors = [tensor("a", &["compressed"], &[5], a), tensor("R", &["dense", "bitvector"], &[3, 5], &[])];
        let lines = format!("dims = {{ m = 3 }}\nschedule = {{ lanes = {{ {lanes} }} }}\n");
        scheduled(&lines, "R(k,i) = roll(a,0,2)(i) and xor[m](i + 1)", "bool", &tensors, &[("R", &expected)]);
    }
}

#[test]
fn copies_of_an_index_that_goes_by_intervals_of_what_is_absent_are_left_out() {
    let folder = Folder::new();
    let (a, mut b) = ((1..=8).collect::<Vec<i64>>(), vec![7; 60]);
    (b[3], b[17], b[40]) = (2, 5, 1);
    folder.write("a.tns", entries(&[8], &a, 0)).write("b.tns", entries(&[60], &b, 7));
    let cycles = |schedule: &str| -> u64 {
        let text = format!(
            "expr = \"s = a(k) * b(j)\"\nschedule = {{ {schedule} }}\n[tensors]\n\
             s = {{ levels = [], type = \"i32\" }}\na = {{ levels = [\"dense\"], type = \"i32\", shape = [8] }}\n\
             b = {{ levels = [\"compressed\"], type = \"i32\", fill = 7, shape = [60] }}\n\
             [data]\na = \"a.tns\"\nb = \"b.tns\"\n"
        );
        let ran = folder.write("k.toml", text).fine(&["run", "k.toml", "--out", "s=s.tns"]);
        let sum = a.iter().sum::<i64>() * b.iter().sum::<i64>();
        assert!(folder.read("s.tns").lines().any(|line| line.trim() == sum.to_string()), "{}", folder.read("s.tns"));
        let line = ran.out.lines().find_map(|line| line.strip_prefix("cycles")).expect("cycles");
        line.trim().parse().expect("a number")
    };
    let alone = cycles("");
    for copies in [2, 4] {
        assert_eq!(cycles(&format!("parallel = {{ j = {copies} }}")), alone, "{copies} copies");
    }
    let said = folder.fine(&["graph", "k.toml"]).out;
    assert!(said.contains("j goes by intervals, which are fewer than coordinates: it has no copies"), "{said}");
}

#[test]
fn lanes_of_an_index_at_slices_of_runs_are_left_out() {
    let a = &[3, 3, 3, 0, 0, 5, 5, 5];
    for asked in ["lanes", "parallel"] {
        let tensors = [tensor("a", &["run"], &[8], a), tensor("c", &["run"], &[7], &[])];
        let lines = format!("schedule = {{ {asked} = {{ i = 2 }} }}\n");
        let sums = [6, 6, 3, 0, 5, 10, 10];
        scheduled(&lines, "c(i) = a(i[1:8]) + a(i[0:7])", "i32", &tensors, &[("c", &sums)]);
    }
}

#[test]
fn values_beyond_a_split_index_keep_nothing_of_a_pruned_result() {
    // 3 and 4 are beyond the end, where D has its fill.
    let d = &[1, 2, 5, 3, 2, 4];
    for (condition, expected) in [("k == 3", [0; 6]), ("k > 2", [0; 6]), ("k > kept(j)", [0, 0, 0, 3, 2, 4])] {
        for levels in [["dense", "dense"], ["compressed", "compressed"]] {
            for stored in [["compressed", "dense"], ["compressed", "compressed"]] {
                for schedule in ["{}", "{ split = { k = 2 } }", "{ split = { k = 4 } }", "{ split = { j = 2, k = 2 } }"]
                {
                    let lows = Tensor { fill: -1, ..tensor("kept", &["dense"], &[2], &[2, -1]) };
                    let mut tensors = vec![
                        Tensor { fill: 2, ..tensor("D", &levels, &[2, 3], d) },
                        Tensor { more: "prune = true", ..tensor("R", &stored, &[2, 3], &[]) },
                    ];
                    tensors.extend(condition.contains("kept").then_some(lows));
                    let lines = format!("schedule = {schedule}\n");
                    let expr = format!("R(j,k) = mask({condition}, D(j,k))");
                    scheduled(&lines, &expr, "i32", &tensors, &[("R", &expected)]);
                }
            }
        }
    }
}

/// A round writes values beyond the size into the last tile, which the next one must not sum.
#[test]
fn what_rounds_carry_beyond_a_split_index_is_never_summed() {
    let folder = Folder::new();
    let cases = [
        ("w(i) = z(i) * 2; s = z(i)", true),
        ("w(i) = z(i) * z(i); s = sum[i](z(i) * z(i))", true),
        ("w(i) = z(i) + 1; s = z(i)", false),
        ("w(i) = 7; s = z(i)", false),
        ("w(i) = i + 1; s = z(i)", false),
        ("s = z(i); z(i) += z(i)", true),
        ("s = z(i); z(i) += 1", false),
    ];
    for (expr, fine) in cases {
        let updates = expr.contains("+=");
        let vector = "{ format = \"dense\", type = \"i32\" }";
        let (w, carry) =
            if updates { (String::new(), "") } else { (format!("w = {vector}\n"), "carry = { z = \"w\" }\n") };
        let kernel = format!(
            "expr = \"{expr}\"\ndims = {{ i = 3 }}\n[tensors]\nz = {vector}\n{w}s = {{ type = \"i32\" }}\n[repeat]\n\
             while = \"s\"\nat_most = 3\n{carry}[schedule]\nsplit = {{ i = 2 }}\n[data]\n\
             z = {{ random = {{ density = 1.0, seed = 2 }} }}\n"
        );
        folder.write("k.toml", kernel);
        if fine {
            assert!(folder.fine(&["run", "k.toml"]).out.contains("matches  the reference"), "{expr}");
        } else {
            folder.run(&["run", "k.toml"]).failed(2, "S042");
        }
    }
}

#[test]
fn runs_are_packed_behind_what_gives_their_values() {
    let sums: Vec<i64> = (0..4).collect();
    for level in [["run"], ["block"]] {
        let tensors = [tensor("Q", &level, &[4], &[])];
        for schedule in ["split = { k = 2 }", "parallel = { j = 2 }", "parallel = { j = 2 }, split = { k = 2 }"] {
            let lines = format!("dims = {{ j = 4 }}\nschedule = {{ {schedule} }}\n");
            scheduled(&lines, "Q(k) = sum[j](nmask(j, k))", "u32", &tensors, &[("Q", &sums)]);
        }
    }
}

#[test]
fn indices_of_one_mode_of_a_result_are_split_alike() {
    // T is written by i and read by p, and only one of both is named.
    let (a, expected) = (&[3, 0, 0, 1, 0, 2, 0], [9, 0, 0, 3, 0, 6, 0]);
    for split in ["i = 2", "p = 3"] {
        let lines = format!("schedule = {{ split = {{ {split} }} }}\n");
        let tensors = [
            tensor("a", &["compressed"], &[7], a),
            tensor("T", &["compressed"], &[7], &[]),
            tensor("y", &["dense"], &[7], &[]),
        ];
        scheduled(&lines, "T(i) = a(i) * 2; y(p) = T(p) + a(p)", "i32", &tensors, &[("y", &expected)]);
    }
    let folder = Folder::new();
    let said = |expr: &str| {
        let text = format!(
            "expr = \"{expr}\"\nschedule = {{ split = {{ i = 2 }} }}\n[tensors]\n\
             a = {{ levels = [\"compressed\"], type = \"i32\", shape = [7] }}\n\
             T = {{ levels = [\"compressed\"], type = \"i32\" }}\ny = {{ levels = [\"dense\"], type = \"i32\" }}\n"
        );
        let ran = folder.write("k.toml", text).run(&["graph", "k.toml"]);
        format!("{}{}", ran.out, ran.err)
    };
    let followed = "p is split, too: T lies in tiles of 2 where another statement has it";
    assert!(said("T(i) = a(i) * 2; y(p) = T(p) + a(p)").contains(followed));
    // What is scanned along is not split: streams put its tiles together.
    let lines = "schedule = { split = { i = 2 } }\n";
    let tensors = [
        tensor("a", &["compressed"], &[7], a),
        tensor("T", &["compressed"], &[7], &[]),
        tensor("y", &["dense"], &[7], &[]),
    ];
    let sums = [6, 6, 6, 8, 8, 12, 12];
    scheduled(lines, "T(i) = a(i) * 2; y(p) = cumsum[p](T(p))", "i32", &tensors, &[("y", &sums)]);
}

#[test]
fn lanes_of_a_result_are_those_of_all_that_write_and_read_it() {
    let a = [0, 3, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 7];
    let sums = |summed: fn(usize, usize) -> usize, size: usize| -> Vec<i64> {
        (0..size).map(|k| 2 * (0..20).filter(|at| summed(at / 4, at % 4) == k).map(|at| a[at]).sum::<i64>()).collect()
    };
    let (columns, rows) = (sums(|_, j| j, 4), sums(|i, _| i, 5));
    for index in ["i", "p", "u"] {
        let tensors = [
            tensor("A", &["compressed", "compressed"], &[5, 4], &a),
            tensor("T", &["compressed", "compressed"], &[5, 4], &[]),
            tensor("x", &["compressed"], &[4], &[]),
            tensor("y", &["dense"], &[5], &[]),
        ];
        let lines = format!("schedule = {{ lanes = {{ {index} = 2 }} }}\n");
        let expr = "T(i,j) = A(i,j) * 2; x(q) = sum[p](T(p,q)); y(u) = sum[v](T(u,v))";
        scheduled(&lines, expr, "i32", &tensors, &[("x", &columns), ("y", &rows)]);
    }
}

#[test]
fn a_run_says_which_lanes_it_does_without() {
    let folder = Folder::new();
    let table = |name: &str| format!("[tensors.{name}]\nlevels = [\"compressed\"]\nshape = [16]\ntype = \"i32\"\n");
    let data = "[data]\na = { random = { density = 0.5, seed = 2 } }\nb = { random = { density = 0.5, seed = 3 } }\n";
    let text = format!(
        "expr = \"x(i) = hstack(flip(a, -1), b)(i)\"\nschedule = {{ lanes = {{ i = 4 }} }}\n\
         tensors.x = {{ levels = [\"dense\"], type = \"i32\" }}\n{}{}{data}",
        table("a"),
        table("b")
    );
    let ran = folder.write("k.toml", text).fine(&["run", "k.toml"]);
    assert!(ran.out.contains("note     lanes over i") && ran.out.contains("none in x: "), "{}", ran.out);
}

/// Tiles in tiles, of sizes that do not divide the index: files have whole coordinates.
#[test]
fn tiles_lie_in_tiles() {
    let value = |n: i64| if n % 3 == 0 { 0 } else { n % 5 };
    let (a, x): (Vec<i64>, Vec<i64>) = ((0..11 * 13).map(value).collect(), (1..14).collect());
    let row = |i: usize, of: &dyn Fn(usize) -> bool| -> i64 {
        (0..13).filter(|j| of(*j)).map(|j| a[i * 13 + j] * x[j]).sum()
    };
    let y: Vec<i64> = (0..11).map(|i| row(i, &|_| true)).collect();
    let lower: Vec<i64> = (0..11).map(|i| row(i, &|j| j <= i)).collect();
    let twice: Vec<i64> = (0..13).map(|j| (0..11).map(|i| 2 * a[i * 13 + j] * y[i]).sum()).collect();
    let (both, number) = ("y(i) = A(i,j) * x(j); z(j) = sum[i](A(i,j) * y(i) * 2)", "where(j <= i, A(i,j) * x(j), 0)");
    let mask = format!("y(i) = sum[j]({number})");
    let lines = |more: &str| format!("[schedule]\nsplit = {{ i = [6, 2], j = [12, 4, 2] }}\n{more}\n");
    let axi = "skip = []\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\ntile = 64\non_chip = 16";
    for levels in [["dense", "compressed"], ["compressed", "compressed"]] {
        let tensors = [
            tensor("A", &levels, &[11, 13], &a),
            tensor("x", &["dense"], &[13], &x),
            tensor("y", &["compressed"], &[11], &[]),
            tensor("z", &["dense"], &[13], &[]),
        ];
        for more in ["", "lanes = { j3 = 2 }", "parallel = { i1 = 2 }", axi] {
            scheduled(&lines(more), both, "i32", &tensors, &[("y", &y), ("z", &twice)]);
            scheduled(&lines(more), &mask, "i32", &tensors[..3], &[("y", &lower)]);
        }
    }
    let order = "order = [\"j0\", \"i0\", \"j1\", \"i1\", \"j2\", \"i2\", \"j3\"]\n";
    let tensors = [
        tensor("A", &["compressed", "compressed"], &[11, 13], &a),
        tensor("x", &["compressed"], &[13], &x),
        tensor("y", &["compressed"], &[11], &[]),
    ];
    let lines = format!("{order}{}", lines("wide = { j = 2 }"));
    scheduled(&lines, "y(i) = A(i,j) * x(j)", "i32", &tensors, &[("y", &y)]);
}
