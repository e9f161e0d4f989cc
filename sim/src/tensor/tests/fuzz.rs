//! Readers never panic: on noise, and on good files that were changed: those of `seeds` and
//! `scipy`, and what is written.

use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use proptest::sample::Index;
use samhw_compiler::data::ValuePolicy;

use super::{I32, coos, parse, scratch, target};
use crate::tensor::{Coo, write_file};

const NAMES: [&str; 5] = ["x.mtx", "x.tns", "x.npy", "x.tns.gz", "x.npz"];

/// Files with their names.
static SEEDS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tensor/tests");
    let files = ["seeds", "scipy"].iter().flat_map(|dir| std::fs::read_dir(here.join(dir)).expect("a folder"));
    let mut files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).expect("readable"))).collect()
});

/// Pieces of text that readers take care of.
const PIECES: [&str; 12] = [
    "18446744073709551616",
    "4294967295",
    "-1",
    "0",
    "1e309",
    "nan",
    "\n",
    " ",
    "%",
    "%%MatrixMarket ",
    "pattern",
    "'shape': (",
];

/// Reads `content` in every way; what is accepted must be inside the declared sizes.
fn survives(content: &[u8]) {
    NAMES.iter().for_each(|name| survives_as(name, content));
}

/// Reads `content` as that of a file called `name`.
fn survives_as(name: &str, content: &[u8]) {
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

/// One change of a file: where, up to where or which, and how.
type Edit = (Index, Index, u8);

fn edit(content: &mut Vec<u8>, (at, other, how): &Edit) {
    let (at, other) = (at.index(content.len() + 1), other.index(content.len() + 1));
    let (from, to) = (at.min(other), at.max(other));
    match how {
        0 if at < content.len() => content[at] ^= 1 << (other % 8),
        1 => content.truncate(at),
        2 => drop(content.drain(from..to)),
        3 => {
            let copy = content[from..to].to_vec();
            content.splice(at..at, copy);
        }
        _ => drop(content.splice(at..at, PIECES[other % PIECES.len()].bytes())),
    }
}

#[test]
fn the_seeds_are_read() {
    for (name, content) in SEEDS.iter().filter(|(name, _)| !["twice.npz", "two.npz"].contains(&name.as_str())) {
        let read = |order: usize, policy| parse(name, content, policy, &target(&vec![50; order], I32)).is_ok();
        assert!((0..4).any(|order| read(order, ValuePolicy::Ones) || read(order, ValuePolicy::Round)), "{name}");
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
    fn seeds_mutated(seed in any::<Index>(), edits in prop::collection::vec((any::<Index>(), any::<Index>(), 0..6u8), 1..6)) {
        let (name, content) = seed.get(&SEEDS);
        let mut content = content.clone();
        edits.iter().for_each(|e| edit(&mut content, e));
        survives_as(name, &content);
        // What is compressed is changed before, so that its checksum is right.
        if !name.ends_with(".gz") && !name.ends_with(".npz") {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(&content).expect("into memory");
            survives_as(&format!("{name}.gz"), &packed.finish().expect("into memory"));
        }
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
