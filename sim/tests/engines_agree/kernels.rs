//! The kernels on which the engines are compared.

/// A kernel in short: formats as `X:sd:1,0` (compressed, dense; mode order).
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    pub expr: &'static str,
    pub formats: &'static str,
    /// Loop order; empty: the compiler's choice.
    pub order: &'static str,
    pub ty: &'static str,
}

const fn spec(ty: &'static str, expr: &'static str, formats: &'static str, order: &'static str) -> Spec {
    Spec { expr, formats, order, ty }
}

pub const KERNELS: &[Spec] = &[
    // Matrix times matrix in every loop order.
    spec("i32", "X(i,j) = B(i,k) * C(k,j)", "X:ss:0,1 B:ss:0,1 C:ss:1,0", "ijk"),
    spec("i32", "X(i,j) = B(i,k) * C(k,j)", "X:ss:0,1 B:ss:0,1 C:ss:0,1", "ikj"),
    spec("u16", "X(i,j) = B(i,k) * C(k,j)", "X:ss:1,0 B:ss:0,1 C:ss:1,0", "jik"),
    spec("i64", "X(i,j) = B(i,k) * C(k,j)", "X:ss:1,0 B:ss:1,0 C:ss:1,0", "jki"),
    spec("i16", "X(i,j) = B(i,k) * C(k,j)", "X:ss:0,1 B:ss:1,0 C:ss:0,1", "kij"),
    spec("u64", "X(i,j) = B(i,k) * C(k,j)", "X:ss:1,0 B:ss:1,0 C:ss:0,1", "kji"),
    spec("u32", "X(i,j) = B(i,k) * C(k,j)", "X:ds:0,1 B:ds:0,1 C:ds:0,1", ""),
    spec("i8", "X(i,j) = B(i,k) * C(k,j)", "X:dd:0,1 B:sd:0,1 C:dd:0,1", ""),
    // Vectors, and matrix times vector.
    spec("i8", "x(i) = b(i) * c(i)", "x:s:0 b:s:0 c:s:0", ""),
    spec("u64", "x(i) = b(i) * c(i)", "x:d:0 b:s:0 c:d:0", ""),
    spec("i32", "y(i) = A(i,j) * x(j)", "y:d:0 A:ds:0,1 x:d:0", ""),
    spec("u16", "y(i) = A(i,j) * x(j)", "y:s:0 A:ss:0,1 x:s:0", ""),
    spec("i16", "y(i) = A(i,j) * x(j)", "y:d:0 A:ds:1,0 x:s:0", ""),
    spec("i8", "y(i) = max[j](A(i,j))", "y:s:0 A:ss:0,1", ""),
    spec("u8", "y(i) = min[j](A(i,j) + B(i,j))", "y:d:0 A:ds:0,1 B:ss:0,1", ""),
    // Element by element.
    spec("u8", "X(i,j) = B(i,j) + C(i,j)", "X:ss:0,1 B:ss:0,1 C:ds:0,1", ""),
    spec("i64", "X(i,j) = B(i,j) + C(i,j) + D(i,j)", "X:ds:0,1 B:ss:0,1 C:ds:0,1 D:ss:0,1", ""),
    spec("i16", "X(i,j,k) = B(i,j,k) + C(i,j,k)", "X:sss:0,1,2 B:sss:0,1,2 C:sss:0,1,2", ""),
    spec("u32", "a = B(i,j,k) * C(i,j,k)", "B:sss:0,1,2 C:sss:0,1,2", ""),
    // Sums of products, operands that repeat, several reductions.
    spec("i32", "x(i) = b(i) - C(i,j) * d(j)", "x:s:0 b:s:0 C:ss:0,1 d:d:0", ""),
    spec("i32", "X(i,j) = b(i) + C(i,j)", "X:ss:0,1 b:s:0 C:ss:0,1", ""),
    spec("u16", "X(i,j) = (b(i) + d(i)) * C(i,j)", "X:ss:0,1 b:s:0 d:s:0 C:ss:0,1", ""),
    spec("i8", "X(i,j) = b(i) * D(i,j) + C(i,j)", "X:ss:0,1 b:s:0 D:ss:0,1 C:ss:0,1", ""),
    spec("u8", "X(i,j) = D(i,j) + B(i,k) * C(k,j)", "X:ss:0,1 D:ss:0,1 B:ss:0,1 C:ss:0,1", ""),
    spec("i16", "X(i,j) = B(i,j) * C(i,k) * D(k,j)", "X:ss:0,1 B:ss:0,1 C:dd:0,1 D:dd:0,1", ""),
    spec("i64", "X(i,j) = B(i,j,k) * c(k)", "X:ss:0,1 B:sss:0,1,2 c:s:0", ""),
    spec("u32", "X(i,j,k) = B(i,j,l) * C(k,l)", "X:sss:0,1,2 B:sss:0,1,2 C:ss:0,1", ""),
    spec("i32", "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "X:ss:0,1 B:sss:0,1,2 C:ss:0,1 D:ss:0,1", ""),
    spec("u64", "x(i) = a * B(j,i) * c(j) + b * d(i)", "x:s:0 B:ss:1,0 c:s:0 d:s:0", ""),
    spec("i32", "x(i) = 3 * b(i) - -c(i)", "x:s:0 b:s:0 c:s:0", ""),
];

/// Largest size of a dimension: three-dimensional data stay small.
pub fn most(spec: &Spec) -> u64 {
    if spec.formats.contains(":sss") { 12 } else { 40 }
}

/// Most entries of a tensor, so that one build serves all data.
pub const NNZ: u64 = 2048;

/// As a kernel file.
pub fn text(spec: &Spec) -> String {
    let mut out = format!("name = \"agree\"\nexpr = \"{}\"\n", spec.expr);
    let quoted = |names: Vec<String>| names.iter().map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ");
    if !spec.order.is_empty() {
        out += &format!("order = [{}]\n", quoted(spec.order.chars().map(String::from).collect()));
    }
    out += "[dims]\n";
    for v in ["i", "j", "k", "l"].iter().filter(|v| uses(spec.expr, v)) {
        out += &format!("{v} = {}\n", most(spec));
    }
    for f in spec.formats.split(' ') {
        let parts: Vec<&str> = f.split(':').collect();
        let level = |c| if c == 'd' { "dense" } else { "compressed" }.to_string();
        let levels = quoted(parts[1].chars().map(level).collect());
        let (name, modes, ty) = (parts[0], parts[2], spec.ty);
        out +=
            &format!("[tensors.{name}]\nlevels = [{levels}]\nmode_order = [{modes}]\ntype = \"{ty}\"\nnnz = {NNZ}\n");
    }
    for scalar in ["a", "b"].iter().filter(|s| is_scalar(spec.expr, s)) {
        out += &format!("[tensors.{scalar}]\nlevels = []\ntype = \"{}\"\n", spec.ty);
    }
    out
}

/// Whether `v` is an index somewhere.
fn uses(expr: &str, v: &str) -> bool {
    let lists = expr.split('(').skip(1).filter_map(|s| s.split(')').next());
    lists.flat_map(|l| l.split(',')).any(|x| x.trim() == v)
}

/// Whether `s` is there as a name of its own, without indices.
fn is_scalar(expr: &str, s: &str) -> bool {
    expr.split(' ').any(|word| word == s)
}
