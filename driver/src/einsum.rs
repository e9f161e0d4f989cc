//! Conversion of index lists in the notation of `numpy.einsum` to a statement.

use samhw_compiler::diag::{Diagnostic, Place};

/// Default names of the operands.
pub const OPERANDS: [&str; 8] = ["A", "B", "C", "D", "E", "F", "G", "H"];
/// Name of the result.
const RESULT: &str = "out";

/// Converts `ij,jk->ik` to `out(i,k) = A(i,j) * B(j,k)`. `names`: of the operands, in their order.
pub fn expression(lists: &str, names: &[String]) -> Result<String, Diagnostic> {
    let wrong = |what: String| {
        Diagnostic::new("K034", what)
            .at(Place::Option(lists.to_owned()))
            .help("write it like `ij,jk->ik`: a list of letters for each operand, and those of the result")
    };
    let lists: String = lists.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((operands, result)) = lists.split_once("->") else { return Err(wrong("there is no `->`".into())) };
    if let Some(other) = lists.chars().find(|c| !c.is_ascii_alphabetic() && !",->".contains(*c)) {
        return Err(wrong(format!("`{other}` is not an index: each is one letter")));
    }
    let operands: Vec<&str> = operands.split(',').collect();
    let known = names.iter().map(String::as_str).chain(OPERANDS.into_iter().skip(names.len()));
    let named: Vec<&str> = known.take(operands.len()).collect();
    if named.len() < operands.len() {
        return Err(wrong(format!("there are {} operands, but {} names", operands.len(), named.len())));
    }
    if let Some(index) = result.chars().find(|index| !operands.iter().any(|list| list.contains(*index))) {
        return Err(wrong(format!("index `{index}` of the result is in no operand")));
    }
    let access = |name: &str, list: &str| match list.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", list.chars().map(String::from).collect::<Vec<_>>().join(",")),
    };
    let factors: Vec<String> = named.iter().zip(&operands).map(|(name, list)| access(name, list)).collect();
    Ok(format!("{} = {}", access(RESULT, result), factors.join(" * ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_become_a_statement() {
        let names = ["X".to_owned(), "W".to_owned()];
        assert_eq!(expression("ij, jk -> ik", &[]).unwrap(), "out(i,k) = A(i,j) * B(j,k)");
        assert_eq!(expression("i,i->", &names).unwrap(), "out = X(i) * W(i)");
        for bad in ["ij,jk->il", "i1,j->i", "ij,jk"] {
            assert_eq!(expression(bad, &[]).unwrap_err().code, "K034", "{bad}");
        }
    }
}
