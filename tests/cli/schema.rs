//! A JSON value against a JSON schema, as far as ours goes.

use serde_json::Value;

/// What is wrong with `value`, found at `place`. Unlike JSON schema, fields must be documented.
pub fn check(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some(other) => return vec![format!("{place}: the schema has type {other}")],
        None => schema["enum"].as_array().is_some_and(|all| all.contains(value)),
    };
    if !fits || schema["minimum"].as_i64().is_some_and(|n| value.as_i64().is_some_and(|v| v < n)) {
        wrong.push(format!("{place}: {value} is not {schema}"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            wrong.push(format!("{place}: lacks {name}"));
        }
    }
    for (name, v) in value.as_object().into_iter().flatten() {
        let rule = schema["properties"].get(name).or_else(|| schema.get("additionalProperties"));
        match rule {
            Some(rule) => wrong.extend(check(rule, v, &format!("{place}.{name}"))),
            None => wrong.push(format!("{place}: {name} is not documented")),
        }
    }
    for (n, v) in value.as_array().into_iter().flatten().enumerate() {
        wrong.extend(check(&schema["items"], v, &format!("{place}[{n}]")));
    }
    wrong
}

#[test]
fn notices_what_is_wrong() {
    use serde_json::json;
    let schema = json!({"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 0}}});
    assert!(check(&schema, &json!({"n": 1}), "").is_empty());
    for bad in [json!([]), json!({}), json!({"n": -1}), json!({"n": "1"}), json!({"n": 1, "m": 2})] {
        assert!(!check(&schema, &bad, "").is_empty(), "{bad}");
    }
}
