//! Readers never panic: on noise, and on good files with a few bytes changed.

use proptest::prelude::*;
use samhw_compiler::data::ValuePolicy;

use super::{I32, coos, parse, scratch, target};
use crate::tensor::{Coo, write_file};

const NAMES: [&str; 5] = ["x.mtx", "x.tns", "x.npy", "x.tns.gz", "x.npz"];

/// Reads `content` in every way; what is accepted must be inside the declared sizes.
fn survives(content: &[u8]) {
    for name in NAMES {
        for order in 0..4 {
            for policy in [ValuePolicy::Exact, ValuePolicy::Ones, ValuePolicy::Round] {
                let target = target(&vec![50; order], I32);
                match parse(name, content, policy, &target) {
                    Ok(loaded) => assert!(loaded.coo.iter().all(|(coord, _)| coord.iter().all(|&c| c < 50))),
                    Err(said) => assert!(said.place.is_some() && !said.help.is_empty(), "{said:?}"),
                }
            }
        }
    }
}

/// The file that `coo` is written to, in each format.
fn written(coo: &Coo) -> Vec<Vec<u8>> {
    let dir = scratch("fuzz");
    let bytes = |name: &str| {
        let path = dir.join(name);
        write_file(&path, coo, I32, 0).ok()?;
        std::fs::read(path).ok()
    };
    let archives = [include_bytes!("scipy/csr.npz").as_slice(), include_bytes!("scipy/bsr.npz")].map(<[u8]>::to_vec);
    NAMES.into_iter().filter_map(bytes).chain(archives).collect()
}

const BANNERS: [&str; 4] = [
    "%%MatrixMarket matrix coordinate real skew-symmetric\n",
    "%%MatrixMarket matrix array integer symmetric\n",
    "%%MatrixMarket matrix array integer skew-symmetric\n",
    "%%MatrixMarket vector coordinate pattern general\n%%GraphBLAS type int8_t\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn noise(content in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&content);
        survives(&[b"\x93NUMPY\x01\x00".as_slice(), &content].concat());
    }

    #[test]
    fn number_soup(banner in 0..BANNERS.len(), body in "([0-9]{1,3}|-|\\.|e|18446744073709551615|[ \n]){0,40}") {
        survives(body.as_bytes());
        survives(format!("{}{body}", BANNERS[banner]).as_bytes());
    }

    #[test]
    fn mutated(coo in coos(1, 0..=3), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..4)) {
        for mut content in written(&coo) {
            for (at, byte, how) in &changes {
                if content.is_empty() {
                    break;
                }
                let at = at.index(content.len());
                match how {
                    0 => content[at] = *byte,
                    1 => content.truncate(at),
                    _ => content.insert(at, *byte),
                }
            }
            survives(&content);
        }
    }
}

#[test]
fn sizes_in_headers_do_not_ask_for_memory() {
    let huge = u64::MAX;
    let target = target(&[huge, huge], I32);
    let read = |name: &str, content: String| parse(name, content.as_bytes(), ValuePolicy::Exact, &target);
    let banner = "%%MatrixMarket matrix";
    assert!(read("x.mtx", format!("{banner} coordinate real general\n{huge} {huge} {huge}\n1 1 1\n")).is_err());
    for symmetry in ["general", "symmetric", "skew-symmetric"] {
        assert!(read("x.mtx", format!("{banner} array real {symmetry}\n{huge} {huge}\n1\n")).is_err());
    }
    let wide = read("x.mtx", format!("{banner} coordinate real general\n{huge} {huge} 1\n{huge} 1 7\n"));
    assert_eq!(wide.map(|loaded| loaded.coo.get(&[huge - 1, 0])), Ok(Some(7)));
    let header = format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({huge}, {huge}), }}\n");
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend((header.len() as u16).to_le_bytes());
    content.extend(header.bytes());
    assert!(parse("x.npy", &content, ValuePolicy::Exact, &target).is_err());
    assert!(parse("x.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", ValuePolicy::Exact, &target).is_err());
}
