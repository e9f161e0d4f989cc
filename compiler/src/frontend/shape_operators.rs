//! Names of the shape operators, and what they take.

/// The operators: names, what the numbers are that each needs, whether more may follow, and what
/// they mean.
pub(super) const OPERATORS: [(&str, &[&str], bool, &str); 11] = [
    (
        "split",
        &["the mode to split, a number", "the inner size, a number"],
        false,
        "`split(T, d, m)` has coordinate c of mode d of the tensor T at c div m in mode d and at c mod m in mode d + 1, \
         as in `split(A, 0, 8)(i0, i1, j)`",
    ),
    (
        "collapse",
        &["the first of two modes, a number"],
        false,
        "`collapse(T, d)` has one mode for d and d + 1 of the tensor T, which counts row by row, as in `collapse(A, 0)(k)`",
    ),
    (
        "reshape",
        &["a size, a number"],
        true,
        "`reshape(T, m, n)` counts all of the tensor T row by row in modes of sizes m and n, as in `reshape(A, 8, 3)(i, j)`",
    ),
    (
        "concat",
        &[],
        false,
        "`concat(d, A, B)` has the coordinates of mode d of A and after them those of B, as in `concat(0, A, B)(i, j)`",
    ),
    (
        "stack",
        &[],
        false,
        "`stack(d, A, B)` has a mode d more than the tensors A and B, with A at 0 and B at 1, as in `stack(0, A, B)(s, i, j)`",
    ),
    (
        "transpose",
        &["a mode, a number"],
        true,
        "`transpose(T, 1, 0)` has mode 1 of the tensor T first, as in `transpose(A, 1, 0)(j, i)`",
    ),
    (
        "slice",
        &["a mode, a number", "the first coordinate, a number", "the coordinate after the last one, a number"],
        true,
        "`slice(T, d, 2, 8)` has the coordinates 2 to 7 of mode d of the tensor T, `slice(T, d, 2, 8, 3)` 2 and 5",
    ),
    (
        "pad",
        &["a mode, a number", "how many coordinates come before, a number", "how many coordinates follow, a number"],
        false,
        "`pad(T, d, m, n)` has m coordinates before those of mode d of the tensor T and n after them, at its fill",
    ),
    (
        "roll",
        &["a mode, a number", "by how much, a number"],
        false,
        "`roll(T, d, n)` has the coordinates of mode d of the tensor T moved up by n, the last ones first",
    ),
    (
        "flip",
        &["a mode, a number"],
        false,
        "`flip(T, d)` has mode d of the tensor T backwards, as in `flip(A, 1)(i, j)`",
    ),
    ("diag", &[], false, "`diag(T)` is the diagonal of the matrix T, as in `diag(A)(i)`"),
];

/// Names of the operators.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|o| o.0)
}
