//! The table `[functions.NAME]` as parsed, before the function has an element type.

use super::syntax::{Definition, Ident};
use std::collections::BTreeMap;
use std::ops::Range;

/// A function's table.
#[derive(Debug)]
pub(super) struct UserFunction {
    /// Name of the function.
    pub name: Ident,
    /// Names of the arguments.
    pub args: Vec<String>,
    /// Body of the function.
    pub definition: Definition,
    /// Arguments and values, as text, that alone decide the result.
    pub annihilators: Vec<(usize, String, Range<usize>)>,
    /// Declared properties.
    pub properties: BTreeMap<String, Range<usize>>,
    /// Result of a reduction over no values, as text.
    pub identity: Option<(String, Range<usize>)>,
    /// Explicit iteration algebra over sets of arguments.
    pub iterate: Option<(u64, Range<usize>)>,
    /// Special cases by set of present arguments.
    pub cases: Vec<Declared>,
}

impl UserFunction {
    /// Creates a function without properties.
    pub fn plain(name: Ident, args: &[&str], definition: Definition) -> Self {
        Self {
            name,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            definition,
            annihilators: Vec::new(),
            properties: BTreeMap::new(),
            identity: None,
            iterate: None,
            cases: Vec::new(),
        }
    }
}

/// A case as it is declared.
#[derive(Debug)]
pub(super) struct Declared {
    /// Set of argument sets: bit P is set if the case applies where exactly the arguments in P are present.
    pub holds: u64,
    /// The function's body in this case.
    pub definition: Definition,
    /// Position of the key.
    pub span: Range<usize>,
}
