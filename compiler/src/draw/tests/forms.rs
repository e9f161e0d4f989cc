//! DOT and SVG are well formed and hold every node.

use super::kernels;
use crate::draw::{dot, svg};

/// Text outside the strings of DOT, and the strings.
fn apart(text: &str) -> (String, Vec<String>) {
    let (mut outside, mut strings, mut inside, mut escape) = (String::new(), vec![], None::<String>, false);
    for c in text.chars() {
        match &mut inside {
            Some(s) if c == '"' && !escape => {
                outside.push_str(&format!("${}", strings.len()));
                strings.push(std::mem::take(s));
                inside = None;
            }
            Some(s) => {
                s.push(c);
                escape = c == '\\' && !escape;
            }
            None if c == '"' => inside = Some(String::new()),
            None => outside.push(c),
        }
    }
    assert!(inside.is_none(), "a string does not end");
    (outside, strings)
}

#[test]
fn dot_is_well_formed() {
    for (name, lowered, net, _) in kernels() {
        let (outside, strings) = apart(&dot(&lowered, &net));
        assert_eq!(outside.matches('{').count(), outside.matches('}').count(), "{name}");
        assert_eq!(outside.matches('[').count(), outside.matches(']').count(), "{name}");
        let string = |s: &str| strings[s.trim_start_matches('$').parse::<usize>().expect("a number")].clone();
        let lines = || outside.lines().map(str::trim);
        let declared: Vec<String> = lines()
            .filter_map(|l| l.split_once(" [label=").filter(|(n, _)| !n.contains(' ')))
            .map(|(n, _)| string(n))
            .collect();
        let names: Vec<&str> = lowered.graph.nodes.iter().map(|n| n.name.as_str()).collect();
        assert_eq!(declared, names, "{name}");
        let mut edges = 0;
        for (from, to) in lines().filter_map(|l| l.split_once(" [label=")?.0.split_once(" -> ")) {
            assert!(declared.contains(&string(from)) && declared.contains(&string(to)), "{name}: {from} -> {to}");
            edges += 1;
        }
        assert_eq!(edges, lowered.graph.nodes.iter().map(|n| n.inputs.len()).sum::<usize>(), "{name}");
        let fifos = net.cells.iter().filter(|c| ["fifo", "relay"].contains(&c.primitive.kind())).count();
        let marked = strings.iter().filter(|s| s.contains("fifo ")).count();
        assert!(marked >= fifos, "{name}: {marked} edges have a FIFO of {fifos}");
    }
}

/// Checks that elements nest and attributes are quoted; returns the texts between tags.
fn texts(xml: &str) -> Result<Vec<String>, String> {
    let (mut open, mut texts, mut rest) = (Vec::<&str>::new(), vec![], xml.trim());
    while let Some((text, after)) = rest.split_once('<') {
        if text.contains('>')
            || text.split('&').skip(1).any(|t| !["lt;", "gt;", "amp;", "quot;"].iter().any(|e| t.starts_with(e)))
        {
            return Err(format!("not text: {text}"));
        }
        texts.push(text.to_owned());
        let (tag, after) = after.split_once('>').ok_or("a tag does not end")?;
        rest = after;
        if let Some(closed) = tag.strip_prefix('/') {
            if open.pop() != Some(closed) {
                return Err(format!("</{closed}> closes something else"));
            }
            continue;
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |t| (t.trim_end(), true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        while let Some((key, value)) = attributes.trim_start().split_once("=\"") {
            let (_, after) = value.split_once('"').ok_or_else(|| format!("attribute {key} of {name} does not end"))?;
            attributes = after;
        }
        if !attributes.trim().is_empty() {
            return Err(format!("not attributes: {attributes}"));
        }
        if !empty {
            open.push(name);
        }
    }
    if open.is_empty() && rest.is_empty() { Ok(texts) } else { Err(format!("{open:?} stays open")) }
}

#[test]
fn svg_is_well_formed() {
    for (name, lowered, net, choice) in kernels() {
        let picture = svg(&lowered, &net, &choice, None);
        let texts = texts(&picture).unwrap_or_else(|e| panic!("{name}: {e}"));
        for node in &lowered.graph.nodes {
            assert!(texts.contains(&node.name), "{name}: {}", node.name);
        }
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{name}");
    }
}

#[test]
fn the_check_of_svg_finds_faults() {
    for wrong in ["<a><b></a></b>", "<a>", "<a x=\"1></a>", "<a x></a>", "<a>&</a>"] {
        assert!(texts(wrong).is_err(), "{wrong}");
    }
}
