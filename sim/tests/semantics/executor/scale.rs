//! Sizes of real matrices: right, and without visiting what is not there.

use super::build::{Build, I32};
use super::*;
use samhw_compiler::stmt::ExprId;
use std::time::{Duration, Instant};

/// A matrix with `per_row` entries in each row, as rows of (column, value).
type Rows = Vec<Vec<(u64, u64)>>;

fn random_rows(seed: u64, rows: u64, columns: u64, per_row: u64) -> Rows {
    let mut rng = Rng::new(seed);
    let mut row = || {
        let mut columns: Vec<u64> = (0..per_row).map(|_| rng.below(columns)).collect();
        columns.sort_unstable();
        columns.dedup();
        columns.into_iter().map(|c| (c, rng.below(100))).collect()
    };
    (0..rows).map(|_| row()).collect()
}

/// A compressed operand with these rows; stored transposed if `transposed`.
fn matrix(k: &mut Build, name: &str, indices: &str, rows: &Rows, transposed: bool) -> ExprId {
    let t = k.tensor(name, indices, "cc", None);
    let entries = rows.iter().zip(0..).flat_map(|(row, i)| row.iter().map(move |&(j, v)| (i, j, v)));
    let (mut coords, mut values) = (Vec::new(), Vec::new());
    for (i, j, v) in entries {
        coords.extend(if transposed { [j, i] } else { [i, j] });
        values.push(v);
    }
    k.data.insert(t, Coo::new(k.kernel.tensor(t).shape.clone(), coords, values).unwrap());
    k.again(t, indices)
}

/// The result in the order the executor chooses, in far less time than visiting every pair of
/// rows and columns would take.
fn timed(case: &Case) -> Coo {
    let begin = Instant::now();
    let result = execute(&case.kernel, &case.dims, &case.data, None).unwrap().remove(&case.statement().result);
    let spent = begin.elapsed();
    println!("{spent:?}");
    assert!(spent < Duration::from_secs(60), "{spent:?}");
    result.unwrap().stored
}

const N: u64 = 20_000;

fn product(transposed: [bool; 2]) {
    let (b, c) = (random_rows(1, N, N, 8), random_rows(2, N, N, 8));
    let mut want: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for (i, row) in b.iter().enumerate() {
        for &(k, x) in row {
            for &(j, y) in &c[k as usize] {
                *want.entry((i as u64, j)).or_default() += x * y;
            }
        }
    }
    let mut k = Build::new(&[('i', N), ('j', N), ('k', N)]);
    let x = matrix(&mut k, "B", if transposed[0] { "ki" } else { "ik" }, &b, transposed[0]);
    let y = matrix(&mut k, "C", if transposed[1] { "jk" } else { "kj" }, &c, transposed[1]);
    let e = k.mul(x, y);
    let e = k.sum("k", e);
    let got = timed(&k.case("ij", "cc", e));
    assert!(got.iter().map(|(c, v)| ((c[0], c[1]), v)).eq(want));
}

#[test]
fn sparse_products_visit_nonzeros_only_whatever_the_index_order() {
    for transposed in [[false, false], [true, false], [false, true], [true, true]] {
        product(transposed);
    }
}

#[test]
fn a_matrix_times_a_dense_vector_visits_the_matrix() {
    let a = random_rows(3, N, N, 20);
    let mut k = Build::new(&[('i', N), ('j', N)]);
    let t = k.tensor("x", "j", "d", None);
    k.data.insert(t, Coo::new(vec![N], (0..N).collect(), (0..N).collect()).unwrap());
    let (x, m) = (k.again(t, "j"), matrix(&mut k, "A", "ij", &a, false));
    let e = k.mul(m, x);
    let e = k.sum("j", e);
    let got = timed(&k.case("i", "d", e));
    let want = a.iter().map(|row| I32.wrap(row.iter().map(|&(j, v)| i128::from(j * v)).sum()));
    assert!(got.iter().map(|e| e.1).eq(want));
}

#[test]
fn a_sampled_product_visits_the_samples_only() {
    const K: u64 = 16;
    let (b, c, d) = (random_rows(4, N, N, 4), random_rows(5, N, K, 64), random_rows(6, N, K, 64));
    let dot = |i: usize, j: u64| {
        let row: BTreeMap<u64, u64> = d[j as usize].iter().copied().collect();
        c[i].iter().filter_map(|(k, x)| Some(x * row.get(k)?)).sum::<u64>()
    };
    let want: Vec<u64> =
        b.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&(j, v)| v * dot(i, j))).collect();
    for factored in [false, true] {
        let mut k = Build::new(&[('i', N), ('j', N), ('k', K)]);
        let x = matrix(&mut k, "B", "ij", &b, false);
        let y = matrix(&mut k, "C", "ik", &c, false);
        let z = matrix(&mut k, "D", "jk", &d, false);
        let e = if factored {
            let e = k.mul(y, z);
            let e = k.sum("k", e);
            k.mul(x, e)
        } else {
            let e = k.mul(x, y);
            let e = k.mul(e, z);
            k.sum("k", e)
        };
        let got = timed(&k.case("ij", "cc", e));
        assert!(got.values().iter().copied().eq(want.iter().copied()), "factored: {factored}");
    }
}

#[test]
fn a_sum_of_matrices_merges_rows() {
    let parts = [7, 8, 9].map(|seed| random_rows(seed, N, N, 20));
    let mut want: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for (i, row) in parts.iter().flat_map(|p| p.iter().enumerate()) {
        row.iter().for_each(|&(j, v)| *want.entry((i as u64, j)).or_default() += v);
    }
    let mut k = Build::new(&[('i', N), ('j', N)]);
    let e = matrix(&mut k, "A", "ij", &parts[0], false);
    let f = matrix(&mut k, "B", "ij", &parts[1], false);
    let g = matrix(&mut k, "C", "ij", &parts[2], false);
    let e = k.add(e, f);
    let e = k.add(e, g);
    let got = timed(&k.case("ij", "cc", e));
    assert!(got.iter().map(|(c, v)| ((c[0], c[1]), v)).eq(want));
}
