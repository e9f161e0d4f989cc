//! The table `[functions.NAME]` as parsed, before the function has an element type.

use super::syntax::{Definition, Ident};
use std::collections::BTreeMap;
use std::ops::Range;

/// A function's table.
#[derive(Debug)]
pub(super) struct UserFunction {
    /// Its name.
    pub name: Ident,
    /// Names of its arguments.
    pub args: Vec<String>,
    /// Its body.
    pub definition: Definition,
    /// Argument and value, as text, that alone decide the result.
    pub annihilators: Vec<(usize, String, Range<usize>)>,
    /// Declared properties.
    pub properties: BTreeMap<String, Range<usize>>,
    /// What a reduction gives over nothing, as text.
    pub identity: Option<(String, Range<usize>)>,
    /// Explicit iteration algebra over sets of arguments.
    pub iterate: Option<(u64, Range<usize>)>,
    /// Special cases by which arguments are there.
    pub cases: Vec<Declared>,
}

impl UserFunction {
    /// A function without properties.
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
    /// Bit P: it holds where just the arguments in P are there.
    pub holds: u64,
    /// What the function is there.
    pub definition: Definition,
    /// Place of its key.
    pub span: Range<usize>,
}
