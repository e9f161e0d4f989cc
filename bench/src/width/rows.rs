//! Kernels with lanes, copies, windows and managers, and the rates that are wanted of them.

/// What a rate counts.
#[derive(Debug, Clone, Copy)]
pub enum Work {
    /// Stored entries of an operand, each of which meets so many elements.
    Entries(&'static str, u64),
    /// Products of the entries of two operands that meet: columns of the first and rows of the second.
    Products(&'static str, &'static str),
    /// Coordinates that two operands have both.
    Matches(&'static str, &'static str),
    /// Stored entries of the result.
    Stored,
}

/// A kernel of the benchmark.
#[derive(Debug, Clone)]
pub struct WidthRow {
    pub name: &'static str,
    pub expr: &'static str,
    /// Loop order, a letter an index; empty where the compiler chooses.
    pub order: &'static str,
    /// Size of the indices i, j and k; c is 64 columns.
    pub rows: u64,
    /// Type of all values.
    pub ty: &'static str,
    /// Name of each tensor and its levels, a letter each: `d`ense, `c`ompressed, words of `b`its.
    pub tensors: &'static [(&'static str, &'static str)],
    pub schedule: &'static str,
    /// Managers of a bus of 512 bits with a latency of 100 cycles; 0: memories on the chip. Arrays
    /// of up to this number of bytes are copied to the chip first.
    pub masters: u32,
    pub on_chip: u32,
    pub data: Operands,
    pub work: Work,
    /// Work a cycle, at least.
    pub wanted: f64,
    /// Bytes over the bus, at most, of those of operands and results.
    pub bytes: Option<f64>,
}

/// Operands by name, with their data.
pub type Operands = &'static [(&'static str, &'static str)];

/// Values at all coordinates.
const FULL: &str = "{ random = { density = 1.0, seed = 3 } }";

const SPMV_TENSORS: &[(&str, &str)] = &[("A", "dc"), ("x", "d"), ("y", "c")];

/// A matrix of 10,000 rows times a vector.
pub const SPMV: WidthRow = WidthRow {
    name: "",
    expr: "y(i) = A(i,j) * x(j)",
    order: "",
    rows: 10_000,
    ty: "f32",
    tensors: SPMV_TENSORS,
    schedule: "lanes = { j = 64 }",
    masters: 0,
    on_chip: 65_536,
    data: EVEN_DATA,
    work: Work::Entries("A", 1),
    wanted: 0.0,
    bytes: None,
};

/// Entries that are spread evenly, 50 a row.
pub const EVEN_DATA: Operands = &[("A", "{ random = { density = 0.005, seed = 2 } }"), ("x", FULL)];
/// The same, one a row.
pub const SPARSE_DATA: Operands = &[("A", "{ random = { density = 0.0001, seed = 2 } }"), ("x", FULL)];
/// At most five entries a row.
pub const POISSON_DATA: Operands = &[("A", POISSON), ("x", FULL)];
/// A few long rows and many short ones.
pub const RMAT_DATA: Operands = &[("A", "{ rmat = { edges = 200000, seed = 1 } }"), ("x", FULL)];
/// The same, two a row.
pub const RMAT_SPARSE_DATA: Operands = &[("A", "{ rmat = { edges = 20000, seed = 1 } }"), ("x", FULL)];
/// A Poisson matrix of a grid.
const POISSON: &str = "{ poisson2d = { n = 100 } }";
/// 100,000 columns with 5 entries a row.
const WIDE_DATA: Operands = &[("A", "{ random = { density = 0.00005, seed = 2 } }"), ("x", FULL)];

const WINDOWS: WidthRow = WidthRow { rows: 100_000, data: WIDE_DATA, ..SPMV };

const SPGEMM: WidthRow = WidthRow {
    expr: "X(i,j) = A(i,k) * C(k,j)",
    tensors: &[("A", "dc"), ("C", "dc"), ("X", "cc")],
    schedule: "",
    data: &[("A", POISSON), ("C", POISSON)],
    work: Work::Products("A", "C"),
    ..SPMV
};

/// Products of two vectors of words of bits.
const BITS: WidthRow = WidthRow {
    expr: "x(i) = A(i) * B(i)",
    rows: 100_000,
    tensors: &[("A", "b"), ("B", "b"), ("x", "c")],
    schedule: "lanes = { i = 16 }",
    data: &[("A", "{ random = { density = 0.3, seed = 1 } }"), ("B", "{ random = { density = 0.3, seed = 2 } }")],
    work: Work::Matches("A", "B"),
    wanted: 12.0,
    ..SPMV
};

const RMAT_PRODUCT: Operands =
    &[("A", "{ rmat = { edges = 40000, seed = 1 } }"), ("C", "{ rmat = { edges = 40000, seed = 2 } }")];

/// The kernels, in the order of the table.
pub const ROWS: [WidthRow; 19] = [
    WidthRow { name: "SpMV, 64 lanes, even rows", wanted: 60.0, ..SPMV },
    WidthRow { name: "SpMV, 64 lanes, R-MAT", data: RMAT_DATA, wanted: 55.0, ..SPMV },
    WidthRow { name: "SpMV, 64 lanes, Poisson", data: POISSON_DATA, wanted: 55.0, ..SPMV },
    WidthRow { name: "SpMV, 128 lanes, even rows", schedule: "lanes = { j = 128 }", wanted: 110.0, ..SPMV },
    WidthRow {
        name: "SpMV, 128 lanes, 16 managers",
        schedule: "lanes = { j = 128 }",
        masters: 16,
        wanted: 90.0,
        bytes: Some(1.1),
        ..SPMV
    },
    WidthRow { name: "SpMV, 64 lanes, 16 managers, R-MAT", masters: 16, data: RMAT_DATA, wanted: 45.0, ..SPMV },
    WidthRow {
        name: "windows, 100,000 columns, 8 lanes, 4 managers",
        schedule: "split = { j = 8192 }\nlanes = { j = 8 }",
        masters: 4,
        wanted: 7.2,
        ..WINDOWS
    },
    WidthRow {
        name: "windows, 100,000 columns, 64 lanes, 16 managers",
        schedule: "split = { j = 8192 }\nlanes = { j = 64 }",
        masters: 16,
        wanted: 40.0,
        ..WINDOWS
    },
    WidthRow {
        name: "SpMM, 64 columns, 8 x 8 lanes, 8 managers",
        expr: "Y(i,c) = A(i,j) * X(j,c)",
        order: "ijc",
        tensors: &[("A", "dc"), ("X", "dd"), ("Y", "dd")],
        schedule: "lanes = { i = 8, c = 8 }",
        masters: 8,
        on_chip: 1 << 19,
        data: &[("A", "{ random = { density = 0.001, seed = 2 } }"), ("X", FULL)],
        work: Work::Entries("A", 64),
        wanted: 58.0,
        ..SPMV
    },
    WidthRow { name: "SpGEMM, Poisson", wanted: 0.93, ..SPGEMM },
    WidthRow { name: "SpGEMM, R-MAT", data: RMAT_PRODUCT, wanted: 0.9, ..SPGEMM },
    WidthRow { name: "SpGEMM, 16 copies, Poisson", schedule: "parallel = { i = 16 }", wanted: 15.0, ..SPGEMM },
    WidthRow {
        name: "SpGEMM, 16 copies, R-MAT",
        schedule: "parallel = { i = 16 }",
        data: RMAT_PRODUCT,
        wanted: 13.0,
        ..SPGEMM
    },
    WidthRow { name: "SpGEMM, one copy, 4 managers, Poisson", masters: 4, on_chip: 1 << 20, ..SPGEMM },
    WidthRow {
        name: "SpGEMM, 4 copies, 4 managers, Poisson",
        schedule: "parallel = { i = 4 }",
        masters: 4,
        on_chip: 1 << 20,
        wanted: 3.7,
        ..SPGEMM
    },
    WidthRow {
        name: "SpMV, 16 copies of rows, Poisson",
        schedule: "parallel = { i = 16 }",
        data: POISSON_DATA,
        wanted: 15.0,
        ..SPMV
    },
    WidthRow {
        name: "SpMV, 4 lanes of rows, 4 copies in each, Poisson",
        schedule: "lanes = { i = 4 }\nparallel = { i = 4 }",
        data: POISSON_DATA,
        wanted: 15.0,
        ..SPMV
    },
    WidthRow { name: "products of words of bits, 16 lanes", ..BITS },
    WidthRow {
        name: "dot product of words of bits, 16 lanes",
        expr: "s = A(i) * B(i)",
        tensors: &[("A", "b"), ("B", "b"), ("s", "")],
        ..BITS
    },
];

/// Machines of papers among the examples, with what their rates count.
pub const MACHINES: [(&str, Work); 7] = [
    ("gamma", Work::Products("B", "C")),
    ("outerspace", Work::Products("B", "C")),
    ("extensor", Work::Products("B", "C")),
    ("capstan", Work::Stored),
    ("serpens", Work::Entries("A", 1)),
    ("sextans", Work::Entries("A", 64)),
    ("hispmv", Work::Entries("A", 1)),
];
