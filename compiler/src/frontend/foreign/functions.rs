//! Foreign names of functions and shape operators.

use super::plain;

/// Functions of other tools that are no functions here.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["mean", "avg", "average"], "divide a sum by the number of its terms: `sum[i](x(i)) / 100`"),
    (&["var", "std"], "write it with sums: `sum[i](x(i) * x(i)) / 100 - m * m`, where `m` is the mean"),
    (&["dot", "inner", "vdot", "tensordot", "matmul", "mm", "mv", "bmm", "spmv", "spmm", "gemm"], INDICES),
    (&["outer", "einsum"], INDICES),
    (&["trace"], "write `sum[i](A(i,i))`"),
    (&["norm", "l2"], "write `sqrt(sum[i](x(i) * x(i)))`"),
    (&["nnz", "count_nonzero"], "write `sum[i](pres(x(i)))` for what is stored, `sum[i](x(i) != 0)` for what is not 0"),
    (&["softmax"], "write `exp(x(i)) / sum[j](exp(x(j)))` in two statements: first the sum"),
    (&["sigmoid", "expit", "logistic"], "write `1 / (1 + exp(-x(i)))`"),
    (&["silu", "swish"], "write `x(i) / (1 + exp(-x(i)))`"),
    (&["gelu"], "write `x(i) / (1 + exp(-1.702 * x(i)))`, which is near it"),
    (&["softplus"], "write `log1p(exp(x(i)))`"),
    (&["leaky_relu"], "write `where(x(i) > 0, x(i), 0.01 * x(i))`"),
    (&["rsqrt"], "write `1 / sqrt(x(i))`"),
    (&["exp10"], "write `10 ** x(i)`"),
    (&["nan_to_num"], "write `where(isnan(x(i)), 0, x(i))`"),
    (&["fma", "mad", "muladd", "axpy"], "write `a * x(i) + y(i)`"),
    (&["argmax", "idxmax"], "name the index: `argmax[i](x(i))`"),
    (&["argmin", "idxmin"], "name the index: `argmin[i](x(i))`"),
    (&["find", "argfirst"], "name the index: `first[i](x(i) > 0)`"),
    (&["cumsum", "cumulative_sum", "accumulate"], "name the index: `cumsum[i](x(i))`"),
    (&["cumprod", "cumulative_prod"], "name the index: `cumprod[i](x(i))`"),
    (&["cummax", "cummin"], "name the index: `cummax[i](x(i))`"),
    (&["sort", "argsort", "unique", "median", "topk"], "it has no hardware here"),
    (&["zeros", "zeros_like", "empty"], "write `0`: an index that is only on the left repeats a number along it"),
    (&["ones", "ones_like", "full"], "write the number: an index that is only on the left repeats it along it"),
    (&["eye", "identity"], "write `i == j`, or give a tensor the data \"identity\""),
    (&["arange", "range", "iota"], "write the index: `i` is its coordinate"),
    (&["tri"], "write `mask(i >= j, A(i,j))`"),
    (&["len", "shape", "ndim"], "sizes are in [dims] and `shape`; write the number"),
    (&["ctz", "clz", "ffs"], "it has no hardware here; `popcount` has"),
    (
        &["frexp", "modf", "divmod"],
        "it has two results; write a function for each, such as `trunc(x)` and `x - trunc(x)`",
    ),
    (&["nextafter", "spacing", "sinc", "erf", "gamma", "lgamma", "i0"], "it has no hardware here"),
    (&["real", "imag", "angle"], "there are no complex numbers"),
];

const INDICES: &str = "name the indices: `A(i,k) * B(k,j)` with `k` only on the right is summed over `k`";

/// Shape operators of other tools: the operator here.
const SHAPES: &[(&[&str], &str)] = &[
    (&["rotate", "circshift", "shift", "rot"], "write `roll(T, d, n)`"),
    (&["reverse", "fliplr", "flipud", "rev"], "write `flip(T, d)`"),
    (
        &["permute", "permutedims", "permute_dims", "swapaxes", "moveaxis", "t"],
        "write `transpose(T, 1, 0)`, or other indices: `A(j,i)`",
    ),
    (&["cat", "concatenate", "append", "join"], "write `concat(d, A, B)`"),
    (&["view", "resize", "fold"], "write `reshape(T, m, n)`"),
    (&["flatten", "ravel", "vec"], "write `collapse(T, 0)`"),
    (&["unflatten", "chunk", "array_split", "blockwise"], "write `split(T, d, m)`"),
    (&["diagonal", "getdiag"], "write `diag(T)`, or `A(i,i)`"),
    (&["narrow", "subarray", "take"], "write `slice(T, d, lo, hi)`, or `T(i[lo:hi])`"),
    (&["unsqueeze", "expand_dims", "newaxis"], "write `expand(T, d)`"),
    (&["broadcast_to", "broadcast"], "an index that is only on the left repeats what is on the right: `Y(i,j) = x(i)`"),
];

/// Returns the samhw word for `word`, a function of another tool.
pub(in super::super) fn function(word: &str) -> Option<&'static str> {
    let word = plain(word);
    let both = FUNCTIONS.iter().chain(SHAPES);
    both.clone().find(|(words, _)| words.contains(&word.as_str())).map(|(_, text)| *text)
}

/// Returns the samhw word for `word`, a shape operator of another tool.
pub(in super::super) fn shape(word: &str) -> Option<&'static str> {
    let word = plain(word);
    SHAPES.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::functions::callee;

    #[test]
    fn what_is_explained_is_no_function_here() {
        for word in FUNCTIONS.iter().chain(SHAPES).flat_map(|(words, _)| words.iter()) {
            assert!(callee(word).is_none(), "{word} is a function here");
        }
    }
}
