//! Foreign notation of numbers, signs and whole statements.

/// Values by the words of other tools.
pub(in super::super) fn constant(word: &str) -> Option<&'static str> {
    Some(match word {
        "True" | "true" | "TRUE" => "write `1`",
        "False" | "false" | "FALSE" => "write `0`",
        "pi" | "PI" | "M_PI" => "write `3.141592653589793`",
        "NaN" | "NAN" => "write `nan`",
        "Inf" | "INF" | "Infinity" | "infinity" | "oo" => "write `inf`",
        _ => return None,
    })
}

/// The sign here for a sign of mathematics.
pub(in super::super) fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        '·' | '×' | '∗' | '⋅' => "`*`",
        '÷' | '∕' => "`/`",
        '−' | '–' | '—' => "`-`, the minus of ASCII",
        '≤' => "`<=`",
        '≥' => "`>=`",
        '≠' => "`!=`",
        '∧' => "`and`",
        '∨' => "`or`",
        '¬' => "`not`",
        '⊕' => "`xor(a, b)`",
        '←' => "`=`",
        '∞' => "`inf`",
        '∑' | 'Σ' => "`sum[k](..)`",
        '∏' | 'Π' => "`prod[k](..)`",
        '√' => "`sqrt(..)`",
        'π' => "`3.141592653589793`",
        '²' => "`** 2`",
        '³' => "`** 3`",
        'ᵀ' | '⊤' => "the indices in another order: `A(j,i)`",
        _ => return None,
    })
}

/// A statement for einsum's notation, such as `ij,j->i`.
pub(in super::super) fn einsum(text: &str) -> Option<String> {
    let (operands, result) = text.trim().trim_matches(['\'', '"']).split_once("->")?;
    let letters = |part: &str| {
        let part: String = part.chars().filter(|c| !c.is_whitespace()).collect();
        part.chars().all(|c| c.is_ascii_alphabetic()).then_some(part)
    };
    let access = |name: &str, part: &str| {
        let indices: Vec<String> = part.chars().map(String::from).collect();
        if indices.is_empty() { name.to_lowercase() } else { format!("{name}({})", indices.join(",")) }
    };
    let operands: Vec<String> = operands.split(',').map(letters).collect::<Option<_>>()?;
    let result = letters(result)?;
    let names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    let made = operands.iter().zip(names).map(|(part, name)| access(name, part));
    (operands.len() <= names.len())
        .then(|| format!("{} = {}", access("Y", &result), made.collect::<Vec<_>>().join(" * ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn einsum_becomes_a_statement() {
        assert_eq!(einsum("ij,j->i").as_deref(), Some("Y(i) = A(i,j) * B(j)"));
        assert_eq!(einsum(" ik, kj -> ij").as_deref(), Some("Y(i,j) = A(i,k) * B(k,j)"));
        assert_eq!(einsum("i,i->").as_deref(), Some("y = A(i) * B(i)"));
        assert_eq!(einsum("y(i) = a->b"), None);
    }
}
