//! Arithmetic units with table entries of their own, because their size is not linear in widths: float pipelines,
//! dividers, roots, programs. What they take is looked up by their parameters, as it was measured.

use samhw_primitives::blocks::Fold;

/// Modules that are looked up.
const LOOKED_UP: [&str; 6] = [
    "samhw_alu_float",
    "samhw_alu_program",
    "samhw_alu_real",
    "samhw_convert",
    "samhw_reducer_iterative",
    "samhw_reducer_pipelined",
];

/// Operators of `samhw_alu` that are: shifts by a value, powers, products that saturate, quotients, roots.
const OPERATORS: [u64; 12] = [22, 23, 27, 28, 30, 31, 38, 39, 40, 41, 42, 43];

/// Parameters that say how a unit is connected, not what it is.
const AROUND: [&str; 5] = ["STOP_W", "FROM", "FIXED", "VALUES", "EMIT"];

/// Returns the key of the unit, if `module` with these Verilog parameters has a table entry per unit.
pub fn unit<'a>(module: &str, parameters: impl Iterator<Item = (&'a String, &'a String)>) -> Option<String> {
    let mut own: Vec<_> = parameters.filter(|(name, _)| !AROUND.contains(&name.as_str())).collect();
    own.sort();
    let operator = own.iter().find(|(name, _)| *name == "OP").and_then(|(_, op)| op.parse().ok());
    let looked_up = match module {
        "samhw_alu" => operator.is_some_and(|op| OPERATORS.contains(&op)),
        _ => LOOKED_UP.contains(&module),
    };
    // Tables and programs are long.
    let text = |(name, value): (&String, &String)| match value.parse::<u64>() {
        Ok(number) => format!("{name} {number}"),
        Err(_) => format!("{name} {:08x}", hash(value)),
    };
    looked_up.then(|| own.into_iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Returns the numbers among Verilog parameters, and the fields of what folds.
pub fn numbers<'a>(parameters: impl Iterator<Item = (&'a String, &'a String)>) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    for (name, value) in parameters {
        if let Ok(number) = value.parse() {
            all.push((name.clone(), number));
        } else if let ("FOLD", Some((_, digits))) = (name.as_str(), value.split_once("'h")) {
            // Zeros in front may be missing.
            let digits = digits.get(digits.len().saturating_sub(16)..).unwrap_or_default();
            let fields = u64::from_str_radix(digits, 16).map(Fold::fields).unwrap_or_default();
            all.extend(fields.into_iter().map(|(name, value)| (name.to_string(), value)));
        }
    }
    all
}

/// Returns the width in bits of a module's constant argument, if it has one, from its Verilog parameters.
pub fn factor(parameters: &[(String, String)]) -> Option<u64> {
    let of = |name: &str| number(&parameters.iter().find(|(n, _)| n == name)?.1);
    let (width, fixed, values) = (of("IN_W").or(of("W"))?, of("FIXED")?, of("VALUES")?);
    (of("ARGS") == Some(2) && (1..=2).contains(&fixed))
        .then(|| (values >> (width * (fixed - 1))) as u64 & (u64::MAX >> (64 - width)))
}

/// A number as Verilog writes it, in decimal or with its size in hexadecimal.
fn number(text: &str) -> Option<u128> {
    match text.split_once("'h") {
        Some((_, digits)) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5_u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_folds_is_among_the_numbers() {
        let of = |fold: &str| {
            let all = [("VAL_W", "16"), ("FOLD", fold)].map(|(n, v)| (n.to_string(), v.to_string()));
            numbers(all.iter().map(|(n, v)| (n, v))).into_iter().collect::<std::collections::BTreeMap<_, _>>()
        };
        let (sum, products) = (of("128'h100000000000000"), of("128'h00000000000000010310000000030204"));
        assert_eq!([sum["VAL_W"], sum["OP"], sum["SIGNED"], sum["SATURATE"]], [16, 0, 1, 0]);
        assert_eq!(["OP", "UNIT", "DEPTH", "FRAC", "SIGNED", "SATURATE"].map(|n| products[n]), [4, 2, 3, 16, 1, 1]);
    }

    #[test]
    fn a_unit_is_told_by_what_it_computes_not_by_how_it_is_connected() {
        let of = |op: &str, stop_w: &str, table: &str| {
            let all = [("OP", op), ("W", "16"), ("STOP_W", stop_w), ("TABLE", table)];
            let all = all.map(|(n, v)| (n.to_string(), v.to_string()));
            unit("samhw_alu", all.iter().map(|(n, v)| (n, v)))
        };
        let quotient = of("38", "3", "8'h0");
        assert!(quotient.is_some());
        assert_eq!(quotient, of("38", "2", "8'h0"));
        assert_ne!(quotient, of("39", "3", "8'h0"));
        assert_ne!(quotient, of("38", "3", "8'h1"));
        assert_eq!(of("0", "3", "8'h0"), None);
    }

    #[test]
    fn a_product_has_a_constant_factor_where_one_argument_is_fixed() {
        let of = |w: &str, fixed: &str, values: &str| {
            let all = [("W", w), ("ARGS", "2"), ("FIXED", fixed), ("VALUES", values)];
            factor(&all.map(|(n, v)| (n.to_string(), v.to_string())))
        };
        assert_eq!(of("32", "2'h1", "64'h5"), Some(5));
        assert_eq!(of("32", "2'h2", "64'hfffffffd00000000"), Some(0xffff_fffd));
        assert_eq!(of("64", "2'h2", "128'h80000000000000010000000000000000"), Some(0x8000_0000_0000_0001));
        assert_eq!(of("32", "2'h0", "64'h0"), None);
    }
}
