//! Packing against the meaning written on nested lists, and there and back for every format in use.

use samhw_compiler::levels::{self, LevelKind};
use std::collections::BTreeSet;

use proptest::prelude::*;
use samhw_compiler::graph::Slice;
use samhw_compiler::stmt::VarId;

use super::{I32, coos, good, render, shared, target};
use crate::tensor::{Coo, LevelData, bank, codes, pack, unpack};

fn kinds(text: &str) -> Vec<LevelKind> {
    let kind = |c| match c {
        'd' => levels::DENSE,
        's' => levels::COMPRESSED,
        'u' => levels::COMPRESSED_NU,
        'q' => levels::SINGLETON,
        _ => levels::SINGLETON_NU,
    };
    text.chars().map(kind).collect()
}

/// What packing means, for dense and compressed levels: groups of rows, level by level.
fn spec(rows: Vec<(Vec<u64>, u64)>, levels: &[LevelKind], shape: &[u64], fill: u64) -> (Vec<LevelData>, Vec<u64>) {
    let (mut groups, mut packed) = (vec![rows], Vec::new());
    for (n, (kind, &dim)) in levels.iter().zip(shape).enumerate() {
        let (mut next, mut seg, mut crd) = (Vec::new(), vec![0], Vec::new());
        for group in groups {
            for c in 0..dim {
                let below: Vec<_> = group.iter().filter(|row| row.0[n] == c).cloned().collect();
                if kind.is_dense() || !below.is_empty() {
                    crd.push(c);
                    next.push(below);
                }
            }
            seg.push(crd.len() as u64);
        }
        groups = next;
        packed.push(if kind.is_dense() { LevelData::Dense { dim } } else { LevelData::Compressed { seg, crd } });
    }
    (packed, groups.into_iter().map(|group| group.first().map_or(fill, |row| row.1)).collect())
}

/// A tensor with a permutation of its modes and one of `letters` per level.
fn with_levels(letters: &'static str) -> impl Strategy<Value = (Coo, Vec<usize>, String)> {
    coos(1, 0..=4).prop_flat_map(move |coo| {
        let order = coo.order();
        let letters: Vec<char> = letters.chars().collect();
        let levels = prop::collection::vec(prop::sample::select(letters), order).prop_map(String::from_iter);
        (Just(coo), Just((0..order).collect::<Vec<_>>()).prop_shuffle(), levels)
    })
}

proptest! {
    #[test]
    fn pack_is_what_it_means((coo, mode_order, levels) in with_levels("ds")) {
        let storage = pack(&coo, &kinds(&levels), &mode_order, 9).map_err(|e| TestCaseError::fail(render(&e)))?;
        let shape: Vec<u64> = mode_order.iter().map(|&m| coo.shape()[m]).collect();
        let mut rows: Vec<_> =
            coo.iter().map(|(c, v)| (mode_order.iter().map(|&m| c[m]).collect::<Vec<_>>(), v)).collect();
        rows.sort();
        prop_assert_eq!((storage.levels, storage.values), spec(rows, &kinds(&levels), &shape, 9));
        prop_assert_eq!(storage.shape, shape);
    }

    #[test]
    fn banks_share_the_levels_above((coo, mode_order, levels) in with_levels("dsuqc"), lanes in 1u64..4) {
        let Ok(whole) = pack(&coo, &kinds(&levels), &mode_order, 9) else { return Ok(()) };
        let all = unpack(&whole, &mode_order).map_err(|e| TestCaseError::fail(render(&e)))?;
        for (level, kind) in levels.chars().enumerate().filter(|(_, kind)| "dsu".contains(*kind)) {
            let mode = mode_order[level];
            for (lane, even) in (0..lanes).flat_map(|lane| [(lane, false), (lane, kind == 'd')]) {
                let slice = Slice { mode, of: VarId(0), var: VarId(1), lane, lanes, even };
                let bank = bank(&whole, level, &slice);
                prop_assert_eq!(&bank.levels[..level], &whole.levels[..level]);
                prop_assert!(!even || bank.shape[level] == whole.shape[level].div_ceil(lanes));
                let theirs = unpack(&bank, &mode_order).map_err(|e| TestCaseError::fail(render(&e)))?;
                let mine = all.iter().filter(|(c, _)| c[mode] % lanes == lane).map(|(c, v)| {
                    (c.iter().enumerate().map(|(m, &c)| if m == mode { c / lanes } else { c }).collect::<Vec<_>>(), v)
                });
                // What an even bank has beyond the end of the mode is 0.
                let there = |c: &[u64]| c[mode] * lanes + lane < whole.shape[level];
                prop_assert!(theirs.iter().all(|(c, v)| there(c) || v == 0));
                let theirs: BTreeSet<_> =
                    theirs.iter().filter(|(c, _)| there(c)).map(|(c, v)| (c.to_vec(), v)).collect();
                prop_assert_eq!(theirs, mine.collect::<BTreeSet<_>>());
            }
        }
    }

    #[test]
    fn there_and_back((coo, mode_order, levels) in with_levels("dsuqc")) {
        const FILL: u64 = 1 << 20;
        match pack(&coo, &kinds(&levels), &mode_order, FILL) {
            Ok(storage) => {
                let back = unpack(&storage, &mode_order).map_err(|e| TestCaseError::fail(render(&e)))?;
                if !levels.contains('d') && coo.order() > 0 {
                    prop_assert_eq!(&back, &coo);
                }
                prop_assert_eq!(back.without(FILL), coo);
            }
            Err(said) => {
                prop_assert_eq!(said.code, codes::LEVELS);
                prop_assert!(levels.contains(['q', 'c']), "{}", levels);
            }
        }
    }
}

#[test]
fn coo_repeats_outer_coordinates() {
    let matrix = good("m.tns", "1 1 5\n1 3 6\n3 2 7\n", &target(&[3, 3], I32));
    let storage = pack(&matrix, &kinds("uq"), &[0, 1], 0).expect("COO");
    let nu = LevelData::CompressedNu { seg: vec![0, 3], crd: vec![0, 0, 2] };
    assert_eq!(storage.levels, [nu, LevelData::Singleton { crd: vec![0, 2, 1] }]);
    assert_eq!((&storage.values[..], storage.words()), (&[5, 6, 7][..], 11));
    // Without a singleton below, nothing repeats.
    let storage = pack(&matrix, &kinds("us"), &[0, 1], 0).expect("like compressed");
    assert_eq!(storage.levels[0], LevelData::CompressedNu { seg: vec![0, 2], crd: vec![0, 2] });
    // Levels below the chain hang below its positions, one per distinct tuple.
    let cube = good("t.tns", "1 1 1 5\n1 1 2 6\n1 2 1 7\n", &target(&[2, 2, 2], I32));
    let storage = pack(&cube, &kinds("uqd"), &[0, 1, 2], 0).expect("COO of dense fibers");
    assert_eq!(storage.levels[1], LevelData::Singleton { crd: vec![0, 1] });
    assert_eq!(storage.values, [5, 6, 7, 0]);
    // The chain may start below a dense level: a segment per row, empty for the second.
    let storage = pack(&cube, &kinds("duq"), &[0, 1, 2], 0).expect("rows of COO");
    assert_eq!(storage.levels[1], LevelData::CompressedNu { seg: vec![0, 3, 3], crd: vec![0, 0, 1] });
}

#[test]
fn singletons_below_unique_levels_hold_one_coordinate() {
    let permutation = good("p.tns", "1 3 5\n2 1 6\n3 2 7\n", &target(&[3, 3], I32));
    for levels in ["dq", "dc", "sq", "sc", "uq"] {
        let storage = pack(&permutation, &kinds(levels), &[0, 1], 0).unwrap_or_else(|e| panic!("{}", render(&e)));
        assert_eq!(storage.levels[1], LevelData::Singleton { crd: vec![2, 0, 1] });
    }
    let one = good("o.tns", "2 3 5\n", &target(&[3, 3], I32));
    for levels in ["qq", "cq", "qs", "cd", "qu"] {
        assert!(pack(&one, &kinds(levels), &[0, 1], 0).is_ok(), "{levels}");
    }
}

#[test]
fn every_format_of_the_public_corpus_packs() {
    let Some(path) = shared("corpus/taco_website_public.tsv") else { return };
    let text = std::fs::read_to_string(path).expect("text");
    let formats: BTreeSet<&str> = text
        .split("-f=")
        .filter_map(|part| part.split_whitespace().next()?.split(':').nth(1))
        .filter(|levels| !levels.is_empty() && levels.chars().all(|c| "dsuqc".contains(c)))
        .collect();
    assert!(formats.len() > 80, "{}", formats.len());
    for levels in formats {
        let order = levels.len();
        let mode_order: Vec<usize> = (0..order).rev().collect();
        // On the diagonal every fiber holds at most one coordinate; a single entry suits a root of one position.
        let entry = |n: u64, value: u64| (vec![n; order], value);
        let single = levels.starts_with(['q', 'c']);
        let data = if single { vec![entry(1, 7)] } else { vec![entry(0, 5), entry(1, 7)] };
        let (coords, values): (Vec<Vec<u64>>, Vec<u64>) = data.into_iter().unzip();
        let coo = Coo::new(vec![2; order], coords.concat(), values).expect("a tensor");
        let storage = pack(&coo, &kinds(levels), &mode_order, 0).unwrap_or_else(|e| panic!("{levels}: {}", render(&e)));
        let back = unpack(&storage, &mode_order).unwrap_or_else(|e| panic!("{levels}: {}", render(&e)));
        assert_eq!(back.without(0), coo, "{levels}");
    }
}

#[test]
fn what_hardware_wrote_is_checked() {
    let matrix = good("m.tns", "1 1 5\n1 3 6\n3 2 7\n", &target(&[3, 3], I32));
    let storage = pack(&matrix, &kinds("ss"), &[0, 1], 0).expect("DCSR");
    let refused = |change: fn(Level)| {
        let mut broken = storage.clone();
        let LevelData::Compressed { seg, crd } = &mut broken.levels[1] else { panic!("compressed") };
        change(Level { seg, crd, values: &mut broken.values });
        unpack(&broken, &[0, 1]).is_err_and(|e| e.code == codes::ARRAYS)
    };
    assert!(!refused(|_| ()));
    assert!(refused(|level| level.seg.truncate(2)));
    assert!(refused(|level| level.seg[1] = 9));
    assert!(refused(|level| level.seg[0] = 1));
    assert!(refused(|level| level.crd[0] = 3));
    assert!(refused(|level| level.crd[0] = level.crd[1]));
    assert!(refused(|level| level.values.truncate(2)));
    assert!(unpack(&storage, &[0, 0]).is_err_and(|e| e.code == codes::LEVELS));
    assert!(unpack(&storage, &[0]).is_err_and(|e| e.code == codes::LEVELS));
}

/// The arrays of one level, to break.
struct Level<'a> {
    seg: &'a mut Vec<u64>,
    crd: &'a mut Vec<u64>,
    values: &'a mut Vec<u64>,
}
