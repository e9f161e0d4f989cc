//! The JSON schema of kernel files, for taplo and editors that use it.

use samhw_compiler::data::{Pattern, ValuePolicy};
use samhw_compiler::frontend::{format_names, level_names};
use serde_json::{Value, json};

/// Returns the schema.
pub fn kernel_schema() -> Value {
    let text = |what: &str| json!({ "type": "string", "description": what });
    let names = |what: &str| json!({ "type": "array", "items": { "type": "string" }, "description": what });
    let size = || json!({ "type": "integer", "minimum": 1, "maximum": 1u64 << 32 });
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "samhw kernel file",
        "type": "object",
        "required": ["expr"],
        "additionalProperties": false,
        "properties": {
            "name": text("name of modules and files; that of the file unless it is said"),
            "expr": text("statements, such as y(i) = A(i,j) * x(j), separated by ;"),
            "order": {
                "anyOf": [
                    names("loop order, outermost first"),
                    { "type": "object", "additionalProperties": names("loop order of the statement of a result") },
                ],
            },
            "reduce": text("how indices that are only on the right are reduced: min, max, or .."),
            "acc": {
                "type": ["string", "object"],
                "additionalProperties": { "type": "string" },
                "description": "type of accumulators, of all or by result",
            },
            "ieee": { "type": "boolean", "description": "infinities and NaN as in a dense computation" },
            "dims": {
                "type": "object",
                "additionalProperties": size(),
                "description": "largest size of each index",
            },
            "tensors": { "type": "object", "additionalProperties": tensor() },
            "schedule": schedules(),
            "hardware": hardware(),
            "functions": { "type": "object", "additionalProperties": function() },
            "data": { "type": "object", "additionalProperties": source() },
            "repeat": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "while": text("a scalar result: another round as long as it is not 0"),
                    "at_most": { "type": "integer", "minimum": 1, "description": "rounds" },
                    "carry": {
                        "type": "object",
                        "additionalProperties": { "type": "string" },
                        "description": "operands that are results of the round before",
                    },
                },
            },
        },
    })
}

fn tensor() -> Value {
    let count = |what: &str| json!({ "type": "integer", "minimum": 0, "description": what });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "format": { "type": "string", "examples": format_names(), "description": "a usual name for levels" },
            "levels": {
                "type": "array",
                "items": { "type": "string", "examples": level_names() },
                "description": "one for every index, outermost first",
            },
            "mode_order": { "type": "array", "items": count("a mode"), "description": "the mode of each level" },
            "type": { "type": "string", "description": "i8 .. u64, bool, f16, bf16, f32, f64, fx16.8 .." },
            "fill": { "type": ["number", "boolean", "string"], "description": "the value where nothing is stored" },
            "nnz": count("capacity in stored values"),
            "runs": count("capacity of a level in blocks or runs"),
            "shape": { "type": "array", "items": count("largest size of a mode") },
            "prune": { "type": "boolean", "description": "values that are the fill are not stored" },
            "symmetric": { "type": "boolean", "description": "one triangle is stored" },
        },
    })
}

/// `[schedule]`: what all statements have, and what the statement of a result has in its place.
fn schedules() -> Value {
    let (mut all, mut own) = (schedule(), schedule());
    if let Some(keys) = own["properties"].as_object_mut() {
        keys.remove("fuse");
    }
    all["additionalProperties"] = own;
    all
}

fn schedule() -> Value {
    let names = |what: &str| json!({ "type": "array", "items": { "type": "string" }, "description": what });
    let numbers = |what: &str| {
        json!({
            "type": "object",
            "additionalProperties": { "type": "integer", "minimum": 1 },
            "description": what,
        })
    };
    let copies = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["copies"],
        "properties": {
            "copies": { "type": "integer", "minimum": 1 },
            "memory": { "enum": ["own", "shared", "banked"] },
            "balance": { "enum": ["elements", "fibers"] },
        },
    });
    let tiles = json!({ "type": "array", "minItems": 1, "maxItems": 3, "items": { "type": "integer", "minimum": 1 } });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "locate": names("tensors that are looked up"),
            "scatter": names("dense results into which values are folded"),
            "skip": names("indices whose joins skip"),
            "parallel": {
                "type": "object",
                "additionalProperties": { "anyOf": [{ "type": "integer", "minimum": 1 }, copies] },
                "description": "copies of the graph below an index",
            },
            "lanes": numbers("coordinates of an index that are taken in a cycle"),
            "wide": numbers("coordinates of each operand that a join compares in a cycle"),
            "bitvector": numbers("bits of the words on which joins of an index work"),
            "split": {
                "type": "object",
                "additionalProperties": { "anyOf": [{ "type": "integer", "minimum": 1 }, tiles] },
                "description": "size of the tiles of an index, or sizes of tiles in tiles, each a multiple of the next",
            },
            "fuse": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "results whose readers follow along an index",
            },
            "reduce": {
                "enum": ["workspace", "merge"],
                "description": "where a reduction outside of several indices of the result meets",
            },
            "reshape": { "enum": ["chip", "host"], "description": "where shape operators on operands are computed" },
        },
    })
}

fn hardware() -> Value {
    let number = |least: u64, most: u64, what: &str| json!({ "type": "integer", "minimum": least, "maximum": most, "description": what });
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "memory": { "enum": ["ram", "axi"] },
            "fifo": { "enum": ["auto"] },
            "division": { "enum": ["pipelined", "iterative"] },
            "banks": { "enum": [2, 4, 8] },
            "axi": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "data_width": { "enum": [32, 64, 128, 256, 512] },
                    "address_width": number(32, 64, "bits of addresses"),
                    "on_chip": number(0, 1 << 32, "bytes up to which an array is copied to the chip"),
                    "tile": number(0, 1 << 32, "bytes per array for tiles"),
                    "masters": number(1, 64, "AXI4 managers"),
                    "managers": {
                        "type": "object",
                        "additionalProperties": number(0, 63, "the manager of an array"),
                    },
                    "counters": { "type": "boolean", "description": "registers count what every node does" },
                },
            },
        },
    })
}

fn function() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["args", "body"],
        "properties": {
            "args": { "type": "array", "items": { "type": "string" } },
            "body": { "type": "string" },
            "properties": { "type": "array", "items": { "type": "string" } },
            "annihilator": {},
            "identity": {},
            "iterate": { "type": "string" },
            "cases": { "type": "object" },
        },
    })
}

fn source() -> Value {
    let number = json!({ "type": "number" });
    let fields =
        ["density", "lower", "upper", "size", "edges", "n", "seed"].map(|name| (name.to_owned(), number.clone()));
    let lists = ["quadrants", "values"].map(|name| (name.to_owned(), json!({ "type": "array", "items": number })));
    let fields: serde_json::Map<String, Value> = fields.into_iter().chain(lists).collect();
    let pattern = json!({ "type": "object", "additionalProperties": false, "properties": fields });
    let mut all: serde_json::Map<String, Value> =
        Pattern::NAMES.iter().map(|name| ((*name).to_owned(), pattern.clone())).collect();
    all.insert("file".into(), json!({ "type": "string" }));
    all.insert("convert".into(), json!({ "enum": ValuePolicy::NAMES }));
    json!({
        "anyOf": [
            { "type": "string", "description": "a file, or identity" },
            { "type": "object", "additionalProperties": false, "properties": all },
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use samhw_compiler::diag::Source;
    use samhw_compiler::frontend::parse;
    use toml_edit::{DocumentMut, Item, Value as Toml};

    /// A value of TOML as JSON.
    fn plain(value: &Toml) -> Value {
        match value {
            Toml::String(text) => json!(text.value()),
            Toml::Integer(n) => json!(n.value()),
            // JSON has no infinity.
            Toml::Float(x) => json!(x.value().clamp(f64::MIN, f64::MAX)),
            Toml::Boolean(b) => json!(b.value()),
            Toml::Datetime(_) => Value::Null,
            Toml::Array(all) => all.iter().map(plain).collect(),
            Toml::InlineTable(table) => table.iter().map(|(key, value)| (key.to_owned(), plain(value))).collect(),
        }
    }

    fn table(table: &toml_edit::Table) -> Value {
        let one = |item: &Item| item.as_table().map(self::table).or_else(|| item.as_value().map(plain));
        table.iter().filter_map(|(key, item)| Some((key.to_owned(), one(item)?))).collect()
    }

    fn is(value: &Value, kind: &str) -> bool {
        match kind {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            _ => value.is_object(),
        }
    }

    /// Whether a value is as a schema says, as far as schemas go here.
    fn fits(value: &Value, schema: &Value) -> bool {
        let kinds = match &schema["type"] {
            Value::String(kind) => vec![kind.as_str()],
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => vec![],
        };
        let of = |key: &str| schema["properties"].get(key).unwrap_or(&schema["additionalProperties"]).clone();
        let number = value.as_f64();
        (kinds.is_empty() || kinds.iter().any(|kind| is(value, kind)))
            && schema["anyOf"].as_array().is_none_or(|any| any.iter().any(|schema| fits(value, schema)))
            && schema["enum"].as_array().is_none_or(|all| all.contains(value))
            && schema["required"]
                .as_array()
                .is_none_or(|all| all.iter().all(|k| value.get(k.as_str().unwrap()).is_some()))
            && value.as_array().is_none_or(|all| all.iter().all(|item| fits(item, &schema["items"])))
            && value.as_object().is_none_or(|all| all.iter().all(|(key, value)| fits(value, &of(key))))
            && schema["minimum"].as_f64().is_none_or(|least| number.is_some_and(|n| n >= least))
            && schema["maximum"].as_f64().is_none_or(|most| number.is_some_and(|n| n <= most))
            && schema != &json!(false)
    }

    fn read(text: &str) -> Value {
        table(text.parse::<DocumentMut>().unwrap().as_table())
    }

    #[test]
    fn examples_fit_and_slips_do_not() {
        let schema = kernel_schema();
        for path in crate::example_files() {
            assert!(fits(&read(&std::fs::read_to_string(&path).unwrap()), &schema), "{}", path.display());
        }
        for slip in [
            "",
            "ordr = []",
            "[dims]\ni = \"8\"",
            "[schedule]\nlane = { j = 8 }",
            "[tensors.A]\nlevels = \"dense\"",
            "[data]\nA = { randm = {} }",
        ] {
            let text = if slip.is_empty() { String::new() } else { format!("expr = \"y = x\"\n{slip}\n") };
            assert!(!fits(&read(&text), &schema), "{slip}");
        }
    }

    /// The frontend knows every key of the schema; that the schema has those of the frontend,
    /// examples and documents show.
    #[test]
    fn the_frontend_knows_the_keys() {
        let schema = kernel_schema();
        let keys = |value: &Value| value["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let of = |name: &str| schema["properties"][name].clone();
        for (header, keys) in [
            ("", keys(&schema)),
            ("[tensors.A]", keys(&of("tensors")["additionalProperties"])),
            ("[schedule]", keys(&of("schedule"))),
            ("[hardware]", keys(&of("hardware"))),
            ("[hardware.axi]", keys(&of("hardware")["properties"]["axi"])),
            ("[repeat]", keys(&of("repeat"))),
            ("[functions.f]", keys(&of("functions")["additionalProperties"])),
        ] {
            let keys: Vec<_> = keys.into_iter().filter(|key| !header.is_empty() || key != "expr").collect();
            let all = keys.iter().map(|key| format!("{key} = 1\n")).collect::<String>();
            let source = Source { path: "k.toml".into(), text: format!("expr = \"y(i) = A(i)\"\n{header}\n{all}") };
            let problems = parse(source.into()).unwrap_err();
            let unknown: Vec<_> = problems.iter().filter(|d| d.code == "K002").collect();
            assert!(unknown.is_empty(), "{header}: {unknown:?}");
        }
    }
}
