//! Generators: statistics, structure, determinism.

use samhw_compiler::data::{Generator, Pattern, Range};
use samhw_compiler::types::Type;

use samhw_values::to_f64;

use super::{I32, entries, render, target};
use crate::tensor::{Coo, generate};

fn make(pattern: Pattern, seed: u64, values: Option<Range>, shape: &[u64]) -> Coo {
    let made = generate(&Generator { pattern, seed, values }, &target(shape, I32));
    made.unwrap_or_else(|e| panic!("{}", render(&e))).coo
}

#[test]
fn densities_are_met() {
    for (density, shape) in
        [(0.5, &[300, 300][..]), (0.01, &[100, 100, 100]), (1e-9, &[1 << 24, 1 << 20]), (0.9, &[100_000])]
    {
        let mean = shape.iter().map(|&n| n as f64).product::<f64>() * density;
        for seed in 0..4 {
            let found = make(Pattern::Random { density }, seed, None, shape).len() as f64;
            assert!((found - mean).abs() < 6.0 * (mean * (1.0 - density)).sqrt(), "{density}: {found}, not {mean}");
        }
    }
    assert_eq!(make(Pattern::Random { density: 1.0 }, 0, None, &[7, 9]).len(), 63);
    assert!(make(Pattern::Random { density: 0.0 }, 0, None, &[1 << 60, 1 << 60]).is_empty());
    assert_eq!(make(Pattern::Random { density: 1.0 }, 0, None, &[]).len(), 1);
}

#[test]
fn entries_are_uniform() {
    let coo = make(Pattern::Random { density: 0.05 }, 3, None, &[1000, 1000]);
    let mut counts = [[0.0f64; 10]; 2];
    for (coord, _) in coo.iter() {
        (0..2).for_each(|m| counts[m][coord[m] as usize / 100] += 1.0);
    }
    let mean = coo.len() as f64 / 10.0;
    let chi: Vec<f64> = counts.iter().map(|c| c.iter().map(|n| (n - mean).powi(2) / mean).sum()).collect();
    assert!(chi.iter().all(|&c| c < 35.0), "{chi:?}");
}

#[test]
fn values_are_in_range_without_zero() {
    let all = |values: Option<[i64; 2]>, ty| {
        let values = values.map(Range::Whole);
        let pattern = Pattern::Random { density: 1.0 };
        let made = generate(&Generator { pattern, seed: 5, values }, &target(&[5000], ty)).expect("values fit");
        let mut found: Vec<i128> = made.coo.iter().map(|(_, raw)| ty.value(raw)).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let u8s = Type::int(8, false);
    let i64s = Type::int(64, true);
    assert_eq!(all(None, I32), (-8..=8).filter(|&v| v != 0).collect::<Vec<_>>());
    assert_eq!(all(None, u8s), (1..=8).collect::<Vec<_>>());
    assert_eq!(all(Some([3, 5]), u8s), [3, 4, 5]);
    assert_eq!(all(Some([-1, 1]), I32), [-1, 1]);
    assert_eq!(all(Some([0, 2]), I32), [1, 2]);
    assert_eq!(all(Some([-2, 0]), I32), [-2, -1]);
    assert_eq!(all(Some([0, 0]), I32), [0]);
    assert_eq!(all(Some([i64::MIN, i64::MAX]), i64s).len(), 5000);
    assert_eq!(all(None, Type::Bool), [1]);
}

#[test]
fn real_values_fill_their_range() {
    let all = |values: Option<[f64; 2]>, ty| {
        let pattern = Pattern::Random { density: 1.0 };
        let generator = Generator { pattern, seed: 5, values: values.map(Range::Real) };
        let made = generate(&generator, &target(&[5000], ty)).unwrap_or_else(|e| panic!("{}", render(&e)));
        made.coo.values().iter().map(|raw| to_f64(*raw, ty)).collect::<Vec<f64>>()
    };
    let fx = Type::from_name("ufx16.8").expect("a type");
    for (values, ty) in [(None, Type::F64), (None, Type::F16), (None, fx), (Some([-3.5, -3.25]), Type::F32)] {
        let [lo, hi] = values.unwrap_or([if ty.is_signed() { -1.0 } else { 0.0 }, 1.0]);
        let found = all(values, ty);
        assert!(found.iter().all(|v| (lo..=hi).contains(v) && *v != 0.0));
        let mean = found.iter().sum::<f64>() / 5000.0;
        assert!((mean - (lo + hi) / 2.0).abs() < 0.03 * (hi - lo), "{ty}: {mean}");
        let mut different = found.clone();
        different.sort_unstable_by(f64::total_cmp);
        different.dedup();
        assert!(different.len() > if ty == fx { 250 } else { 2000 }, "{ty}: {}", different.len());
    }
    assert_eq!(all(Some([-1.0, 1.0]), Type::F64)[..2], all(None, Type::F64)[..2]);
}

#[test]
fn the_seed_decides_and_values_leave_positions_alone() {
    let random = || Pattern::Random { density: 0.1 };
    let first = make(random(), 1, None, &[50, 50]);
    assert_eq!(first, make(random(), 1, None, &[50, 50]));
    assert_ne!(first, make(random(), 2, None, &[50, 50]));
    let ones = make(random(), 1, Some(Range::Whole([1, 1])), &[50, 50]);
    assert!(first.iter().map(|(c, _)| c).eq(ones.iter().map(|(c, _)| c)));
    // Fixed for all time: files that name a seed mean these entries.
    let pinned = make(Pattern::Random { density: 0.5 }, 42, None, &[4, 4]);
    assert_eq!(entries(&pinned, I32), PINNED.map(|(i, j, v)| (vec![i, j], v)).to_vec());
}

const PINNED: [(u64, u64, i128); 9] =
    [(0, 0, -1), (1, 1, 6), (1, 2, 2), (1, 3, -6), (2, 1, 8), (2, 2, -8), (2, 3, -6), (3, 1, -8), (3, 2, -4)];

#[test]
fn regular_patterns() {
    let band = make(Pattern::Banded { lower: 1, upper: 2 }, 0, None, &[4, 5]);
    assert!(band.iter().all(|(c, _)| c[1] + 1 >= c[0] && c[1] <= c[0] + 2));
    assert_eq!(band.len(), 3 + 4 + 4 + 3);
    assert_eq!(make(Pattern::Banded { lower: u64::MAX, upper: u64::MAX }, 0, None, &[3, 4]).len(), 12);
    let cube = make(Pattern::Identity, 0, None, &[3, 4, 5]);
    assert_eq!(entries(&cube, I32), (0..3).map(|i| (vec![i; 3], 1)).collect::<Vec<_>>());
    for (n, modes, coo) in [
        (3u64, 2u32, make(Pattern::Poisson2d { n: 3 }, 0, None, &[9, 9])),
        (3, 3, make(Pattern::Poisson3d { n: 3 }, 0, None, &[30, 27])),
    ] {
        let points = n.pow(modes);
        assert_eq!(coo.shape(), [points, points]);
        assert_eq!(coo.len() as u64, points + 2 * u64::from(modes) * (n - 1) * n.pow(modes - 1));
        for (c, raw) in coo.iter() {
            assert_eq!(coo.get(&[c[1], c[0]]), Some(raw), "symmetric");
        }
        let centre = points / 2;
        let row: i128 = coo.iter().filter(|(c, _)| c[0] == centre).map(|(_, raw)| I32.value(raw)).sum();
        assert_eq!(row, 0, "an inner point's row sums to 0");
    }
}

#[test]
fn blocks_are_full_and_cut_at_the_edges() {
    let coo = make(Pattern::Block { size: 4, density: 0.3 }, 7, None, &[30, 50]);
    for (c, _) in coo.iter() {
        let (i, j) = (c[0] / 4 * 4, c[1] / 4 * 4);
        let full = (i..(i + 4).min(30)).all(|i| (j..(j + 4).min(50)).all(|j| coo.get(&[i, j]).is_some()));
        assert!(full, "{c:?}");
    }
    assert!((200..700).contains(&coo.len()), "{}", coo.len());
    assert_eq!(make(Pattern::Block { size: u64::MAX, density: 1.0 }, 0, None, &[3, 5]).len(), 15);
}

#[test]
fn graphs_are_skewed_and_inside() {
    let rmat = |quadrants, shape: &[u64]| make(Pattern::Rmat { edges: 20_000, quadrants }, 1, None, shape);
    let mut degrees = vec![0; 1000];
    let graph = rmat([0.57, 0.19, 0.19], &[1000, 1000]);
    graph.iter().for_each(|(c, _)| degrees[c[0] as usize] += 1);
    degrees.sort_unstable();
    let top: usize = degrees[900..].iter().sum();
    assert!(graph.len() > 10_000 && top * 10 > graph.len() * 4, "{} entries, {top} in the top rows", graph.len());
    assert_eq!(entries(&rmat([0.0; 3], &[5, 1]), I32)[0].0, [4, 0]);
    assert_eq!(entries(&rmat([1.0, 0.0, 0.0], &[5, 9]), I32)[0].0, [0, 0]);
    assert!(rmat([0.25; 3], &[0, 7]).is_empty());
}
