//! Compressed files and archives: what gzip, scipy and NumPy write (the files of `scipy/` are scipy
//! 1.17's), what is damaged, what unpacks to too much.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;

use super::{I32, entries, parse, parse_most, render, target};
use crate::tensor::{Loaded, Target, codes};

/// Archives, by name.
const FILES: &[(&str, &[u8])] = &[
    ("csr", include_bytes!("scipy/csr.npz")),
    ("csc", include_bytes!("scipy/csc.npz")),
    ("coo", include_bytes!("scipy/coo.npz")),
    ("bsr", include_bytes!("scipy/bsr.npz")),
    ("dia", include_bytes!("scipy/dia.npz")),
    ("one", include_bytes!("scipy/one.npz")),
    ("csr_zero", include_bytes!("scipy/csr_zero.npz")),
    ("csr1", include_bytes!("scipy/csr1.npz")),
    ("coo3", include_bytes!("scipy/coo3.npz")),
    ("twice", include_bytes!("scipy/twice.npz")),
    ("two", include_bytes!("scipy/two.npz")),
];

fn bytes(name: &str) -> &'static [u8] {
    FILES.iter().find(|(n, _)| *n == name).map_or(&[], |(_, bytes)| bytes)
}

fn archive(name: &str, target: &Target) -> Result<Loaded, Diagnostic> {
    parse("A.npz", bytes(name), ValuePolicy::Exact, target)
}

fn read(name: &str, target: &Target) -> Vec<(Vec<u64>, i128)> {
    let loaded = archive(name, target).unwrap_or_else(|e| panic!("{name}: {}", render(&e)));
    entries(&loaded.coo, target.ty)
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::best());
    out.write_all(content).and_then(|()| out.finish()).expect("memory")
}

/// `content` with what `from` is in it as `to`, of the same length.
fn with(content: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = content.windows(from.len()).position(|w| w == from).expect("it is there");
    [&content[..at], to, &content[at + from.len()..]].concat()
}

/// An archive of arrays that are not compressed, each with its `descr`, shape and elements.
fn stored(arrays: &[(&str, &str, &str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, descr, shape, data) in arrays {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        zip.start_file(format!("{name}.npy"), options).expect("memory");
        zip.write_all(b"\x93NUMPY\x01\0").expect("memory");
        zip.write_all(&(header.len() as u16).to_le_bytes()).expect("memory");
        zip.write_all(&[header.as_bytes(), data].concat()).expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

fn words(all: &[i64]) -> Vec<u8> {
    all.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A matrix of 2 x 3 in the format `csr`.
fn csr(indices: &[i64], indptr: &[i64], data: &[i64]) -> Vec<u8> {
    let shape = |all: &[i64]| format!("({},)", all.len());
    stored(&[
        ("format", "|S3", "()", b"csr".to_vec()),
        ("shape", "<i8", "(2,)", words(&[2, 3])),
        ("indices", "<i8", &shape(indices), words(indices)),
        ("indptr", "<i8", &shape(indptr), words(indptr)),
        ("data", "<i8", &shape(data), words(data)),
    ])
}

#[test]
fn scipy_writes_one_matrix_in_every_format() {
    let want = [(vec![0, 1], 7), (vec![1, 2], -2), (vec![1, 5], 5), (vec![2, 0], 1), (vec![3, 4], 3)];
    for name in ["csr", "csc", "coo", "bsr", "dia", "one"] {
        let target = target(&[9, 9], I32);
        assert_eq!(read(name, &target), want, "{name}");
        assert_eq!(
            archive(name, &target).map(|loaded| (loaded.coo.shape().to_vec(), loaded.sized)),
            Ok((vec![4, 6], true))
        );
    }
    // Explicit zeros are entries where single values are stored, and padding where parts are.
    let mut zero = want.clone();
    zero[2].1 = 0;
    assert_eq!(read("csr_zero", &target(&[4, 6], I32)), zero);
    assert_eq!(read("csr1", &target(&[4], I32)), [(vec![1], 4), (vec![3], 9)]);
    let real = archive("coo3", &target(&[2, 3, 4], Type::F64)).expect("an array of three modes").coo;
    let values = [(vec![0, 1, 2], 7.5f64), (vec![1, 0, 1], 5.0), (vec![1, 2, 0], -2.0)];
    assert_eq!(real.iter().map(|(c, v)| (c.to_vec(), f64::from_bits(v))).collect::<Vec<_>>(), values);
    let ones = parse("A.npz", bytes("coo3"), ValuePolicy::Ones, &target(&[2, 3, 4], I32)).expect("a pattern").coo;
    assert!(ones.values().iter().all(|&v| v == 1));
}

#[test]
fn archives_that_are_no_matrix_are_refused() {
    let said = |content: &[u8], order: usize| {
        let read = parse("A.npz", content, ValuePolicy::Exact, &target(&vec![9; order], I32));
        read.err().map_or("accepted".into(), |e| render(&e))
    };
    let good = csr(&[1, 0], &[0, 1, 2], &[4, 5]);
    assert_eq!(said(&good, 2), "accepted");
    let all = [
        said(bytes("twice"), 2),
        said(bytes("two"), 2),
        said(bytes("csr"), 3),
        said(bytes("coo3"), 3),
        said(&csr(&[1, 3], &[0, 1, 2], &[4, 5]), 2),
        said(&csr(&[1, -1], &[0, 1, 2], &[4, 5]), 2),
        said(&csr(&[1, 0], &[0, 2], &[4, 5]), 2),
        said(&csr(&[1, 0], &[0, 2, 1], &[4, 5]), 2),
        said(&csr(&[1, 0], &[0, 1, 1], &[4, 5]), 2),
        said(&csr(&[1, 0], &[0, 1, 2], &[4]), 2),
        said(&csr(&[1, 0], &[0, 1, 1 << 40], &[4, 5]), 2),
        said(&stored(&[("format", "|S3", "()", b"lil".to_vec()), ("shape", "<i8", "(2,)", words(&[2, 3]))]), 2),
        said(&stored(&[("format", "<i8", "()", words(&[1]))]), 2),
        said(&stored(&[("format", "|S3", "()", b"csr".to_vec())]), 2),
        said(&stored(&[]), 2),
    ];
    let want = include_str!("archives.txt");
    assert_eq!(all.join("\n\n") + "\n", want, "{}", all.join("\n\n"));
}

#[test]
fn damaged_archives_are_refused_where_they_are_damaged() {
    let target = target(&[9, 9], I32);
    let code = |name: &str, content: &[u8]| {
        let read = parse(name, content, ValuePolicy::Exact, &target);
        read.map_err(|e| (assert!(e.place.is_some() && !e.help.is_empty()), e.code).1).err()
    };
    for length in 1..bytes("csr").len() {
        assert!(code("A.npz", &bytes("csr")[..length]).is_some(), "cut after {length} bytes");
    }
    // A value changed, its checksum not.
    let changed = with(&csr(&[1, 0], &[0, 1, 2], &[4, 5]), &words(&[4, 5]), &words(&[4, 6]));
    assert_eq!(code("A.npz", &changed), Some(codes::DAMAGED));
    assert_eq!(code("A.npz", b"no archive at all, whatever its name says"), Some(codes::DAMAGED));
    assert_eq!(code("A.npz", b""), Some(codes::EMPTY));

    let text = packed(b"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 4\n2 2 5\n");
    assert_eq!(code("A.mtx.gz", &text), None);
    for length in 1..text.len() {
        assert!(code("A.mtx.gz", &text[..length]).is_some(), "cut after {length} bytes");
    }
    let checksum = text.len() - 8;
    let mut changed = text.clone();
    changed[checksum] ^= 1;
    assert_eq!(code("A.mtx.gz", &changed), Some(codes::DAMAGED));
    assert_eq!(code("A.tns.gz", b"1 1 5\n"), Some(codes::DAMAGED));
    assert_eq!(code("A.tns.gz", b""), Some(codes::EMPTY));
    assert_eq!(code("A.tar.gz", &text), Some(codes::FORMAT));
}

#[test]
fn gzip_holds_every_format_in_one_part_or_several() {
    let target = target(&[3, 3], I32);
    let read = |name: &str, content: &[u8]| {
        let read = parse(name, content, ValuePolicy::Exact, &target);
        read.map(|loaded| entries(&loaded.coo, I32)).unwrap_or_else(|e| panic!("{}", render(&e)))
    };
    let want = [(vec![0, 0], 4), (vec![1, 2], 5)];
    assert_eq!(read("A.tns.gz", &packed(b"1 1 4\n2 3 5\n")), want);
    assert_eq!(read("A.TNS.GZ", &[packed(b"1 1 4\n2 "), packed(b"3 5\n")].concat()), want);
    assert_eq!(
        read("A.mtx.gz", &packed(b"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 4\n2 3 5\n")),
        want
    );
    let header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }\n";
    let npy =
        [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes(), &[4, 0, 0, 0, 0, 5]];
    assert_eq!(read("A.npy.gz", &packed(&npy.concat())), want);
    assert_eq!(read("A.tns.gz", &packed(b"")), []);
}

/// Bytes that stand for far more than they are end at the limit, not at the machine's memory.
#[test]
fn what_unpacks_to_too_much_is_refused() {
    let target = target(&[1 << 30], I32);
    let code = |name: &str, content: &[u8], most| {
        let read = parse_most(name, content, ValuePolicy::Exact, &target, most);
        read.map_err(|e| (e.code, e.message.contains(&format!("more than {most} bytes")))).err()
    };
    let refused = Some((codes::TOO_LARGE, true));
    let lines = packed(b"1 7\n");
    assert_eq!(code("A.tns.gz", &lines, 4), None);
    assert_eq!(code("A.tns.gz", &lines, 3), refused);
    let bomb = packed(&"\n".repeat(1 << 22).into_bytes());
    assert!(bomb.len() < 1 << 13, "{} bytes", bomb.len());
    assert_eq!(code("A.tns.gz", &bomb, 1 << 20), refused);
    assert_eq!(code("A.npz", bytes("csr1"), 400), refused);
    assert_eq!(code("A.npz", bytes("csr1"), 1 << 20), None);
    // A header that announces more than there is asks for no memory.
    let header = |shape: &str| {
        [
            ("format", "|S3", "()", b"csr".to_vec()),
            ("shape", "<i8", "(1,)", words(&[1 << 30])),
            ("indices", "<i8", shape, vec![]),
            ("indptr", "<i8", "(2,)", words(&[0, 1 << 40])),
            ("data", "<i8", shape, vec![]),
        ]
        .map(|(name, descr, shape, data)| (name, descr, shape.to_string(), data))
    };
    for shape in ["(1099511627776,)", "(0,)", "(18446744073709551615, 18446744073709551615)"] {
        let arrays = header(shape);
        let arrays: Vec<_> = arrays.iter().map(|(n, d, s, data)| (*n, *d, s.as_str(), data.clone())).collect();
        assert!(code("A.npz", &stored(&arrays), 1 << 20).is_some(), "{shape}");
    }
}
