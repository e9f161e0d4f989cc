//! The notation of the examples: settings (`dim = 4`), arrays (`crd = 4 7 1`), and a line for each port.
//!
//! | on a line of a port | is |
//! |---|---|
//! | `7`, `-1`, `0b101`, `2.5`, `b`, `b+c` | a payload: numbers, an f32, a letter for some number, a sum |
//! | `2..5`, `2..5 from 10` | an interval, the word of a block |
//! | `(4, 1)`, `(4, N)`, `(1 4, 0)` | two payloads; without the second; a group of coordinates with its position |
//! | `over 3` | in a hint: all of fiber 3 |
//! | `EMPTY` or `N`, `NIL hole 1`, `stop 2`, `DONE` | kinds and stops; what comes after DONE is explanation |
//! | `3: 7`, `begin: 0`, `end: 0` | a write of 7 to address 3; without addresses they count from 0 |
//! | `-`, a bar, `DATA`, `token` | nothing; they only align or name |

use samhw_primitives::scan::scanner_wide::Group;
use samhw_streams::{Beat, Kind, Port, Shape};
use samhw_values::mask;

/// A block of a page.
pub struct Block {
    /// Settings and arrays.
    pub settings: Vec<(String, Vec<String>)>,
    /// Ports and what goes through them.
    pub streams: Vec<(String, String)>,
}

impl Block {
    /// Reads a block; a line belongs to a port if it begins with its name.
    pub fn new(text: &str, ports: &[Port]) -> Self {
        let (mut settings, mut streams) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let first = line.split_whitespace().next().unwrap_or_default();
            if ports.iter().any(|p| p.name == first && p.shape.handshakes()) {
                streams.push((first.to_owned(), line.trim_start()[first.len()..].replace(" from ", "@")));
                continue;
            }
            for (name, values) in line.split("  ").filter_map(|part| part.split_once(" = ")) {
                settings.push((name.trim().to_owned(), values.split_whitespace().map(str::to_owned).collect()));
            }
        }
        Self { settings, streams }
    }
}

/// The words of an array; `..` goes on in the same steps.
pub fn array(values: &[String], width: u32) -> Vec<u64> {
    let mut out: Vec<u64> = Vec::new();
    for (at, value) in values.iter().enumerate() {
        match (value.as_str(), &out[..]) {
            ("-" | "empty", _) => out.push(0),
            ("..", &[.., a, b]) => {
                let last = number(&values[at + 1], width);
                out.extend((1..).map(|k| b + k * (b - a)).take_while(|v| *v < last));
            }
            _ => out.push(number(value, width)),
        }
    }
    out
}

/// The payload of `width` bits that a text is.
fn number(text: &str, width: u32) -> u64 {
    let text = text.trim();
    if let Some(fiber) = text.strip_prefix("over ") {
        return 1 << (width - 1) | number(fiber, width);
    }
    if let Some((a, b)) = text.split_once('+') {
        return number(a, width) + number(b, width);
    }
    if let Some((interval, base)) = text.split_once('@') {
        return number(interval, width / 3 * 2) | number(base, width / 3) << (width / 3 * 2);
    }
    if let Some((first, last)) = text.split_once("..") {
        return number(first, width / 2) | number(last, width / 2) << (width / 2);
    }
    if let Some(bits) = text.strip_prefix("0b") {
        return u64::from_str_radix(bits, 2).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    if let Ok(number) = text.parse::<i64>() {
        return number as u64 & mask(width);
    }
    match (text.parse::<f32>(), text.as_bytes()) {
        (Ok(float), _) if text.contains(|c: char| c.is_ascii_digit()) => float.to_bits().into(),
        (_, [letter @ b'a'..=b'z']) => u64::from(*letter),
        (_, b"empty") => 0,
        _ => panic!("no payload: {text}"),
    }
}

/// The words of a line, what is in parentheses as one.
fn words(text: &str) -> Vec<String> {
    let (mut out, mut inside) = (vec![String::new()], false);
    for c in text.chars() {
        match c {
            '(' | ')' => {
                inside = c == '(';
                out.push(if inside { "(".into() } else { String::new() });
            }
            ' ' | '|' if !inside => out.push(String::new()),
            c => out.last_mut().unwrap().push(c),
        }
    }
    out.retain(|word| !word.is_empty());
    out
}

/// What goes through a port.
pub fn beats(text: &str, port: &Port, group: Option<Group>) -> Vec<Beat> {
    let (Shape::Stream { fields, .. } | Shape::Plain { fields }) = &port.shape else { panic!("{}", port.name) };
    let width = |k: usize| fields.get(k).map_or(0, |f: &samhw_streams::Field| f.width);
    let is_plain = matches!(port.shape, Shape::Plain { .. });
    let mut out: Vec<Beat> = Vec::new();
    let words = words(text);
    let mut rest = words.iter().map(String::as_str);
    while let Some(word) = rest.next() {
        let mut height = || rest.next().and_then(|h| h.parse::<u8>().ok()).expect("a height");
        match word {
            "DATA" | "-" => {}
            "token" => out.push(Beat::data(0, 0)),
            "EMPTY" | "N" => out.push(Beat::empty(0)),
            "NIL" => out.push(Beat::nil(0, 0)),
            "hole" => out.last_mut().expect("a NIL").p[0] = height().into(),
            "stop" => out.last_mut().expect("a beat").stop = height(),
            "DONE" => {
                out.push(Beat::DONE);
                break;
            }
            _ if word.starts_with('(') => {
                let (first, second) = word[1..].split_once(',').expect("two payloads");
                out.push(match (group, second.trim()) {
                    (Some(group), position) if !is_plain => {
                        let crds: Vec<u64> = first.split_whitespace().map(|crd| number(crd, group.crd_w)).collect();
                        group.pack(0, &crds, number(position, width(1)))
                    }
                    (_, "N") => Beat::new(Kind::Empty, 0, [number(first, width(0)), 0]),
                    _ => Beat::pair(0, number(first, width(0)), number(second, width(1))),
                });
            }
            _ if word.ends_with(':') => {
                let mark = 1 << (width(0) - 1);
                let addr = match word.trim_end_matches(':') {
                    "begin" => mark,
                    "end" => mark | 1,
                    addr => number(addr, width(0)),
                };
                out.push(Beat::pair(0, addr, number(rest.next().expect("a word"), width(1))));
            }
            _ if is_plain && fields.len() == 2 => {
                out.push(Beat::pair(0, out.len() as u64, number(word, width(1))));
            }
            _ => out.push(Beat::data(0, number(word, width(0)))),
        }
    }
    out
}
