//! Which type a value has: comparisons, indices, conversions and computed coordinates, with results
//! written by hand, through files.

use crate::support::Folder;

/// A tensor: name, type, sizes, and entries as lines of a .tns file.
type Tensor = (&'static str, &'static str, &'static [u64], &'static str);

/// Runs a statement on these operands; the lines of the result, which is the first tensor and
/// dense, that are not 0.
fn lines(expr: &str, sizes: &str, tensors: &[Tensor]) -> Vec<String> {
    let folder = Folder::new();
    let mut text = format!("expr = \"{expr}\"\n[dims]\n{sizes}\n");
    let mut args = vec!["run".to_owned(), "k.toml".to_owned(), "--out".to_owned(), format!("{}=out.tns", tensors[0].0)];
    for (n, (name, ty, shape, entries)) in tensors.iter().enumerate() {
        let level = if n == 0 || !shape.is_empty() && shape[0] < 100 { "dense" } else { "compressed" };
        let levels = vec![level; shape.len()];
        text += &format!("[tensors.{name}]\ntype = \"{ty}\"\nshape = {shape:?}\nlevels = {levels:?}\n");
        if n > 0 {
            folder.write(&format!("{name}.tns"), entries.replace(", ", "\n") + "\n");
            args.extend(["--tensor".to_owned(), format!("{name}={name}.tns")]);
        }
    }
    folder.write("k.toml", text).fine(&args);
    let out = folder.read("out.tns");
    let entry = |line: &&str| !line.starts_with('#') && !matches!(line.rsplit(' ').next(), Some("0" | "0.0" | "-0.0"));
    out.lines().filter(entry).map(str::to_owned).collect()
}

#[test]
fn comparisons_have_a_type_of_their_own() {
    for ty in ["bool", "i8", "u8", "i16", "f32", "f16", "bf16", "fx8.4", "i8s"] {
        // Rows and columns from 1.
        let a = ("A", ty, &[200, 200][..], "3 4 1, 5 5 1, 200 3 1, 3 200 1, 200 200 1");
        let lines = |op: &str| {
            let y = ("Y", ty, &[200, 200][..], "");
            let lines = lines(&format!("Y(i,j) = mask(i {op} j, A(i,j))"), "", &[y, a]);
            lines.iter().map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(lines("=="), ["5 5", "200 200"], "{ty}");
        assert_eq!(lines(">="), ["5 5", "200 3", "200 200"], "{ty}");
        assert_eq!(lines("<"), ["3 4", "3 200"], "{ty}");
    }
}

#[test]
fn what_is_compared_may_be_of_other_types_than_the_statement() {
    let ed = [("e", "i32", &[3][..], "1 256, 2 5, 3 7"), ("d", "i32", &[3][..], "2 5, 3 7")];
    let more = |ed: [Tensor; 2]| lines("more = any[k](e(k) != d(k))", "", &[("more", "bool", &[], ""), ed[0], ed[1]]);
    assert_eq!(more(ed), ["1"]);
    assert!(more([("e", "i32", &[3], "2 5, 3 7"), ed[1]]).is_empty());
    let a: Tensor = ("A", "f32", &[4], "1 0.5, 2 0.75, 3 -1, 4 1e30");
    let y = |ty| ("y", ty, &[4][..], "");
    for ty in ["i32", "u8", "bool", "fx8.4"] {
        let found = lines("y(i) = A(i) > 0.5", "", &[y(ty), a]);
        assert_eq!(found.iter().map(|l| &l[..1]).collect::<Vec<_>>(), ["2", "4"], "{ty}");
    }
    let b: Tensor = ("b", "i32", &[4], "1 1, 2 0, 3 -1, 4 9");
    assert_eq!(lines("y(i) = b(i) > 0.5", "", &[y("i32"), b]), ["1 1", "4 1"]);
    assert_eq!(lines("y(i) = -0.5 < b(i)", "", &[y("i32"), b]), ["1 1", "2 1", "4 1"]);
    assert_eq!(lines("y(i) = b(i) < 1e12", "", &[y("i32"), b]).len(), 4);
    assert_eq!(lines("y(i) = where(b(i) == 0.5, 1, 2)", "", &[y("i32"), b]).len(), 4);
    // Types of which neither holds the other, and one without a 1.
    let c: Tensor = ("c", "u8", &[4], "1 255, 2 0, 3 255, 4 9");
    let s: Tensor = ("s", "i8", &[4], "1 -1, 2 0, 3 1, 4 9");
    assert_eq!(lines("y(i) = c(i) == s(i)", "", &[y("i16"), c, s]), ["2 1", "4 1"]);
    let f: Tensor = ("f", "fx8.8", &[4], "1 0.25, 3 -0.5");
    assert_eq!(lines("y(i) = f(i) < 0.125", "", &[y("i32"), f]), ["2 1", "3 1", "4 1"]);
}

#[test]
fn indices_become_values_as_their_type_says() {
    let a = |ty| ("a", ty, &[300][..], "1 1, 129 1, 201 1, 256 1, 257 1, 300 1");
    let of = |ty: &'static str| lines("y(i) = where(a(i) != 0, i, 0)", "", &[("y", ty, &[300], ""), a(ty)]);
    assert_eq!(of("u8"), ["129 128", "201 200", "256 255", "300 43"]);
    assert_eq!(of("i8"), ["129 -128", "201 -56", "256 -1", "300 43"]);
    assert_eq!(of("i8s"), ["129 127", "201 127", "256 127", "257 127", "300 127"]);
    assert_eq!(of("bool"), ["129 1", "201 1", "256 1", "257 1", "300 1"]);
    assert_eq!(of("bf16"), ["129 128.0", "201 200.0", "256 255.0", "257 256.0", "300 300.0"]);
    assert_eq!(lines("y(i) = a(i) * i", "", &[("y", "i8s", &[300], ""), ("a", "i8s", &[300], "129 1")]), ["129 127"]);
    // 256 is true, though it is 0 of u8.
    let truth = lines("y(i) = where(i, a(i), 0)", "", &[("y", "u8", &[300], ""), a("u8")]);
    assert_eq!(truth, ["129 1", "201 1", "256 1", "257 1", "300 1"]);
    // Beyond 2^31.
    let far: Tensor = ("a", "f32", &[3 << 30], "2147483649 1, 2147483650 1");
    let folder = Folder::new();
    let tables = "levels = [\"compressed\"]\ntype = \"f32\"\nnnz = 4\n";
    let text = format!(
        "expr = \"y(i) = where(a(i) != 0, f32(i), 0)\"\n[dims]\ni = {}\n[tensors.a]\n{tables}[tensors.y]\n{tables}",
        far.2[0]
    );
    folder.write("a.tns", far.3.replace(", ", "\n") + "\n").write("k.toml", text);
    folder.fine(&["run", "k.toml", "--tensor", "a=a.tns", "--out", "y=y.tns"]);
    assert!(folder.read("y.tns").contains("2147483649 2147483600.0"), "{}", folder.read("y.tns"));
}

#[test]
fn fixed_point_saturates_as_an_integer() {
    let a: Tensor = ("a", "fx16.4", &[4], "1 -1.5, 2 300.25, 3 7.875, 4 -0.875");
    assert_eq!(lines("y(i) = u8(a(i))", "", &[("y", "u8", &[4], ""), a]), ["2 255", "3 7"]);
    assert_eq!(lines("y(i) = i8(a(i))", "", &[("y", "i8", &[4], ""), a]), ["1 -1", "2 127", "3 7"]);
}

#[test]
fn real_coordinates_are_rounded() {
    for ty in ["f64", "f16"] {
        let p: Tensor = ("p", ty, &[7], "1 -0.9, 2 1.9, 3 2.2, 4 nan, 5 2.5, 6 1e4, 7 -inf");
        assert_eq!(lines("h(p(i)) += 1", "", &[("h", "i32", &[4], ""), p]), ["3 3"], "{ty}");
        let x: Tensor = ("x", "i32", &[4], "1 10, 2 20, 3 30, 4 40");
        let read = lines("y(i) = coalesce(x(p(i)), -1)", "", &[("y", "i32", &[7], ""), x, p]);
        assert_eq!(read, ["1 -1", "2 30", "3 30", "4 -1", "5 30", "6 -1", "7 -1"], "{ty}");
    }
    let p: Tensor = ("p", "fx16.4", &[4], "1 0.5, 2 1.5, 3 -0.5, 4 -0.75");
    assert_eq!(lines("h(p(i)) += 1", "", &[("h", "i32", &[4], ""), p]), ["1 2", "3 1"]);
}

#[test]
fn divisors_saturate() {
    let tensors = |ty| {
        let y: Tensor = ("y", ty, &[3], "");
        [y, ("a", ty, &[3], "1 -128, 2 -128, 3 -128"), ("b", ty, &[3], "2 64, 3 -128")]
    };
    assert_eq!(lines("y(i) = gcd(a(i), b(i))", "", &tensors("i8s")), ["1 127", "2 64", "3 127"]);
    assert_eq!(lines("y(i) = gcd(gcd(a(i), b(i)), 96)", "", &tensors("i8s")), ["1 32", "2 32", "3 32"]);
    let a: Tensor = ("A", "i8s", &[2, 3], "1 1 -128, 1 2 -128, 2 1 -128, 2 2 -128, 2 3 64");
    assert_eq!(lines("y(i) = gcd[j](A(i,j))", "", &[("y", "i8s", &[2], ""), a]), ["1 127", "2 64"]);
}

#[test]
fn index_arithmetic_is_that_of_whole_numbers() {
    let b = |ty| ("b", ty, &[9][..], "1 1, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1");
    let y = |ty| ("y", ty, &[9][..], "");
    let odd = lines("y(i) = where(i % 2 == 1, b(i), 0)", "", &[y("f32"), b("f32")]);
    assert_eq!(odd, ["2 1.0", "4 1.0", "6 1.0", "8 1.0"]);
    assert_eq!(lines("y(i) = i // 3 * 200", "", &[y("i8s")]), ["4 127", "5 127", "6 127", "7 127", "8 127", "9 127"]);
    assert_eq!(lines("y(i) = (300 - i) * b(i)", "", &[y("u8"), b("u8")])[0], "1 44");
    // A real quotient where the statement is real, a whole one where it is not.
    assert_eq!(lines("y(i) = i / 4", "", &[y("f32")])[0], "2 0.25");
    assert_eq!(lines("y(i) = i / 4", "", &[y("i32")])[0], "5 1");
}

#[test]
fn index_arithmetic_is_as_fast_as_with_a_conversion_written_in() {
    let cycles = |condition: &str| {
        let folder = Folder::new();
        let tables = "levels = [\"dense\"]\ntype = \"f32\"\n";
        let data = "[data]\nb = { random = { density = 1.0, seed = 1 } }\n";
        let text = format!(
            "expr = \"y(i) = where({condition}, b(i), 0)\"\n[dims]\ni = 96\n[tensors.b]\n{tables}[tensors.y]\n{tables}{data}"
        );
        let said = folder.write("k.toml", text).fine(&["run", "k.toml"]).out;
        let line = said.lines().find_map(|line| line.strip_prefix("cycles"));
        line.and_then(|line| line.trim().parse::<u64>().ok()).expect("cycles")
    };
    assert!(cycles("i % 2 == 1") <= cycles("f32(i32(i) % 2 == 1)"));
    assert!(cycles("i % 2 == 1") < 96 + 30);
}

#[test]
fn types_that_have_nothing_in_common_are_refused() {
    let folder = Folder::new();
    let text = "expr = \"y(i) = a(i) < b(i)\"\n[dims]\ni = 3\n[tensors.y]\nlevels = [\"dense\"]\ntype = \"bool\"\n\
                [tensors.a]\nlevels = [\"dense\"]\ntype = \"i64\"\n[tensors.b]\nlevels = [\"dense\"]\ntype = \"f64\"\n";
    let ran = folder.write("k.toml", text).run(&["graph", "k.toml"]);
    assert_ne!(ran.status, 0);
    assert!(ran.err.contains("E014") && ran.err.contains("convert one of them: `f64(a(i))`"), "{}", ran.err);
}

#[test]
fn conditions_that_leave_coordinates_out_have_a_type_of_their_own() {
    for ty in ["f32", "f64", "bf16", "i32"] {
        let tensors = [
            ("s", ty, &[][..], ""),
            ("A", ty, &[100, 3], "1 1 2, 2 1 3, 2 3 4, 5 3 5, 6 3 7, 9 2 1"),
            ("v", ty, &[100], "1 1, 2 1, 5 3, 6 1, 9 1"),
            ("x", ty, &[3], "1 1, 2 10, 3 20"),
        ];
        // The number of i goes along with what is left of i: (0, 0), (1, 2) and (4, 2).
        let s = lines("s = mask(i <= 2*j and v(i) != 0, A(i,j) * x(j))", "", &tensors);
        assert_eq!(s.iter().map(|s| s.parse::<f64>().unwrap()).collect::<Vec<_>>(), [182.0], "{ty}");
    }
}
