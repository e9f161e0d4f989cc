//! Finds the modules that an instance reaches with its parameters: those in the branches of `generate if` that it has.

use super::parse::{Statement, Unknown, parse};
use super::tokens::{Token, tokens};
use super::value::{Scope, assigned, value};
use super::{MODULES, Source, closure};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

/// The most turns of a loop. What has more is taken as one whose turns are not known.
const TURNS: usize = 1 << 12;

type Statements = Result<Vec<Statement>, Unknown>;

/// The statements of a module, read when it is asked for.
fn statements(module: &Source) -> &'static Statements {
    static ALL: LazyLock<BTreeMap<&str, OnceLock<Statements>>> =
        LazyLock::new(|| MODULES.iter().map(|m| (m.name, OnceLock::new())).collect());
    ALL[module.name].get_or_init(|| parse(module.text, |name| ALL.contains_key(name)))
}

/// Returns the modules of the library that modules with these texts reach, sorted by name. Where a condition is not known
/// both of its branches count; a module that is not understood reaches all that it names. Yosys follows instances once
/// without their parameters before it follows them with these, so what is reached in this way counts too.
pub fn reached<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<&'static Source> {
    let texts: Vec<&str> = texts.into_iter().collect();
    let own: Vec<&str> = texts.iter().filter_map(|text| name(text)).collect();
    let known = |name: &str| own.contains(&name) || MODULES.iter().any(|m| m.name == name);
    let mut found = BTreeSet::new();
    for text in &texts {
        match parse(text, known) {
            Ok(items) => {
                for parameters in [true, false] {
                    let mut walk = Walk { parameters, found, seen: BTreeSet::new() };
                    walk.items(&items, &mut Scope::new(), &Scope::new());
                    found = walk.found;
                }
            }
            Err(_) => found.extend(closure(words(text)).iter().map(|m| m.name)),
        }
    }
    MODULES.iter().filter(|m| found.contains(m.name)).collect()
}

/// The name of the module in a text.
fn name(text: &str) -> Option<&str> {
    words(text).skip_while(|w| *w != "module").nth(1)
}

/// Names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().filter_map(|t| if let Token::Name(name) = t { Some(name) } else { None })
}

struct Walk {
    /// Instances have their parameters, otherwise defaults.
    parameters: bool,
    found: BTreeSet<&'static str>,
    seen: BTreeSet<(&'static str, Scope)>,
}

impl Walk {
    fn module(&mut self, name: &str, given: Scope) {
        let Some(module) = MODULES.iter().find(|m| m.name == name) else { return };
        self.found.insert(module.name);
        if !self.seen.insert((module.name, given.clone())) {
            return;
        }
        match statements(module) {
            Ok(items) => self.items(items, &mut Scope::new(), &given),
            Err(_) => self.found.extend(closure([name]).iter().map(|m| m.name)),
        }
    }

    fn items(&mut self, items: &[Statement], scope: &mut Scope, given: &Scope) {
        for item in items {
            match item {
                Statement::Parameter { name, range, value, local } => {
                    let set = given.get(name).filter(|_| !local);
                    let value = match set {
                        Some(set) => set.clone().and_then(|v| v.assigned(range.as_ref(), scope)),
                        None => assigned(value, range.as_ref(), scope),
                    };
                    scope.insert(name.clone(), value);
                }
                Statement::Instance(module, parameters) => {
                    let given = parameters.iter().filter(|_| self.parameters);
                    let given = given.map(|(name, e)| (name.clone(), value(e, scope)));
                    self.module(module, given.collect());
                }
                Statement::If(condition, then, otherwise) => {
                    let holds = value(condition, scope).map(|v| v.is_true());
                    if holds != Some(false) {
                        self.items(then, &mut scope.clone(), given);
                    }
                    if holds != Some(true) {
                        self.items(otherwise, &mut scope.clone(), given);
                    }
                }
                Statement::For(variable, [first, condition, next], body) => {
                    let mut inner = scope.clone();
                    let mut at = value(first, scope);
                    for turn in 0..=TURNS {
                        inner.insert(variable.clone(), at.filter(|_| turn < TURNS));
                        let goes_on = value(condition, &inner).map(|v| v.is_true());
                        if goes_on == Some(false) {
                            break;
                        }
                        self.items(body, &mut inner.clone(), given);
                        if goes_on.is_none() {
                            break;
                        }
                        at = value(next, &inner);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Fold;
    use samhw_values::{Fun, Type};

    #[test]
    fn every_module_is_understood() {
        for m in MODULES {
            assert!(statements(m).is_ok(), "{}: {:?}", m.name, statements(m));
        }
    }

    #[test]
    fn a_branch_that_is_not_there_reaches_nothing() {
        let reach = |fold: Fold| {
            let params: Vec<String> = fold.params(true).iter().map(|(n, v)| format!(".{n}({})", v.literal())).collect();
            let text = format!("module top; samhw_fold_once #({}) u_fold (); endmodule", params.join(", "));
            reached([text.as_str()]).iter().map(|m| m.name).collect::<Vec<_>>()
        };
        let i32 = Type::from_name("i32").unwrap();
        assert_eq!(reach(Fold::Add), ["samhw_fold_once"]);
        assert_eq!(reach(Fold::Of(Fun::Min, Type::F32)), ["samhw_float_order", "samhw_fold", "samhw_fold_once"]);
        assert_eq!(reach(Fold::Of(Fun::BitAnd, i32)), ["samhw_fold", "samhw_fold_once"]);
    }
}
