//! The kernels that emission is tested on: together every primitive, format and type.

use samhw_compiler::diag::{Source, render};
use samhw_compiler::emit::axi::emit_axi;
use samhw_compiler::emit::{Design, emit};
use samhw_compiler::facts::Density;
use samhw_compiler::frontend;
use samhw_compiler::frontend::Memory;
use samhw_compiler::pipeline::{compile_file, declared_netlist};
use std::fmt::Write;
use std::sync::Arc;

/// A kernel in one line. Tensors: name, a letter per level (see [`level`]), and the mode order
/// if it is not the usual one. Empty order: chosen. Behind a bar, a line of the schedule.
pub struct Line {
    pub name: &'static str,
    pub expr: &'static str,
    pub order: &'static str,
    pub dims: &'static [(&'static str, u64)],
    pub tensors: &'static str,
    pub ty: &'static str,
}

const I: &[(&str, u64)] = &[("i", 40)];
const IJ: &[(&str, u64)] = &[("i", 40), ("j", 30)];
const IJPQ: &[(&str, u64)] = &[("i", 40), ("j", 30), ("p", 25), ("q", 48)];
const IJK: &[(&str, u64)] = &[("i", 40), ("j", 30), ("k", 20)];
const IJKL: &[(&str, u64)] = &[("i", 12), ("j", 9), ("k", 20), ("l", 7)];

const fn line(
    name: &'static str,
    expr: &'static str,
    order: &'static str,
    dims: &'static [(&'static str, u64)],
    tensors: &'static str,
    ty: &'static str,
) -> Line {
    Line { name, expr, order, dims, tensors, ty }
}

pub const KERNELS: &[Line] = &[
    line("spmv", "y(i) = A(i,j) * x(j)", "", IJ, "A dc; x d; y d", "i32"),
    line("spmv_sparse", "y(i) = A(i,j) * x(j)", "i j", IJ, "A cc; x c; y c", "i16"),
    line("spmv_columns", "y(i) = A(i,j) * x(j)", "j i", IJ, "A dc 10; x c; y d", "i32"),
    line("spmspm_ijk", "X(i,j) = B(i,k) * C(k,j)", "i j k", IJK, "B cc; C cc 10; X cc", "i32"),
    line("spmspm_jik", "X(i,j) = B(i,k) * C(k,j)", "j i k", IJK, "B cc; C cc 10; X cc 10", "i32"),
    line("spmspm_ikj", "X(i,j) = B(i,k) * C(k,j)", "i k j", IJK, "B dc; C dc; X dc", "i64"),
    line("spmspm_jki", "X(i,j) = B(i,k) * C(k,j)", "j k i", IJK, "B cc 10; C cc 10; X cc 10", "i8"),
    line("spmspm_kij", "X(i,j) = B(i,k) * C(k,j)", "k i j", IJK, "B cc 10; C cc; X cc", "i32"),
    line("spmspm_kji", "X(i,j) = B(i,k) * C(k,j)", "k j i", IJK, "B cc 10; C cc; X cc 10", "u16"),
    line("mmadd", "X(i,j) = B(i,j) + C(i,j)", "", IJ, "B cc; C cc; X cc", "i32"),
    line("mmadd_mixed", "X(i,j) = B(i,j) + C(i,j)", "", IJ, "B cc; C dc; X dc", "u64"),
    line("plus3", "X(i,j) = B(i,j) + C(i,j) + D(i,j)", "", IJ, "B cc; C dc; D cc; X dc", "i32"),
    line("plus6", "x(i) = a(i)+b(i)+c(i)+d(i)+e(i)+f(i)", "", I, "a c; b c; c c; d c; e c; f c; x c", "i8"),
    line("residual", "x(i) = b(i) - C(i,j) * d(j)", "", IJ, "b c; C cc; d d; x c", "i32"),
    line("mttkrp", "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "", IJKL, "B ccc; C cc; D cc; X cc", "i32"),
    line("sddmm", "X(i,j) = B(i,j) * C(i,k) * D(k,j)", "", IJK, "B cc; C dd; D dd; X cc", "i32"),
    line("tensor_add", "X(i,j,k) = B(i,j,k) + C(i,j,k)", "", IJK, "B ccc; C ccc; X ccc", "i16"),
    line("stencil", "X(i,j) = B(i,j) * sum[k](B(i + k - 1, B(i,j)) * c(k))", "", IJK, "B dc; c d; X dc", "i32"),
    line("backwards", "T(i,j) = 2 * A(i,j); X(i,j) = triu(flip(T,1),1)(i,j)", "", IJ, "A dc; T dc; X dc", "i32"),
    line("histogram", "x(k) = c(k); x(b(i)) += A(i,j)", "", IJK, "b d; A dc; c c; x d", "i32"),
    line("scattered", "X(k,j) = C(k,j); X(b(i), j) = A(i,j)", "", IJK, "b d; A dc; C cc; X dd 10", "i16"),
    line("ttv", "X(i,j) = B(i,j,k) * c(k)", "", IJK, "B ccc; c c; X cc", "u8"),
    line("inner", "a = B(i,j,k) * C(i,j,k)", "", IJK, "B ccc; C ccc", "i64"),
    line("mattransmul", "x(i) = a * B(j,i) * c(j) + b * d(i)", "", IJ, "B cc 10; c c; d c; x c", "i32"),
    line("transposed_sum", "X(i,j) = B(i,j) + B(j,i)", "", &[("i", 30), ("j", 30)], "B cc; X cc", "i32"),
    line("float_roots", "x(i) = sqrt(A(i,j)) * b(j)", "i j", IJ, "A dc; b d; x d", "f32"),
    line("float_sum", "x(i) = b(i) + floor(c(i))", "", I, "b c; c c; x c", "f32"),
    line("diagonal", "x(i) = A(i,i)", "", I, "A cc; x c", "i32"),
    line("dense_copy", "X(i,j) = B(i,j)", "", IJ, "B dd; X dd", "i32"),
    line("dense_result", "X(i,j) = B(i,j) * C(i,j)", "", IJ, "B cc; C cc; X dd", "i16"),
    line("broadcast", "X(i,j) = b(i) + C(i,j)", "", IJ, "b c; C cc; X cc", "i32"),
    line("constant", "X(i,j) = 7 * B(i,j) - 3", "", IJ, "B cc; X dd", "u8"),
    line("negated", "x(i) = -b(i)", "", I, "b c; x c", "i32"),
    line("smallest", "x(i) = min[j](B(i,j))", "", IJ, "B dc; x d", "i16"),
    line("largest", "x(i) = max[j](B(i,j))", "", IJ, "B cc; x c", "u32"),
    line("row_by_column", "X(i,j) = b(i) * c(j)", "", IJ, "b c; c c; X dc", "i32"),
    line(
        "two_steps",
        "T(i) = A(i,j) * x(j); y(i) = T(i) + x(i)",
        "",
        &[("i", 30), ("j", 30)],
        "A dc; T c; x c; y c",
        "i32",
    ),
    line("shared_sum", "y(i) = b(i) * sum[j](c(j) + d(j))", "", IJ, "b c; c c; d c; y c", "i32"),
    line("one_by_one", "X(i,j) = B(i,k) * C(k,j)", "", &[("i", 1), ("j", 1), ("k", 1)], "B cc; C cc; X cc", "i8"),
    line("update", "y(i) = y(i) + A(i,j) * x(j)", "", IJ, "y d; A dc; x d", "i32"),
    line("scalar", "a = b", "", &[], "", "i32"),
    line("literal", "x(i) = 5", "", I, "x d", "i32"),
    line("outer_reduction", "X(i,j,k) = B(l,i,j,k) * c(l)", "l i j k", IJKL, "B cccc; c c; X ccc", "i16"),
    line("coordinate_list", "X(i,j) = B(i,j) + C(i,j)", "", IJ, "B cc; C cc; X ns", "i32"),
    line("coordinate_list_3", "X(i,j,k) = B(i,j,k)", "", IJK, "B ccc; X nNs", "i32"),
    line("coordinate_list_read", "x(i) = A(i,j) * y(j)", "", IJ, "A ns; y c; x c", "i32"),
    line("coordinate_list_3_read", "X(i,j,k) = B(i,j,k) + C(i,j,k)", "", IJK, "B nNs; C ccc; X ccc", "i16"),
    line("copies", "X(i,j) = B(i,k) * C(k,j)", "i k j | parallel = { i = 2 }", IJK, "B cc; C cc; X cc", "i32"),
    line("copies_in_order", "X(i,j) = B(i,k) * C(k,j)", "i k j | parallel = { i = 3 }", IJK, "B cc; C cc; X dd", "i16"),
    line(
        "copies_shared",
        "X(i,j) = B(i,k) * C(k,j)",
        "i k j | parallel = { i = { copies = 3, memory = \"shared\" } }",
        IJK,
        "B cc; C cc; X cc",
        "i32",
    ),
    line(
        "copies_banked",
        "T(k,j) = D(k,j); X(i,j) = B(i,k) * T(k,j)",
        "i k j | parallel = { i = { copies = 4, memory = \"banked\" } }",
        IJK,
        "B dc; D dc; T dc; X cc",
        "i16",
    ),
    line("copies_summed", "x(i) = B(i,j) * c(j)", "j i | parallel = { j = 3 }", IJ, "B cc 10; c c; x c", "i32"),
    line("banks", "X(i,j) = B(i,k) * C(k,j)", "i k j | lanes = { j = 2 }", IJK, "B cc; C dd; X dd", "i32"),
    line("runs", "x(i) = A(i,j) * c(j)", "i j | lanes = { j = 3 }", IJ, "A dc; c d; x c", "i32"),
    line("constant_index", "x(i) = A(i,2) * sum[j](A(i,j))", "i j", IJ, "A cc; x c", "i32"),
    line("index_values", "X(i,j) = B(i,j) * (i * 3 + j)", "", IJ, "B cc; X cc", "i32"),
    line("sliced", "x(i) = a(i[3:13]) * sum[j](a(j))", "", &[("i", 10), ("j", 30)], "a c; x c", "i32"),
    line("sliced_long", "x(i) = a(i[3:13]) * sum[j](a(j))", "", &[("i", 10), ("j", 5000)], "a c; x c", "i32"),
    line(
        "sliced_runs",
        "x(i) = min(a(i[0:9]), a(i[1:10])) * sum[j](a(j))",
        "",
        &[("i", 9), ("j", 10)],
        "a r; x r",
        "i32",
    ),
    line("sliced_dense", "x(i) = a(i[3:13]) * sum[j](a(j))", "", &[("i", 10), ("j", 30)], "a d; x d", "i32"),
    line("skipping", "x(i) = A(i,j) * b(j)", "i j | skip = [\"j\"]", IJ, "A cc; b c; x c", "i32"),
    line("wide", "x(i) = A(i,j) * b(j)", "i j | wide = { j = 2 }", IJ, "A cc; b c; x c", "i32"),
    line("bit_vectors", "x(i) = a(i) * b(i)", "i | bitvector = { i = 16 }", I, "a c; b c; x c", "i32"),
    line("words_joined", "X(i,j) = B(i,j) + C(i,j)", "", IJ, "B bb; C bb; X db", "i32"),
    line("words_alone", "x(i) = A(i,j) * c(j)", "i j", IJ, "A db; c c; x b", "i32"),
    line("words_located", "x(i) = A(i,j) * c(j)", "i j | locate = [\"c\"]", IJ, "A cc; c b; x d", "i32"),
    line("tables_located", "X(i,j) = A(i,j) * c(i,j)", "i j | locate = [\"c\"]", IJ, "A cc; c dh; X cc", "i32"),
    line("in_runs", "x(i) = A(i,j) * c(j)", "i j", IJ, "A kr; c k; x r", "i32"),
    line("in_blocks", "X(i,j) = B(i,j) + C(i,j)", "", IJ, "B dk; C rr; X kk", "i16"),
    line("narrow", "y(i) = i16s(sum[j](i48(A(i,j)) * i48(x(j))))", "", IJ, "A dc; x d; y d", "i16s"),
    line("converted", "y(i) = i16(f32(A(i,j)) * f32(x(j)))", "i j", IJ, "A cc; x c; y c", "i16"),
    line("scanned", "y(i) = cumsum[i](c(i))", "i", I, "c d; y d", "i32"),
    line("recurrent", "y(i) = c(i) * y(i - 1) + a(i)", "i", I, "c d; a c; y d", "i32"),
    line("placed", "y(i) = argmax[j](A(i,j))", "i j", IJ, "A dd; y d", "i32"),
    line("ended", "y(i) = any[j](A(i,j))", "i j", IJ, "A dd; y d", "bool"),
    line("ended_blocks", "y(i) = any[j](A(i,j))", "i j", IJ, "A dk; y d", "bool"),
    line("ended_words", "y(i) = any[j](A(i,j))", "i j", IJ, "A db; y d", "bool"),
    line("ended_word_joins", "y(i) = any[j](A(i,j) and c(j))", "i j", IJ, "A db; c b; y d", "bool"),
    line("ended_sums", "y(i) = sum[j](A(i,j))", "i j", IJ, "A dc; y d", "u8s"),
    line("ended_bits", "y(i) = band[j](A(i,j))", "i j", IJ, "A dc; y d", "i16"),
    line("behind_axi", "y(i) = A(i,j) * x(j)", "i j | [hardware]\nmemory = \"axi\"", IJ, "A cc; x d; y c", "i32"),
    line(
        "windows_behind_axi",
        "y(i) = A(i,j) * x(j)",
        " | split = { j = 8 }\nlanes = { j = 2 }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\non_chip = 0",
        IJ,
        "A cc; x d; y d",
        "i32",
    ),
    line(
        "skipping_behind_axi",
        "x(i) = A(i,j) * b(j)",
        "i j | skip = [\"j\"]\n[hardware]\nmemory = \"axi\"",
        IJ,
        "A cc; b c; x c",
        "i32",
    ),
    line(
        "words_behind_axi",
        "x(i) = a(i) * b(i)",
        "i | bitvector = { i = 16 }\n[hardware]\nmemory = \"axi\"",
        I,
        "a c; b c; x c",
        "i32",
    ),
    line(
        "managers",
        "y(i) = A(i,j) * x(j)",
        "i j | [hardware]\nmemory = \"axi\"\n[hardware.axi]\nmasters = 3",
        IJ,
        "A cc; x d; y c",
        "i32",
    ),
    line(
        "tiles",
        "X(i,j) = B(i,k) * C(k,j)",
        "i0 k0 j0 i1 k1 j1 | split = { i = 8, k = 4, j = 8 }\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\non_chip = 64\ncounters = true",
        IJK,
        "B cc; C cc; X cc",
        "i32",
    ),
    line(
        "real_functions",
        "x(i) = exp(a(i)) + log(c(i)) + sin(d(i)) + tanh(e(i))",
        "",
        I,
        "a c; c c; d c; e c; x d",
        "f32",
    ),
    line("divisors", "x(i) = gcd(c(i), gcd[j](A(i,j)))", "i j", IJ, "A cc; c c; x c", "i32"),
    line("divisors_kept", "X(i,j) = gcd[k](B(i,k) * C(k,j))", "i k j", IJK, "B cc; C cc; X cc", "i16"),
    line("runs_counted", "x(i) = A(i,j)", "i j", IJ, "A dr; x d", "i32"),
    line("masked", "x(i) = mask(j <= i, A(i,j))", "i j", IJ, "A dd; x d", "i32"),
    line("bounded", "x(i) = mask(j <= i, A(i,j))", "i j", IJ, "A dc; x d", "i32"),
    line("from_the_diagonal", "x(i) = mask(j >= i, A(i,j))", "i j", IJ, "A dc; x d", "i32"),
    line(
        "rounds",
        "n(i) = f(i) - 1; b = any[i](n(i))",
        "i | [repeat]\nwhile = \"b\"\nat_most = 9\ncarry = { f = \"n\" }",
        I,
        "f d; n d",
        "i32",
    ),
    line("lists", "Y(i,k,j) = B(i,k) * C(k,j); X(i,j) = Y(i,k,j)", "", IJK, "B cc 10; C cc; Y dlc; X cc", "i32"),
    line(
        "in_turns",
        "T(i,j) = A(i,j) * 2; X(i,j) = T(j,i) * A(i,j); Y(i,j) = T(j,i) + A(i,j)",
        " | fuse = {}",
        &[("i", 20), ("j", 20)],
        "A cc; T cc; X cc; Y cc",
        "i32",
    ),
    line("decided", "x(i) = red(lor, j, B(i,j))", "i j", IJ, "B cc; x c", "i32"),
    line("float_units", "x(i) = max(a(i) * b(i) + c(i), ldexp(a(i) / c(i), b(i)))", "", I, "a d; b d; c d; x d", "f32"),
    line("float_program", "x(i) = exp(a(i))", "", I, "a d; x d", "f64"),
    line("fixed_product", "x(i) = a(i) * b(i)", "", I, "a d; b d; x d", "fx16.8"),
    line("word_units", "x(i) = a(i) / b(i) + sqrt(a(i)) + pow(b(i), 5)", "", I, "a d; b d; x d", "i16"),
    line("powers", "x(i) = pow(a(i), b(i))", "", I, "a d; b d; x d", "i32"),
    line("powers_of_parts", "x(i) = pow(a(i), b(i))", "", I, "a d; b d; x d", "fx16.8"),
    line("divisors_of_parts", "x(i) = gcd(a(i), b(i))", "", I, "a d; b d; x d", "f16"),
    line("float_rows", "X(i,j) = B(i,k) * C(k,j)", "i k j", IJK, "B dc; C dc; X dc", "f32"),
    line("reshaped", "T(i,j) = A(i,j) * 2; X(p,q) = reshape(T, 25, 48)(p,q)", "", IJPQ, "A cc; T cc; X cc", "i32"),
    line("samhw", "x(i) = wire(i) + reg(i)", "", I, "wire c; reg c; x c", "i32"),
];

/// Level kind of a letter.
fn level(letter: char) -> &'static str {
    match letter {
        'd' => "dense",
        'c' => "compressed",
        'b' => "bitvector16",
        'h' => "hash",
        'k' => "block",
        'r' => "run",
        'l' => "linked_list",
        'n' => "compressed_nu",
        's' => "singleton",
        'N' => "singleton_nu",
        other => panic!("no level kind has the letter {other}"),
    }
}

/// The kernel file of a line.
pub fn toml(k: &Line) -> String {
    let mut out = format!("name = \"{}\"\nexpr = \"{}\"\n", k.name, k.expr);
    let (order, schedule) = k.order.split_once(" | ").unwrap_or((k.order, ""));
    if !order.is_empty() {
        let order: Vec<String> = order.split(' ').map(|v| format!("\"{v}\"")).collect();
        let _ = writeln!(out, "order = [{}]", order.join(", "));
    }
    if !schedule.is_empty() {
        let _ = writeln!(out, "[schedule]\n{schedule}");
    }
    let _ = writeln!(out, "[dims]");
    k.dims.iter().for_each(|(v, n)| out += &format!("{v} = {n}\n"));
    let mut declared: Vec<&str> = Vec::new();
    for t in k.tensors.split("; ").filter(|t| !t.is_empty()) {
        let mut words = t.split(' ');
        let (name, levels) = (words.next().unwrap(), words.next().unwrap());
        declared.push(name);
        let levels: Vec<String> = levels.chars().map(|c| format!("\"{}\"", level(c))).collect();
        let _ = writeln!(out, "[tensors.{name}]\nlevels = [{}]\ntype = \"{}\"", levels.join(", "), k.ty);
        if let Some(order) = words.next() {
            let order: Vec<String> = order.chars().map(String::from).collect();
            let _ = writeln!(out, "mode_order = [{}]", order.join(", "));
        }
    }
    // Scalars are what is named and not declared.
    for name in ["a", "b"] {
        let bare = k.expr.split(|c: char| !c.is_alphanumeric() && c != '(').any(|w| w == name);
        if bare && !declared.contains(&name) {
            let _ = writeln!(out, "[tensors.{name}]\nlevels = []\ntype = \"{}\"", k.ty);
        }
    }
    out
}

/// From kernel file to Verilog, as the command line does it.
pub fn design(toml: &str) -> Design {
    let source = Arc::new(Source { path: "test.toml".into(), text: toml.to_owned() });
    let file = frontend::parse(source).unwrap_or_else(|d| panic!("{toml}\n{}", render(&d)));
    let compiled = compile_file(&file, &Density::default()).unwrap_or_else(|d| panic!("{toml}\n{}", render(&d)));
    let lowered = compiled.lowered;
    let net = declared_netlist(&lowered).unwrap_or_else(|d| panic!("{toml}\n{}", render(&[d])));
    net.check().unwrap_or_else(|e| panic!("{toml}\n{e}"));
    match &file.hardware.memory {
        Memory::Ram => emit(&lowered, &net),
        Memory::Axi(options) => {
            emit_axi(&lowered, &net, options).unwrap_or_else(|d| panic!("{toml}\n{}", render(&[d])))
        }
    }
}
