//! The JSON schema of the output of `samhw run --json`.

use serde_json::{Value, json};

/// Returns the schema.
pub fn schema() -> Value {
    let seconds = |what: &str| json!({"type": "number", "minimum": 0, "description": what});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "samhw run --json",
        "type": "object",
        "required": ["kernel", "engine", "cycles", "matches_reference", "bounded", "unknown", "results", "order", "nodes", "seconds", "simulation_seconds", "phase_seconds", "notes", "warnings"],
        "properties": {
            "kernel": {"type": "string"},
            "engine": {"enum": ["native", "verilator", "board"]},
            "cycles": count("clock cycles from the start token to the done token"),
            "statements": {"type": "array", "description": "what each statement took; not of a board", "items": {
                "type": "object",
                "required": ["result", "order", "group", "cycles"],
                "properties": {
                    "result": {"type": "string"},
                    "order": {"type": "array", "items": {"type": "string"}, "description": "its loops, outermost first"},
                    "group": count("statements of one number begin together, those of the next when all are over"),
                    "cycles": count("from its start to the end of its last writer, of all rounds"),
                    "begin": count("the cycle in which it began; not of a program with [repeat]"),
                    "end": count("the cycle in which it was over")
                }
            }},
            "groups": {"type": "array", "items": {
                "type": "object",
                "required": ["results", "cycles"],
                "properties": {
                    "results": {"type": "array", "items": {"type": "string"}, "description": "of its statements"},
                    "cycles": count("of the longest of them")
                }
            }},
            "rounds": count("of a program with [repeat]: how often its statements ran"),
            "open": {"type": "boolean", "description": "of such a program: it ended after `at_most` rounds, and its condition asked for another"},
            "matches_reference": {"type": "boolean"},
            "bounded": count("values that depend on the order of a sum, compared with the bounds of any order"),
            "unknown": count("those of them whose bounds say nothing: a sum that may overflow, or has too many terms"),
            "results": {"type": "object", "additionalProperties": {
                "type": "object",
                "required": ["shape", "nnz"],
                "properties": {
                    "shape": {"type": "array", "items": count("size of a mode")},
                    "nnz": count("stored entries, explicit fills included")
                }
            }},
            "order": {"type": "array", "items": {"type": "string"}, "description": "loop order, outermost first"},
            "nodes": {"type": "array", "items": {
                "type": "object",
                "required": ["name", "kind", "beats", "busy", "stalled", "starved"],
                "properties": {
                    "name": {"type": "string"},
                    "kind": {"type": "string", "description": "primitive"},
                    "beats": count("beats taken, on all inputs"),
                    "busy": count("cycles with a transfer on any port"),
                    "stalled": count("other cycles in which an output beat was not taken"),
                    "starved": count("the remaining cycles")
                }
            }},
            "tokens": tokens(),
            "seconds": {"type": "number", "description": "wall time, reading data included"},
            "simulation_seconds": {"type": "number", "description": "of it the engine's, from empty memories to results"},
            "phase_seconds": {
                "type": "object",
                "description": "wall seconds of each phase; their sum is seconds",
                "required": ["reading", "preparing", "simulating", "checking"],
                "properties": {
                    "reading": seconds("kernel file and data"),
                    "preparing": seconds("compiling, packing, the reference"),
                    "simulating": seconds("the engine"),
                    "checking": seconds("comparing and writing results")
                }
            },
            "notes": {"type": "array", "items": {"type": "string"}, "description": "notes on how it was simulated"},
            "warnings": {"type": "array", "description": "input that is legal but perhaps not intended", "items": {
                "type": "object",
                "required": ["code", "message", "help", "file", "line", "column"],
                "properties": {
                    "code": {"type": "string", "description": "as in docs/diagnostics.md"},
                    "message": {"type": "string"},
                    "help": {"type": "array", "items": {"type": "string"}, "description": "ways out"},
                    "file": {"type": "string"},
                    "line": count("from 1"),
                    "column": count("from 1")
                }
            }}
        }
    })
}

/// A number of `what`.
fn count(what: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": what})
}

/// What each channel carries.
fn tokens() -> Value {
    json!({"type": "array", "description": "with --tokens: what each channel carries; leaves, empty, done, stalled and idle are all cycles", "items": {
        "type": "object",
        "required": ["name", "over", "stream", "leaves", "stops", "absent", "empty", "done", "stalled", "idle"],
        "properties": {
            "name": {"type": "string"},
            "over": {"type": "array", "items": {"type": "string"}, "description": "the indices that its lists range over, outermost first"},
            "stream": {"type": "boolean", "description": "false: words to or from a memory, or a token that starts or ends"},
            "leaves": count("beats with a coordinate, a reference or a value"),
            "stops": count("those of them that also close a list"),
            "absent": count("those of them whose leaf is absent"),
            "empty": count("beats that stand for an empty list"),
            "done": count("beats that end the run"),
            "stalled": count("cycles with a beat that was not taken"),
            "idle": count("cycles without a beat")
        }
    }})
}
