//! The declaration that a tensor's data must match, and the loaded data.

use samhw_compiler::diag::Diagnostic;
use samhw_compiler::types::Type;

use super::{Coo, codes};

/// The declaration of a tensor whose data are loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name in the kernel file, for messages.
    pub name: String,
    /// Largest size of each mode; empty for a scalar. Where the data do not say their sizes, these are the sizes.
    pub max: Vec<u64>,
    /// Element type.
    pub ty: Type,
    /// Raw bits of the fill, the value where nothing is stored.
    pub fill: u64,
    /// Values of dense files (arrays, NumPy) that are stored.
    pub keep: Keep,
}

/// The values of a dense file that are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Values that differ from the fill; -0 equals 0, NaN equals NaN.
    #[default]
    Others,
    /// In addition, zeros whose sign differs from the fill's, where the sign matters or nothing is saved.
    Signs,
    /// All values.
    All,
}

/// The loaded data of one tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The entries of the tensor.
    pub coo: Coo,
    /// Whether the data declared their sizes; otherwise `coo`'s shape is [`Target::max`], and the caller may choose
    /// smaller sizes with [`Coo::resized`].
    pub sized: bool,
}

impl Target {
    /// Matches the modes of a file of shape `found` with those of the tensor: all of them, or, for an order-1
    /// tensor in an n x 1 or 1 x n matrix and a scalar in a 1 x 1 matrix, those that are left when modes of
    /// size 1 go.
    pub(super) fn modes(&self, found: &[u64]) -> Result<Vec<usize>, Diagnostic> {
        let modes: Vec<usize> = match (self.max.len(), found) {
            (order, _) if order == found.len() => (0..order).collect(),
            (1, [_, 1]) => vec![0],
            (1, [1, _]) => vec![1],
            (0, [1, 1]) => vec![],
            (order, _) => {
                let said = Diagnostic::new(
                    codes::SHAPE,
                    format!(
                        "the data are of order {} ({}), tensor `{}` is of order {order}",
                        found.len(),
                        times(found),
                        self.name
                    ),
                );
                return Err(match order {
                    1 => said.help("for a tensor of order 1 give an n x 1 or 1 x n matrix, a .tns file or a one-dimensional .npy file"),
                    _ => said.help(format!("give data with {order} modes, or change the accesses of `{}`", self.name)),
                });
            }
        };
        for (mode, (&m, &max)) in modes.iter().zip(&self.max).enumerate() {
            if found[m] > max {
                return Err(Diagnostic::new(
                    codes::SHAPE,
                    format!("mode {} of `{}` has size {}, the kernel allows {max}", mode + 1, self.name, found[m]),
                )
                .help(format!("raise the size in `[dims]` (or in the tensor's `shape`) to at least {}", found[m])));
            }
        }
        Ok(modes)
    }
}

/// A shape as text: `3 x 4`.
pub(super) fn times(shape: &[u64]) -> String {
    match shape {
        [] => "a scalar".into(),
        sizes => sizes.iter().map(u64::to_string).collect::<Vec<_>>().join(" x "),
    }
}
