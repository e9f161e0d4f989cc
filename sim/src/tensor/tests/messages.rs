//! Messages to users: one malformed input per message, in `messages.txt`.

use samhw_compiler::data::{Generator, Pattern, Range, ValuePolicy};
use samhw_compiler::levels;
use samhw_compiler::types::Type;

use super::{I32, good, parse, render, target};
use crate::tensor::{generate, pack};

const MTX: &str = "%%MatrixMarket matrix coordinate integer general\n";

/// (file name, order of the tensor, content)
fn inputs() -> Vec<(&'static str, usize, Vec<u8>)> {
    let text = |body: &str| format!("{MTX}{body}").into_bytes();
    vec![
        ("empty.mtx", 2, vec![]),
        ("empty.tns", 0, vec![]),
        ("noextension", 2, vec![]),
        ("packed.mtx.gz", 2, vec![]),
        ("unpacked.mtx.gz", 2, text("3 3 1\n1 1 1\n")),
        ("packed.mtx.bz2", 2, vec![]),
        ("packed.tar.gz", 2, vec![]),
        ("packed.gz", 2, vec![]),
        ("noarchive.npz", 2, b"PK".to_vec()),
        ("old.rua", 2, vec![]),
        ("edges.trip0", 2, vec![]),
        ("table.csv", 2, vec![]),
        ("nobanner.mtx", 2, b"3 3 1\n1 1 1\n".to_vec()),
        ("words.mtx", 2, b"%%MatrixMarket matrix coordinate\n".to_vec()),
        ("object.mtx", 2, b"%%MatrixMarket graph coordinate real general\n".to_vec()),
        ("layout.mtx", 2, b"%%MatrixMarket matrix sparse real general\n".to_vec()),
        ("field.mtx", 2, b"%%MatrixMarket matrix coordinate quaternion general\n".to_vec()),
        ("symmetry.mtx", 2, b"%%MatrixMarket matrix coordinate real bogus\n".to_vec()),
        ("complex.mtx", 2, b"%%MatrixMarket matrix coordinate complex general\n".to_vec()),
        ("pattern_array.mtx", 2, b"%%MatrixMarket matrix array pattern general\n".to_vec()),
        ("pattern_skew.mtx", 2, b"%%MatrixMarket matrix coordinate pattern skew-symmetric\n".to_vec()),
        ("tensor_array.ttx", 3, b"%%MatrixMarket tensor array real general\n".to_vec()),
        ("nosize.mtx", 2, text("% comment only\n")),
        ("size.mtx", 2, text("3 3\n")),
        ("negative.mtx", 2, text("-3 3 1\n")),
        ("hugesize.mtx", 2, text("99999999999999999999 3 1\n")),
        ("wide.mtx", 2, text("3 100 1\n1 100 1\n")),
        ("order.mtx", 3, text("3 3 1\n1 1 1\n")),
        ("notavector.mtx", 1, text("3 3 1\n1 1 1\n")),
        ("notsquare.mtx", 2, b"%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n".to_vec()),
        ("zero.mtx", 2, text("3 3 1\n0 1 1\n")),
        ("outside.mtx", 2, text("3 3 1\n1 4 1\n")),
        ("fraction.mtx", 2, text("3 3 1\n1.5 1 1\n")),
        ("overflow.mtx", 2, text("3 3 1\n1 18446744073709551617 1\n")),
        ("short.mtx", 2, text("3 3 1\n1 1\n")),
        ("long.mtx", 2, text("3 3 1\n1 1 1 1\n")),
        ("word.mtx", 2, text("3 3 1\n1 1 one\n")),
        ("half.mtx", 2, text("3 3 1\n1 1 0.5\n")),
        ("inf.mtx", 2, text("3 3 1\n1 1 -inf\n")),
        ("big.mtx", 2, text("3 3 1\n1 1 3e9\n")),
        ("twice.mtx", 2, text("3 3 3\n2 2 1\n1 1 1\n2 2 5\n")),
        ("mirror.mtx", 2, b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n2 1 1\n".to_vec()),
        ("diagonal.mtx", 2, b"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 0\n".to_vec()),
        ("minimum.mtx", 2, b"%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 1 -2147483648\n".to_vec()),
        ("few.mtx", 2, text("3 3 2\n1 1 1\n")),
        ("many.mtx", 2, text("3 3 1\n1 1 1\n2 2 2\n")),
        ("typeline.mtx", 2, text("%%GraphBLAS type uint8_t\n3 3 1\n1 1 300\n")),
        ("unknowntype.mtx", 2, text("%%GraphBLAS type quaternion\n3 3 1\n1 1 3\n")),
        ("weights.mtx", 2, b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 5\n".to_vec()),
        ("latin.mtx", 2, [MTX.as_bytes(), b"3 3 1\n1 1 \xE9\n"].concat()),
        ("utf16.mtx", 2, b"\xFF\xFE%\0%\0".to_vec()),
        ("array.mtx", 2, b"%%MatrixMarket matrix array integer general\n2 2\n1 2\n3 4\n".to_vec()),
        ("arrayend.mtx", 2, b"%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n".to_vec()),
        ("columns.tns", 3, b"1 1 1 1\n1 1 1\n".to_vec()),
        ("columns1.tns", 1, b"1 1 1\n".to_vec()),
        ("pattern.tns", 2, b"1 1\n2 3\n4 4\n".to_vec()),
        ("pattern1.tns", 1, b"1\n4\n2\n".to_vec()),
        ("pattern3.tns", 3, b"# nell\n1 1 2\n".to_vec()),
        ("returns.tns", 2, b"1 1 5\r2 3 x\r".to_vec()),
        ("zero.tns", 2, b"# counted from 0\n0 0 5\n".to_vec()),
        ("outside.tns", 1, b"5 1\n".to_vec()),
        ("twice.tns", 1, b"1 1\n\n1 1\n".to_vec()),
        ("headerorder.tns", 2, b"3\n4 4 4\n1 1 1 1\n".to_vec()),
        ("headersizes.tns", 2, b"2\n4\n1 1 1\n".to_vec()),
        ("headerend.tns", 2, b"2\n".to_vec()),
        ("headercount.tns", 2, b"2 3\n4 4\n1 1 1\n".to_vec()),
        ("headerwide.tns", 2, b"2 3\n4 40\n1 1 1\n".to_vec()),
        ("scalar.tns", 0, b"# nothing\n".to_vec()),
        ("scalars.tns", 0, b"1\n2\n".to_vec()),
        ("text.npy", 2, b"1 2 3 4 5\n".to_vec()),
    ]
}

/// All messages, one paragraph each.
fn messages() -> String {
    let mut all = Vec::new();
    for (name, order, content) in inputs() {
        let said = parse(name, &content, ValuePolicy::Exact, &target(&vec![4; order], I32));
        all.push(said.err().map_or(format!("{name} is accepted"), |e| render(&e)));
    }
    let huge =
        parse("huge.mtx", format!("{MTX}1 1 1\n1 1 1e30\n").as_bytes(), ValuePolicy::Round, &target(&[4, 4], I32));
    all.push(huge.err().map_or("accepted".into(), |e| render(&e)));
    let unsigned = Type::int(8, false);
    for (pattern, values, order, ty) in [
        (Pattern::Random { density: 1.5 }, None, 2, I32),
        (Pattern::Random { density: 0.5 }, Some(Range::Whole([3, 1])), 2, I32),
        (Pattern::Random { density: 0.5 }, Some(Range::Whole([0, 300])), 2, unsigned),
        (Pattern::Banded { lower: 1, upper: 1 }, None, 3, I32),
        (Pattern::Block { size: 0, density: 0.5 }, None, 2, I32),
        (Pattern::Rmat { edges: 5, quadrants: [0.9, 0.9, 0.0] }, None, 2, I32),
        (Pattern::Poisson2d { n: 3 }, None, 2, I32),
        (Pattern::Poisson2d { n: 2 }, None, 2, unsigned),
        (Pattern::Identity, None, 0, I32),
    ] {
        let said = generate(&Generator { pattern, seed: 0, values }, &target(&vec![4; order], ty));
        all.push(said.err().map_or("accepted".into(), |e| render(&e)));
    }
    let huge = Generator { pattern: Pattern::Random { density: 0.1 }, seed: 0, values: None };
    all.push(generate(&huge, &target(&[1 << 40; 3], I32)).err().map_or("accepted".into(), |e| render(&e)));
    let matrix = good("m.tns", "1 1 5\n1 3 6\n3 2 7\n", &target(&[3, 3], I32));
    use levels::{COMPRESSED, DENSE, SINGLETON};
    for (levels, mode_order) in [
        (&[COMPRESSED, SINGLETON][..], &[0, 1][..]),
        (&[SINGLETON, COMPRESSED], &[0, 1]),
        (&[COMPRESSED], &[0]),
        (&[COMPRESSED, COMPRESSED], &[0, 0]),
    ] {
        all.push(pack(&matrix, levels, mode_order, 0).err().map_or("accepted".into(), |e| render(&e)));
    }
    let row = good("row.tns", "1 1 5\n3 2 7\n", &target(&[3, 3], I32));
    all.push(pack(&row, &[DENSE, SINGLETON], &[0, 1], 0).err().map_or("accepted".into(), |e| render(&e)));
    let wide = matrix.resized(vec![1 << 30, 1 << 30]).expect("larger");
    all.push(pack(&wide, &[DENSE, DENSE], &[0, 1], 0).err().map_or("accepted".into(), |e| render(&e)));
    all.join("\n\n") + "\n"
}

#[test]
fn malformed_inputs_are_explained() {
    let found = messages();
    let wanted = include_str!("messages.txt");
    assert!(found == wanted, "if this is right, put it into messages.txt:\n{found}");
}
