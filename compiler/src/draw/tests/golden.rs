//! `kernels/NAME.toml` gives the text `kernels/NAME.txt` where that exists. To add one, make it
//! empty, run with `SAMHW_BLESS=1`, and read what appears.

use super::{folder, kernels};
use crate::draw::{dot, svg, text};
use std::{env, fs};

#[test]
fn texts_are_as_recorded() {
    let mut compared = 0;
    for (name, lowered, net, choice) in kernels() {
        let golden = folder().join(format!("{name}.txt"));
        let Ok(mut expected) = fs::read_to_string(&golden) else { continue };
        let found = text(&lowered, &net, &choice);
        if env::var_os("SAMHW_BLESS").is_some() {
            fs::write(&golden, &found).expect("writable");
            expected.clone_from(&found);
        }
        assert_eq!(found, expected, "{name}");
        compared += 1;
    }
    assert!(compared >= 2);
}

/// `SAMHW_DRAW=FOLDER` keeps the drawings of all kernels, to look at.
#[test]
fn drawings_are_the_same_every_time() {
    for ((name, lowered, net, choice), (_, l, n, c)) in kernels().into_iter().zip(kernels()) {
        let (picture, graph) = (svg(&lowered, &net, &choice, None), dot(&lowered, &net));
        assert_eq!(picture, svg(&l, &n, &c, None), "{name}");
        assert_eq!(graph, dot(&l, &n), "{name}");
        if let Some(folder) = env::var_os("SAMHW_DRAW") {
            let at = |end: &str| std::path::Path::new(&folder).join(format!("{name}.{end}"));
            fs::write(at("svg"), picture).expect("writable");
            fs::write(at("dot"), graph).expect("writable");
            fs::write(at("txt"), text(&lowered, &net, &choice)).expect("writable");
        }
    }
}
