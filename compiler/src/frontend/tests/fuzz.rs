//! Hostile input: whatever the text, parsing and rendering end without a panic, and errors are never empty.

use super::golden::inputs;
use super::{read, shown};
use crate::diag::render;
use proptest::prelude::*;
use proptest::sample::Index;
use std::fs;
use std::sync::LazyLock;

/// Kernel files: the one below, and all that have a golden message.
static SEEDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let files = inputs().into_iter().map(|path| fs::read_to_string(path).expect("readable"));
    std::iter::once(VALID.into()).chain(files).collect()
});

const VALID: &str = r#"name = "spmm"
expr = """
X(i,j) = B(i,k) * C(k,j) - -2. * sum[k,l](D(k,l)) ;
Y(i) = min[j](X(i,j))"""
order = ["i", "k", "j", "l"]
[dims]
i = 40
j = 50
k = 60
l = 7
[tensors.B]
format = "dcsr"
type = "i32"
nnz = 65536
[tensors.C]
levels = ["dense", "compressed"]
mode_order = [1, 0]
type = "i32"
fill = 0
[tensors]
D = { format = "coo", type = "i32", shape = [60, 7] }
X = { format = "csr", type = "i32" }
Y = { format = "dense", type = "i32" }
[schedule]
locate = ["C"]
skip = []
[data]
B = { random = { density = 0.05, seed = 1 } }
C = "C.mtx"
"#;

/// Pieces of which token soup is made.
const PIECES: &str = "y ( i ) = A ( i , j ) * x [ ] + - ; sum [ k ] ( ) red min , 2 2. 0.5 99999999999999999999 \
    / ** += == b b(i) A(i,j) c ( ( - - é × { } : < max[j]( 128 -128";

fn survives(text: &str) {
    if let Err(problems) = read("k.toml", text) {
        assert!(!problems.is_empty());
        assert!(!render(&problems).is_empty());
    }
}

#[test]
fn the_seed_is_valid() {
    let text = shown("k.toml", VALID);
    assert!(text.starts_with("kernel spmm\n"), "{text}");
}

#[test]
fn depth_and_length_are_harmless() {
    let kernel =
        |expr: &str| format!("expr = '''{expr}'''\n[dims]\ni = 9\n[tensors.b]\nformat = 'dense'\ntype = 'i8'\n");
    for piece in
        ["(", "-", "+", "b(", "a=", "sum[i](", "b**", "b+", "b*", "b(i)+", "[", ";", "a=b;", "i,", "red(min,i,"]
    {
        let long = piece.repeat(30_000 / piece.len());
        survives(&kernel(&long));
        survives(&kernel(&format!("a = {long}")));
        survives(&long);
    }
    survives(&format!("a = {}", "[".repeat(60_000)));
    survives(&format!("a = {}", "{a=".repeat(20_000)));
    survives(&format!("expr = \"y(i) = b(i)\"\n[dims]\ni = {}", "9".repeat(60_000)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_text(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn mutations(edits in proptest::collection::vec((any::<Index>(), any::<Index>(), 0..4), 1..6)) {
        let mut chars: Vec<char> = VALID.chars().collect();
        for (at, other, kind) in edits {
            let (at, other) = (at.index(chars.len()), other.index(chars.len()));
            match kind {
                0 => { chars.remove(at); }
                1 => chars.insert(at, chars[other]),
                2 => chars.swap(at, other),
                _ => { chars.drain(at.min(other)..at.max(other)); }
            }
            if chars.is_empty() {
                break;
            }
        }
        survives(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn seeds_mutated(
        seeds in (any::<Index>(), any::<Index>()),
        edits in proptest::collection::vec((any::<Index>(), any::<Index>(), 0..5), 1..6),
    ) {
        let donor: Vec<&str> = seeds.1.get(&SEEDS).lines().collect();
        let mut lines: Vec<String> = seeds.0.get(&SEEDS).lines().map(str::to_owned).collect();
        for (at, other, kind) in edits {
            let (at, from) = (at.index(lines.len() + 1), other.index(lines.len() + 1));
            let word = |line: &str| line.split_inclusive([' ', ',', '=']).map(str::to_owned).collect::<Vec<String>>();
            match kind {
                0 => drop(lines.drain(at.min(from)..at.max(from))),
                1 if !donor.is_empty() => lines.insert(at, donor[other.index(donor.len())].into()),
                2 if at < lines.len() && from < lines.len() => lines.swap(at, from),
                3 if at < lines.len() => {
                    let mut words = word(&lines[at]);
                    let n = other.index(words.len() + 1).min(words.len().saturating_sub(1));
                    if !words.is_empty() {
                        let moved = words.remove(n);
                        words.insert(other.index(words.len() + 1), moved.repeat(2));
                    }
                    lines[at] = words.concat();
                }
                _ if at < lines.len() && !donor.is_empty() => {
                    let words = word(donor[other.index(donor.len())]);
                    lines[at] += words.get(at % words.len().max(1)).map_or("", String::as_str);
                }
                _ => (),
            }
        }
        survives(&lines.join("\n"));
    }

    #[test]
    fn token_soup(picks in proptest::collection::vec(any::<Index>(), 0..30)) {
        let pieces: Vec<&str> = PIECES.split(' ').filter(|piece| !piece.is_empty()).collect();
        let expr: Vec<&str> = picks.iter().map(|pick| *pick.get(&pieces)).collect();
        let expr = expr.join(" ");
        survives(&format!(
            "expr = \"y(i) = {expr}\"\n[dims]\ni = 3\nj = 4\n[tensors]\ny = {{ format = 'dense', type = 'i8' }}\n\
             A = {{ format = 'csr', type = 'i8' }}\nb = {{ format = 'dense', type = 'i8' }}\n"
        ));
        survives(&format!("expr = \"{expr}\"\n"));
    }
}
