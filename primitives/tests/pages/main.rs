//! Examples on the primitives' pages are runs: what goes in on a page goes through the model, and what comes out is
//! what the page says, with and without gaps and back-pressure.

mod forms;
mod notation;

use forms::{Form, form};
use notation::{Block, array, beats};
use samhw_streams::{Dir, Model, Param, Port, Shape};
use samhw_testing::bench::{Memory, Outcome, Stall, run};
use samhw_values::mask;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Cycles until a memory answers.
const LATENCY: u64 = 2;

/// Blocks that are no streams, by page and number, with the reason.
const OTHERS: [(&str, usize, &str); 3] = [
    ("scanner_growing", 0, "what comes out depends on when the writer says that it has finished"),
    ("rounds", 0, "the tokens of a program in time: what comes in depends on what went out"),
    ("reducer_pipelined", 1, "a formula"),
];

/// Pages without an example, with the reason.
const WITHOUT: [(&str, &str); 3] = [
    ("float", "units inside of the ALU, without ports"),
    ("real", "units inside of the ALU, without ports"),
    ("axi", "managers, whose other side is a bus"),
];

fn pages(folder: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            pages(&entry, out);
        } else if entry.ends_with("README.md") {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            out.push((name, fs::read_to_string(entry).unwrap()));
        }
    }
}

fn blocks(page: &str) -> Vec<&str> {
    page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

/// Ports with a handshake, of one direction.
fn sides(ports: &[Port], dir: Dir) -> Vec<&Port> {
    ports.iter().filter(|p| p.dir == dir && p.shape.handshakes()).collect()
}

/// The values of the wires of a primitive: those that the page says, otherwise so large that there is room. What else
/// the page says in numbers must be arrays or parameters.
fn settings(block: &Block, form: &Form) -> Result<Vec<u64>, String> {
    let (ports, params) = (form.primitive.ports(), form.primitive.instance().params);
    for (name, values) in &block.settings {
        let is_port = |end: &str| ports.iter().any(|p| p.name == format!("{name}{end}"));
        let Some(value) = values[0].parse::<i64>().ok().filter(|_| values.len() == 1) else { continue };
        if is_port("") || is_port("_req") || name.starts_with("words") {
            continue;
        }
        let held = params.iter().find(|(n, _)| *n == name.to_uppercase()).map(|(_, param)| match param {
            Param::Int(v) => i64::from(*v),
            Param::Bits(_, words) => words[0] as i64,
        });
        if held != Some(value) {
            return Err(format!("{name} is {held:?}, of {params:?}"));
        }
    }
    let configs = ports.iter().filter_map(|p| match p.shape {
        Shape::Config { width } => Some((&p.name, width)),
        _ => None,
    });
    let given = |name: &str| block.settings.iter().find(|s| s.0 == name);
    Ok(configs.map(|(n, w)| given(n).map_or(mask(w) >> 1, |(_, values)| array(values, w)[0])).collect())
}

/// The arrays of a block at the ports that ask for them.
fn memories<'a>(block: &Block, form: &'a Form, ports: &[Port]) -> Vec<Memory<'a>> {
    let (ins, outs) = (sides(ports, Dir::In), sides(ports, Dir::Out));
    let mut found = Vec::new();
    for (request, asked) in outs.iter().enumerate().filter(|(_, p)| p.name.contains("req")) {
        let array_name = match asked.name.strip_prefix("req").filter(|number| !number.is_empty()) {
            Some(number) => format!("bank{number}"),
            None => asked.name.trim_end_matches("req").trim_end_matches('_').to_owned(),
        };
        let Some(answer) = ins.iter().position(|p| p.name == asked.name.replace("req", "rsp")) else { continue };
        let (Shape::Plain { fields: of }, Shape::Plain { fields }) = (&asked.shape, &ins[answer].shape) else {
            continue;
        };
        let width = fields[0].width;
        let own = form.arrays.iter().find(|(name, _)| *name == array_name).map(|(_, words)| words.clone());
        let name = if array_name.is_empty() { "words" } else { &array_name };
        let shown = block.settings.iter().find(|s| s.0 == name).map(|(_, values)| array(values, width));
        let words = own.or(shown).unwrap_or_else(|| panic!("no array {name}"));
        let (is_burst, is_pair) = (of.len() == 2, fields.len() == 2);
        let word = move |at: u64| words.get(at as usize).copied().unwrap_or_default();
        found.push(Memory {
            request,
            response: answer,
            latency: LATENCY,
            answer: Box::new(move |b| match (is_burst, is_pair) {
                (true, _) => (0..b.p[1]).map(|k| samhw_streams::Beat::data(0, word(b.p[0] + k))).collect(),
                (_, true) => vec![samhw_streams::Beat::pair(0, word(b.p[0]), word(b.p[0] + 1))],
                _ => vec![samhw_streams::Beat::data(0, word(b.p[0]))],
            }),
        });
    }
    found
}

/// Runs a block, with the words of a memory afterwards.
fn ran(block: &Block, form: &Form, stall: Stall) -> Result<(Outcome, Vec<u64>), String> {
    let ports = form.primitive.ports();
    let mut model: Box<dyn Model> = form.primitive.model(&settings(block, form)?);
    if let (Some(memory), Some((_, values))) = (model.memory(), block.settings.iter().find(|s| s.0 == "words")) {
        let words = array(values, 64);
        memory[..words.len()].copy_from_slice(&words);
    }
    let feed = |port: &&Port| {
        let line = block.streams.iter().find(|s| s.0 == port.name);
        line.map(|(_, text)| beats(text, port, form.group)).unwrap_or_default()
    };
    let feeds: Vec<_> = sides(&ports, Dir::In).iter().map(feed).collect();
    let mut memories = memories(block, form, &ports);
    let outcome = run(&ports, model.as_mut(), &feeds, &mut memories, stall, form.primitive.silence());
    let words = model.memory().cloned().unwrap_or_default();
    Ok((outcome.map_err(|fault| format!("{fault:?}"))?, words))
}

/// What is wrong with a block.
fn wrong(text: &str, form: &Form) -> Option<String> {
    let ports = form.primitive.ports();
    let block = Block::new(text, &ports);
    let outs = sides(&ports, Dir::Out);
    let shown = |port: &Port| block.streams.iter().find(|s| s.0 == port.name);
    if !outs.iter().any(|port| shown(port).is_some()) {
        return Some("no output on the page".into());
    }
    for stall in [Stall::NONE, Stall::new(1, 0.3, 0.3)] {
        let (outcome, words) = match ran(&block, form, stall) {
            Ok(ran) => ran,
            Err(why) => return Some(why),
        };
        for (k, port) in outs.iter().enumerate() {
            let Some((name, text)) = shown(port) else {
                if matches!(port.shape, Shape::Stream { .. }) {
                    return Some(format!("no line for {}", port.name));
                }
                continue;
            };
            let (want, mut got) = (beats(text, port, form.group), outcome.beats(k));
            if text.contains("token") {
                // Of a token the value means nothing.
                got.iter_mut().for_each(|beat| beat.p = [0, 0]);
            }
            if want != got {
                return Some(format!("{name}: the page has\n{want:?}\nand the model gives\n{got:?}"));
            }
        }
        let after = block.settings.iter().find(|s| s.0 == "words_after").map(|(_, values)| array(values, 64));
        if let Some(after) = after.filter(|after| words[..after.len()] != after[..]) {
            return Some(format!("the page has the words {after:?}, the model {words:?}"));
        }
        if form.is_timed {
            break;
        }
    }
    None
}

#[test]
fn examples_of_pages_are_runs() {
    let (mut all, mut found, mut runs) = (Vec::new(), String::new(), 0);
    pages(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut all);
    let mut without = BTreeSet::new();
    for (name, page) in &all {
        let blocks = blocks(page);
        if blocks.is_empty() {
            without.insert(name.as_str());
        }
        for (n, text) in blocks.iter().enumerate() {
            if OTHERS.iter().any(|(page, number, _)| (*page, *number) == (name, n)) {
                continue;
            }
            runs += 1;
            println!("{name}, block {n}");
            match form(name, n) {
                None => found += &format!("{name}, block {n}: forms.rs has no form for it\n"),
                Some(form) => found.extend(wrong(text, &form).map(|why| format!("{name}, block {n}: {why}\n"))),
            }
        }
    }
    assert!(found.is_empty(), "{found}");
    assert!(runs > 50, "{runs} examples");
    assert_eq!(without, WITHOUT.iter().map(|w| w.0).collect(), "pages without an example");
}

#[test]
fn a_wrong_example_is_found() {
    let form = form("repeater", 0).unwrap();
    let right = "ref  a  b stop 1 | DONE\ncrd  4 stop 1 | 7  8 stop 2 | DONE\nout  a stop 1 | b  b stop 2 | DONE\n";
    assert_eq!(wrong(right, &form), None);
    for (from, to) in [("b  b", "b  a"), ("a stop 1 | b  b", "a | b  b"), ("out", "oud"), ("b  b stop 2 | DONE", "b")] {
        assert!(wrong(&right.replace(from, to), &form).is_some(), "{from}");
    }
}
