//! Normal forms of steps mean what the steps mean.

use super::*;

/// A few numbers, always the same.
fn drawn(seed: &mut u64, below: u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) % below
}

fn piece_step(seed: &mut u64, mode: usize, size: u64) -> ShapeStep {
    let roll = drawn(seed, size.max(1));
    let moved = |from, step, count, to| Moved { from, step, count, to };
    let (pieces, size) = match drawn(seed, 4) {
        0 if size > 0 => (vec![moved(size - 1, -1, size, 0)], size),
        1 => (vec![moved(size - roll, 1, roll, 0), moved(0, 1, size - roll, roll)], size),
        2 => (vec![moved(0, 1, size, 2)], size + 3),
        _ => (vec![moved(roll, 2, (size - roll).div_ceil(2), 0)], (size - roll).div_ceil(2)),
    };
    ShapeStep::Pieces { mode, pieces: pieces.into_iter().filter(|p| p.count > 0).collect(), size }
}

#[test]
fn normal_forms_mean_what_the_steps_mean() {
    let mut seed = 7;
    for _ in 0..400 {
        let mut made = ShapeSteps::begin(vec![3, 4]);
        let mut steps = Vec::new();
        for _ in 0..drawn(&mut seed, 6) {
            let mode = drawn(&mut seed, 2) as usize;
            let step = match drawn(&mut seed, 4) {
                0 => ShapeStep::Transpose { modes: vec![1, 0] },
                _ => piece_step(&mut seed, mode, made.shape[mode]),
            };
            steps.push(step.clone());
            made.push(step);
        }
        let plain = ShapeSteps { steps, ..made.clone() };
        let normal = made.finish();
        for c in (0..12).map(|n| digits(n, &[3, 4])) {
            let (mut a, mut b) = (plain.places(&c), normal.places(&c));
            a.sort();
            b.sort();
            assert_eq!(a, b, "{plain:?} {normal:?}");
            assert!(a.iter().all(|place| normal.source(place).as_ref() == Some(&c)));
        }
    }
}
