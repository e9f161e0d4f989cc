//! Names and arguments of the shape operators.

/// The shape operators: names, the meaning of each number that they need, whether more may follow, and what
/// they do.
pub(super) const OPERATORS: [(&str, &[&str], bool, &str); 20] = [
    (
        "split",
        &["the mode to split, a number", "the inner size, a number"],
        false,
        "`split(T, d, m)` makes two modes of mode d of the tensor T: coordinate c is at c div m and c mod m, as in `split(A, 0, 8)(i0, i1, j)`",
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
    (
        "diag",
        &[],
        true,
        "`diag(T)` is the diagonal of the matrix T, as in `diag(A)(i)`, or the matrix with the vector T on its diagonal; \
         `diag(T, k)` is k above it",
    ),
    (
        "repeat",
        &["a mode, a number", "how often, a number"],
        false,
        "`repeat(T, d, n)` has every coordinate of mode d of the tensor T n times, as in `repeat(b, 0, 3)(i)`",
    ),
    ("tile", &["how often, a number"], true, "`tile(T, n)` has the tensor T n times, `tile(T, m, n)` along both modes"),
    (
        "kron",
        &[],
        false,
        "`kron(A, B)` has B times every value of A, at the place of that value, as in `kron(A, B)(i, j)`",
    ),
    ("squeeze", &[], true, "`squeeze(T)` leaves out modes of size 1, `squeeze(T, d)` mode d, as in `squeeze(A, 1)(i)`"),
    (
        "expand",
        &["the new mode, a number"],
        false,
        "`expand(T, d)` has a new mode d of size 1, as in `expand(b, 0)(k, i)`",
    ),
    ("triu", &[], true, "`triu(T)` is the upper triangle of the matrix T, `triu(T, k)` from k above the diagonal on"),
    ("tril", &[], true, "`tril(T)` is the lower triangle of the matrix T, `tril(T, k)` up to k above the diagonal"),
    ("vstack", &[], false, "`vstack(A, B)` has the rows of A and after them those of B; a vector is one row"),
    (
        "hstack",
        &[],
        false,
        "`hstack(A, B)` has the columns of A and after them those of B; for vectors, the coordinates",
    ),
];

/// Names of the operators.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    OPERATORS.iter().map(|o| o.0)
}
