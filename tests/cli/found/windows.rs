//! Windows of compressed levels: what is read of a row is what lies in the window, and no more than the row.

use super::{entries, gives, tensor};
use crate::support::Folder;

const SIZE: [u64; 2] = [30, 400];

fn value(i: u64, j: u64) -> i64 {
    if (i * 31 + j * 17) % 10 < 2 { (i + j + 1) as i64 } else { 0 }
}

fn cycles(expr: &str, more: &str) -> u64 {
    let folder = Folder::new();
    let values: Vec<i64> = (0..SIZE[0]).flat_map(|i| (0..SIZE[1]).map(move |j| value(i, j))).collect();
    let text = format!(
        "expr = \"{expr}\"\n{more}[tensors]\nA = {{ levels = [\"dense\", \"compressed\"], type = \"i32\", shape = {SIZE:?} }}\n\
         y = {{ format = \"dense\", type = \"i32\" }}\n"
    );
    folder.write("A.tns", entries(&SIZE, &values, 0)).write("k.toml", text);
    let ran = folder.fine(&["run", "k.toml", "--tensor", "A=A.tns"]);
    assert!(ran.out.contains("matches  the reference"), "{expr}: {}", ran.out);
    ran.out.lines().find_map(|line| line.strip_prefix("cycles")).unwrap().trim().parse().unwrap()
}

#[test]
fn take_no_more_than_the_row_and_less_where_they_are_small() {
    // Rows have 80 entries, a tenth of the coordinates 8.
    let all = cycles("y(i) = sum[j](A(i,j))", "");
    for (window, most) in [("4:400", all + 60), ("40:80", all / 3), ("200:240", all / 2), ("360:400", all / 2)] {
        let part = cycles(&format!("y(i) = sum[j](A(i,j[{window}]))"), "");
        assert!(part <= most, "{window} takes {part} cycles, all {all}");
    }
    let steps = cycles("y(i) = sum[j](A(i,j[3:400:10]))", "");
    assert!(steps <= all + 60, "every tenth takes {steps} cycles, all {all}");
}

#[test]
fn give_what_lies_inside_in_every_level() {
    let values: Vec<i64> = (0..SIZE[0]).flat_map(|i| (0..SIZE[1]).map(move |j| value(i, j))).collect();
    for (window, inside) in
        [("40:80", (40..80).step_by(1)), ("7:390:3", (7..390).step_by(3)), ("399:400", (399..400).step_by(1))]
    {
        let sums: Vec<i64> = (0..SIZE[0]).map(|i| inside.clone().map(|j| value(i, j)).sum()).collect();
        for levels in
            [["dense", "compressed"], ["compressed", "compressed"], ["dense", "bitvector"], ["dense", "block"]]
        {
            let tensors = [tensor("A", &levels, &SIZE, &values), tensor("y", &["dense"], &[SIZE[0]], &[])];
            gives(&format!("y(i) = sum[j](A(i,j[{window}]))"), "i32", &tensors, &[("y", &sums)]);
        }
    }
}
