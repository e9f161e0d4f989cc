//! One table `[tensors.NAME]`.

use super::foreign;
use super::format::level_kind;
use super::nearest::nearest;
use super::reader::{Entry, Reader, Value, list, whole};
use super::token::is_name;
use super::usual::UsualFormat;
use crate::levels::LevelKind;
use crate::types::Type;
use samhw_values::Misfit;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// Largest size of a dimension and largest capacity: coordinates and references have 32 bits at most.
pub(super) const MAX_SIZE: u64 = 1 << 32;

const KEYS: [&str; 10] =
    ["format", "levels", "mode_order", "type", "fill", "nnz", "runs", "shape", "prune", "symmetric"];

/// The declared storage of a tensor.
#[derive(Debug, Clone)]
pub(super) enum Storage {
    /// `format = "csr"`
    Format(UsualFormat),
    /// `levels = [...]`
    Levels(Vec<LevelKind>),
}

/// A declared tensor. What is wrong with it has been reported and left out.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    /// Name of the tensor.
    pub name: String,
    /// Position of the name in the header of the table.
    pub name_span: Range<usize>,
    /// Position of the table, from the name to the end of the last value.
    pub span: Range<usize>,
    /// Element type.
    pub ty: Option<Type>,
    /// Levels or the name of a format.
    pub storage: Option<Spanned<Storage>>,
    /// Mode of each level.
    pub mode_order: Option<Spanned<Vec<usize>>>,
    /// Raw bits of the fill.
    pub fill: Option<u64>,
    /// Capacity in stored values.
    pub nnz: Option<u64>,
    /// Capacity of a level in runs or blocks.
    pub runs: Option<u64>,
    /// Position of `prune = true`.
    pub prune: Option<Range<usize>>,
    /// Position of `symmetric = true`.
    pub symmetric: Option<Range<usize>>,
    /// Largest size of each mode.
    pub shape: Option<Spanned<Vec<u64>>>,
    /// Whether an error in the table was reported, so that missing keys are not.
    pub faulty: bool,
}

impl Declaration {
    /// The table of this name, in which nothing stands.
    pub fn empty(name: String, span: Range<usize>) -> Self {
        Self {
            name,
            name_span: span.clone(),
            span,
            ty: None,
            storage: None,
            mode_order: None,
            fill: None,
            nnz: None,
            runs: None,
            prune: None,
            symmetric: None,
            shape: None,
            faulty: false,
        }
    }

    /// Creates the table of a temporary.
    pub fn temporary(name: String, span: Range<usize>, storage: Spanned<Storage>) -> Self {
        Self { storage: Some(storage), ..Self::empty(name, span) }
    }

    /// Returns the number of modes, if the table determines it.
    pub fn order(&self) -> Option<usize> {
        match self.storage.as_ref().map(|storage| storage.get_ref()) {
            Some(Storage::Levels(levels)) => Some(levels.len()),
            Some(Storage::Format(named)) if named.order().is_some() => named.order(),
            _ => self.shape.as_ref().map(|shape| shape.get_ref().len()),
        }
    }

    /// Returns the modes in the order of their levels, if the table gives one.
    pub fn stored(&self) -> Option<Vec<usize>> {
        let by_columns = || match self.storage.as_ref().map(|storage| storage.get_ref()) {
            Some(Storage::Format(named)) if named.by_columns() => Some(vec![1, 0]),
            _ => None,
        };
        self.mode_order.as_ref().map(|modes| modes.get_ref().clone()).or_else(by_columns)
    }

    /// Returns whether all levels are dense, if the table has any.
    pub fn is_dense(&self) -> bool {
        let dense = |levels: &[LevelKind]| levels.iter().all(|&level| level.is_dense());
        self.order() == Some(0)
            || self.storage.as_ref().is_some_and(|storage| match storage.get_ref() {
                Storage::Format(named) => dense(&named.levels(2)),
                Storage::Levels(levels) => dense(levels),
            })
    }
}

impl Declaration {
    /// Returns the mode of the first level.
    pub fn outermost(&self) -> usize {
        match self.storage.as_ref().map(Spanned::get_ref) {
            Some(Storage::Format(named)) => usize::from(named.by_columns()),
            _ => self.mode_order.as_ref().and_then(|modes| modes.get_ref().first().copied()).unwrap_or(0),
        }
    }

    /// Returns whether the level of a mode is dense.
    pub fn is_dense_at(&self, mode: usize) -> bool {
        let Some(storage) = &self.storage else { return self.order() == Some(0) };
        let level = match (storage.get_ref(), &self.mode_order) {
            // The first level of two or more says what their modes are.
            (Storage::Format(named), _) => named.levels(2).get(usize::from(mode != self.outermost())).copied(),
            (Storage::Levels(levels), Some(modes)) => {
                let level = modes.get_ref().iter().position(|m| *m == mode);
                level.and_then(|l| levels.get(l)).copied()
            }
            (Storage::Levels(levels), None) => levels.get(mode).copied(),
        };
        level.is_some_and(|level| level.is_dense())
    }
}

/// Reads the table of tensor `entry`.
pub(super) fn read(reader: &mut Reader, entry: Entry<'_>) -> Declaration {
    let before = reader.problems.len();
    let mut declaration = Declaration::empty(entry.name().to_owned(), entry.key.span());
    if !is_name(entry.name()) {
        let message = format!("tensor `{}` cannot be named in an expression", entry.name().escape_debug());
        let problem = reader.at("K005", entry.key.span(), message);
        reader.report(problem.help("a name is a letter or `_`, then letters, digits and `_`"));
    }
    if let Some(table) = reader.table(entry.value, &format!("`tensors.{}`", entry.name())) {
        let fields = reader.entries(table, &format!("of tensor `{}`", entry.name()), &KEYS);
        read_fields(reader, &mut declaration, &fields);
    }
    declaration.faulty = reader.problems.len() > before;
    declaration
}

fn read_fields(reader: &mut Reader, declaration: &mut Declaration, fields: &[Entry<'_>]) {
    let field = |name: &str| fields.iter().find(|field| field.name() == name).map(|field| field.value);
    declaration.span.end = fields.iter().map(|field| field.value.span().end).fold(declaration.span.end, usize::max);
    match field("type") {
        Some(value) => declaration.ty = element_type(reader, value),
        // The data say it, or the statement; but a fill is a value of a type.
        None if field("fill").is_none() => {}
        None => {
            let message = format!("tensor `{}` has no `type`", declaration.name);
            let problem = reader.at("K003", declaration.name_span.clone(), message);
            reader.report(problem.help("add `type = \"i32\"`"));
        }
    }
    declaration.storage = match (field("format"), field("levels")) {
        (Some(format), Some(levels)) => {
            let problem = reader.at("K011", levels.span(), "both `format` and `levels`");
            reader.report(problem.help("keep one of them: `format` is a name for usual `levels`"));
            named_format(reader, format)
        }
        (Some(value), None) => named_format(reader, value),
        (None, Some(value)) => levels(reader, value),
        (None, None) => None,
    };
    declaration.mode_order = field("mode_order").and_then(|value| mode_order(reader, value));
    declaration.shape = field("shape").and_then(|value| shape(reader, value));
    let mut capacity =
        |key: &str| field(key).and_then(|value| reader.unsigned(value, &format!("`{key}`"), 0..=MAX_SIZE));
    (declaration.nnz, declaration.runs) = (capacity("nnz"), capacity("runs"));
    if let (Some(value), Some(ty)) = (field("fill"), declaration.ty) {
        declaration.fill = fill(reader, value, ty);
    }
    let mut flag = |key: &str| {
        field(key).filter(|value| reader.boolean(value, &format!("`{key}`")) == Some(true)).map(|value| value.span())
    };
    (declaration.prune, declaration.symmetric) = (flag("prune"), flag("symmetric"));
    check_orders(reader, declaration);
}

fn element_type(reader: &mut Reader, value: &Value<'_>) -> Option<Type> {
    let name = reader.string(value, "`type`")?;
    let ty = Type::from_name(name);
    if ty.is_none() {
        let message = format!("unknown type `{name}`");
        if let Some(instead) = foreign::element_type(name) {
            let problem = reader.at("K009", value.span(), message).help(instead);
            reader.report(problem);
        } else if let Some(near) = nearest(name, &Type::NAMES) {
            let problem = reader.at("K009", value.span(), message).help(format!("did you mean `{near}`?"));
            reader.report(problem);
        } else {
            let problem = reader.at("K009", value.span(), message);
            reader.report(
                problem
                    .help(format!("types: {}", list(&Type::NAMES)))
                    .help("saturating integers end with `s`: `i16s`; fixed point is `fx16.8` or `ufx16.8`: bits in all, bits after the point"),
            );
        }
    }
    ty
}

fn named_format(reader: &mut Reader, value: &Value<'_>) -> Option<Spanned<Storage>> {
    let name = reader.string(value, "`format`")?;
    let named = UsualFormat::from_name(name);
    if named.is_none() {
        let message = format!("unknown format `{name}`");
        let instead = foreign::format(name);
        reader.unknown_word("K006", value.span(), message, (name, instead), &UsualFormat::ALL.map(UsualFormat::name));
    }
    Some(Spanned::new(value.span(), Storage::Format(named?)))
}

fn levels(reader: &mut Reader, value: &Value<'_>) -> Option<Spanned<Storage>> {
    let items = reader.array(value, "`levels`", "level names")?;
    let count = items.len();
    let levels: Vec<_> = items.into_iter().filter_map(|item| level_kind(reader, item)).collect();
    (levels.len() == count).then(|| Spanned::new(value.span(), Storage::Levels(levels)))
}

fn mode_order(reader: &mut Reader, value: &Value<'_>) -> Option<Spanned<Vec<usize>>> {
    let items = reader.array(value, "`mode_order`", "modes, counted from 0")?;
    let count = items.len();
    let modes: Vec<_> = items.into_iter().filter_map(|item| reader.unsigned(item, "a mode", 0..=MAX_SIZE)).collect();
    if modes.len() < count {
        return None;
    }
    let modes: Vec<_> = modes.into_iter().filter_map(|mode| usize::try_from(mode).ok()).collect();
    let mut sorted = modes.clone();
    sorted.sort_unstable();
    if sorted.iter().enumerate().any(|(n, mode)| n != *mode) {
        let problem = reader.at("K008", value.span(), "`mode_order` does not name every mode once");
        reader.report(problem.help(format!("order the modes {}", list_of_modes(count))));
        return None;
    }
    Some(Spanned::new(value.span(), modes))
}

fn list_of_modes(count: usize) -> String {
    match count {
        0 | 1 => "0".to_owned(),
        _ => format!("0 to {}; storage by columns is `mode_order = [1, 0]`", count - 1),
    }
}

fn shape(reader: &mut Reader, value: &Value<'_>) -> Option<Spanned<Vec<u64>>> {
    let items = reader.array(value, "`shape`", "sizes")?;
    let count = items.len();
    let sizes: Vec<_> = items.into_iter().filter_map(|item| reader.unsigned(item, "a size", 0..=MAX_SIZE)).collect();
    (sizes.len() == count).then(|| Spanned::new(value.span(), sizes))
}

/// Fill values are TOML numbers, `inf` and `nan` among them, or booleans for bool. Integers may be written with a
/// decimal point, as long as they are whole.
fn fill(reader: &mut Reader, value: &Value<'_>, ty: Type) -> Option<u64> {
    let parsed = match value.get_ref() {
        DeValue::Float(float) => ty.parse(float.as_str()),
        DeValue::Integer(integer) => match whole(integer) {
            Some(number) => ty.parse(&number.to_string()),
            None => Err(Misfit::OutOfRange),
        },
        DeValue::Boolean(value) if ty == Type::Bool => return Some((*value).into()),
        _ => {
            reader.number(value, "`fill`");
            return None;
        }
    };
    let why = match parsed {
        Ok(raw) => return Some(raw),
        Err(Misfit::OutOfRange) => "out of the range",
        Err(Misfit::NotFinite | Misfit::Inexact | Misfit::NotNumber) => "not a value",
    };
    let problem = reader.at("K010", value.span(), format!("`fill` is {why} of type `{ty}`"));
    let problem = problem.help(format!("values of `{ty}` are {}", ty.values_text()));
    reader.report(match parsed {
        Err(Misfit::NotFinite) => problem.help(
            "infinities and NaN exist in the float types; in a saturating type such as `i32s`, an infinity is the end of the range",
        ),
        _ => problem,
    });
    None
}

/// The number of modes that levels, mode_order and shape speak of.
fn check_orders(reader: &mut Reader, declaration: &mut Declaration) {
    let levels = declaration.storage.as_ref().and_then(|storage| match storage.get_ref() {
        Storage::Levels(levels) => Some(levels.len()),
        Storage::Format(named) => named.order(),
    });
    let counts = [
        ("shape", declaration.shape.as_ref().map(|shape| (shape.get_ref().len(), shape.span()))),
        ("mode_order", declaration.mode_order.as_ref().map(|modes| (modes.get_ref().len(), modes.span()))),
    ];
    for (key, count) in counts {
        if let (Some(levels), Some((count, span))) = (levels, count)
            && levels != count
        {
            let message = format!("`{key}` is of order {count}, the levels are of order {levels}");
            let problem = reader.at("K007", span, message);
            reader.report(problem.help("a tensor has one level for every index"));
        }
    }
}
