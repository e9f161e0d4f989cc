//! Every public data file is read or refused as `INDEX.csv` and `docs/data-files.md` say.

use std::collections::BTreeMap;

use samhw_compiler::data::ValuePolicy;

use super::{I64, entries, render, shared, target};
use crate::tensor::{codes, read_file};

/// Files that must be refused under every policy, with the code.
const REFUSED: &[(&str, &str)] = &[
    ("1.rb", codes::FORMAT),
    ("12.rb", codes::FORMAT),
    ("9.rb", codes::FORMAT),
    ("bcsstk01.rb", codes::FORMAT),
    ("rua_32.rb", codes::FORMAT),
    ("west0067.rua", codes::FORMAT),
    ("mbeacxc.trip0", codes::FORMAT),
    ("t1.trip0", codes::FORMAT),
    ("arrowc.mtx", codes::UNSUPPORTED),
    ("young1c.mtx", codes::UNSUPPORTED),
    ("matrix_coordinate_complex_hermitian.mtx", codes::UNSUPPORTED),
    ("mangled15.mtx", codes::UNSUPPORTED),
    ("bad_header.mtx", codes::HEADER),
    ("invalid_dimensions_out_of_range_1.mtx", codes::HEADER),
    ("invalid_truncated_header_1.mtx", codes::HEADER),
    ("mangled4.mtx", codes::HEADER),
    ("mangled8.mtx", codes::HEADER),
    ("overflow_dim_gt_int64.mtx", codes::HEADER),
    ("west0067_noheader.mtx", codes::HEADER),
    ("invalid_bad_value.mtx", codes::LINE),
    ("invalid_bad_value_2.mtx", codes::LINE),
    ("invalid_truncated_line_1.mtx", codes::LINE),
    ("invalid_truncated_lines.mtx", codes::COUNT),
    ("mangled6.mtx", codes::LINE),
    ("invalid_indices_out_of_range_1.mtx", codes::COORDINATE),
    ("invalid_indices_out_of_range_4.mtx", codes::COORDINATE),
    ("mlir_coordinate_overflow.tns", codes::COORDINATE),
    ("mlir_coordinate_zero.tns", codes::COORDINATE),
    ("overflow_index_gt_int64.mtx", codes::COORDINATE),
    ("mangled14.mtx", codes::DUPLICATE),
    ("mangled10.mtx", codes::COUNT),
    ("not_enough_entries.mm", codes::COUNT),
    ("mangled_skew.mtx", codes::CONTRADICTION),
];

/// Accepted files with values that no integer type has: only with `ones` (or `round`, where finite).
const NOT_INTEGER: &[&str] = &[
    "1138_bus.mtx",
    "adder_dcop_05.mtx",
    "arc130.mtx",
    "bcsstm02.mtx",
    "bwm2000.regen.mtx",
    "cage5.mtx",
    "comments_west0067.mtx",
    "cryg2500.mtx",
    "full.mtx",
    "full_symmetric.mtx",
    "b1_ss.mtx",
    "lp_e226.mtx",
    "lp_share1b.mtx",
    "n1024-l1.mtx",
    "nist_ex1_more_freeformat.mtx",
    "nnc1374.mtx",
    "mangled10.mtx",
    "mangled14.mtx",
    "not_enough_entries.mm",
    "olm500.mtx",
    "skew_fp32.mtx",
    "west0067_jumbled.mtx",
    "west0479.mtx",
    "zenios.mtx",
];

/// Entries of the accepted files about which `INDEX.csv` says nothing.
const COUNTS: &[(&str, usize)] = &[
    ("full.mtx", 9),
    ("full_symmetric.mtx", 16),
    ("west0067_jumbled.mtx", 294),
    ("d567.ttx", 4),
    ("3D_12031.tns", 12031),
    ("3d_8.tns", 8),
    ("3d_dense.tns", 48),
    ("4d_3_16.tns", 16),
    ("med.tns", 40000),
    ("small.tns", 6),
];

#[test]
fn every_file_is_read_or_refused_for_the_stated_reason() {
    let Some(folder) = shared("data") else { return };
    let index = std::fs::read_to_string(folder.join("INDEX.csv")).expect("INDEX.csv");
    let (refused, counts): (BTreeMap<_, _>, BTreeMap<_, _>) =
        (REFUSED.iter().copied().collect(), COUNTS.iter().copied().collect());
    let mut wrong = Vec::new();
    for row in index.lines().skip(1) {
        let name = row.split(',').next().unwrap_or_default();
        let path = folder.join(name);
        let sizes: Vec<&str> = row.split(',').nth(4).unwrap_or_default().split('x').collect();
        let order = if name.ends_with(".tns") || name.ends_with(".ttx") { sizes.len() } else { 2 };
        let max = vec![1 << 40; if name.starts_with("invalid_bad_value_2") { 1 } else { order }];
        let target = target(&max, I64);
        for policy in [ValuePolicy::Exact, ValuePolicy::Ones, ValuePolicy::Round] {
            let read = read_file(&path, policy, &target);
            let real = policy == ValuePolicy::Exact && NOT_INTEGER.contains(&name);
            let found = match (&read, refused.get(name)) {
                (Err(e), Some(code)) if e.code == *code => continue,
                (Err(e), _) if e.code == codes::VALUE && real => continue,
                // A pattern by its banner, a weighted graph by its lines.
                (Err(e), None)
                    if e.code == codes::CONTRADICTION && policy != ValuePolicy::Ones && name == "Ragusa16.mtx" =>
                {
                    continue;
                }
                // inf and nan round to nothing.
                (Err(e), None) if e.code == codes::VALUE && policy == ValuePolicy::Round => {
                    if ["comments_west0067.mtx", "skew_fp32.mtx"].contains(&name) {
                        continue;
                    }
                    render(e)
                }
                (Err(e), _) => render(e),
                (Ok(_), Some(_)) => "accepted".into(),
                (Ok(_), None) if real => "has integers only".into(),
                (Ok(loaded), None) => {
                    let said = row.split("ok nnz=").nth(1).and_then(|n| n.split(',').next()?.parse().ok());
                    let count = counts.get(name).copied().or(said);
                    // Small values of full arrays round to 0, which is not stored.
                    let rounded = policy == ValuePolicy::Round && name == "full.mtx";
                    if count == Some(loaded.coo.len()) || rounded {
                        continue;
                    }
                    format!("{} entries, not {count:?}", loaded.coo.len())
                }
            };
            wrong.push(format!("{name} ({policy:?}): {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn extreme_integers_and_explicit_zeros_survive() {
    let Some(folder) = shared("data") else { return };
    let read =
        |name: &str| read_file(&folder.join(name), ValuePolicy::Exact, &target(&[7, 7], I64)).expect("a good file").coo;
    let found = entries(&read("matrix_int64.mtx"), I64);
    assert!(found.contains(&(vec![3, 0], -9223372036854775800)), "{found:?}");
    assert!(found.contains(&(vec![0, 1], i64::MAX.into())), "{found:?}");
    assert!(found.contains(&(vec![3, 2], 0)), "{found:?}");
    assert_eq!(read("matrix_bool.mtx").iter().filter(|&(_, raw)| raw == 0).count(), 5);
}
