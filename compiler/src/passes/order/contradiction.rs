//! S001: the reason why an order of the kernel file is impossible, and a possible order.

use super::search::Legal;
use super::{Constraint, Why, expand, respects, satisfiable};
use crate::diag::Diagnostic;
use crate::facts::variables;
use crate::stmt::{Kernel, VarId};

/// An `order` of the names that the file gives which contradicts no storage, if there is one.
pub(super) fn fitting(
    kernel: &Kernel,
    constraints: &[Constraint],
    groups: &[Vec<VarId>],
    used: &[VarId],
) -> Option<Vec<String>> {
    let given = kernel.order.as_ref()?;
    let bind = satisfiable(constraints, groups);
    let mut names: Vec<String> = Vec::new();
    for group in groups {
        let own = constraints.iter().zip(&bind).filter(|(c, bind)| **bind && group.contains(&c.vars[0]));
        let chains: Vec<Vec<VarId>> = own.map(|(c, _)| c.vars.clone()).collect();
        for v in Legal::new(group, &chains, vec![]).first() {
            let name = &kernel.var(v).name;
            if !names.contains(name) && given.contains(name) {
                names.push(name.clone());
            }
        }
    }
    let order = expand(kernel, &names, used);
    let fits = |(c, bind): (&Constraint, &bool)| !bind || respects(&c.vars, &order);
    (names != *given && names.len() == given.len() && constraints.iter().zip(&bind).all(fits)).then_some(names)
}

/// Why `order` cannot be, of which `c` of `all` is broken; `other` is one that can.
pub(super) fn contradiction(
    kernel: &Kernel,
    (c, all): (&Constraint, &[Constraint]),
    order: &[VarId],
    other: Option<&[String]>,
) -> Diagnostic {
    let names = |v: &[VarId]| v.iter().map(|&x| kernel.var(x).name.clone()).collect::<Vec<_>>().join(", ");
    let tensor = kernel.tensor(c.tensor);
    // Other statements have loops of their own.
    let own = kernel.statements.iter().map(|s| variables(kernel, s)).find(|own| own.contains(&c.vars[0]));
    let own: Vec<VarId> = order.iter().copied().filter(|v| own.iter().any(|own| own.contains(v))).collect();
    let loops = names(&own);
    let way = match other {
        Some(names) => format!("write `order = {names:?}`, or leave `order` out"),
        None => "leave `order` out".to_owned(),
    };
    if let (Why::Computed, [outer, inner]) = (c.why, &c.vars[..]) {
        let [outer, inner] = [outer, inner].map(|v| &kernel.var(*v).name);
        let message = format!("in loop order {} {inner} comes before {outer}, from which it is computed", loops);
        return Diagnostic::new("S001", message).help(way);
    }
    if let (Why::Scanned, [outer, inner]) = (c.why, &c.vars[..]) {
        let [outer, inner] = [outer, inner].map(|v| &kernel.var(*v).name);
        let message = format!("in loop order {} {outer} comes inside of {inner}, the index of a scan", loops);
        return Diagnostic::new("S001", message)
            .help(format!("a scan keeps one value: the indices that it ranges over must be outside of {inner}"))
            .help(way);
    }
    if let (Why::Listed, [outer, inner]) = (c.why, &c.vars[..]) {
        let [outer, inner] = [outer, inner].map(|v| &kernel.var(*v).name);
        let message = format!("loop order {} contradicts the storage of {}", loops, tensor.name);
        return Diagnostic::new("S001", message)
            .help(format!(
                "an entry of a linked list is written together with all levels below it: the loop over {outer} must be outside of the loop over {inner}"
            ))
            .help(way);
    }
    let mine: Vec<VarId> = order.iter().copied().filter(|v| c.vars.contains(v)).collect();
    let place = |v: &VarId| order.iter().position(|o| o == v);
    // The levels in the order in which the loops visit them, and the modes that they would store.
    let mut levels: Vec<usize> = (0..c.vars.len()).collect();
    levels.sort_by_key(|&l| place(&c.vars[l]));
    let mode_order: Vec<usize> = levels.iter().filter_map(|&l| tensor.mode_order.get(l).copied()).collect();
    let moved = |d: &Constraint| levels.iter().map(|&l| d.vars.get(l).copied()).collect::<Option<Vec<VarId>>>();
    let same = |d: &&Constraint| {
        kernel.base(d.tensor) == kernel.base(c.tensor) && !matches!(d.why, Why::Computed | Why::Scanned | Why::Listed)
    };
    // Stored so it may be read, or written, against the loops elsewhere.
    let circular = all.iter().filter(same).any(|d| moved(d).is_none_or(|vars| !vars.is_sorted_by_key(place)));
    let said = Diagnostic::new("S001", format!("loop order {} contradicts the storage of {}", loops, tensor.name));
    let said = said.help(format!(
        "{} is stored {} outermost first, the loops visit {}",
        tensor.name,
        names(&c.vars),
        names(&mine)
    ));
    let whole = mode_order.len() == tensor.mode_order.len();
    if circular || !whole {
        let said = said.help(format!(
            "`order` applies to all statements, and another statement uses {} with {} in the opposite order",
            tensor.name,
            names(&mine)
        ));
        let rename = "rename the indices of one statement, and give each name its own place in `order`";
        return match whole {
            true => said
                .help(format!("store it as mode_order = {mode_order:?} and leave `order` out"))
                .help(format!("or {rename}")),
            false => said.help(rename),
        };
    }
    said.help(format!("store it as mode_order = {mode_order:?}")).help(format!("or {way}"))
}
