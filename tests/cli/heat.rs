//! Drawings that show what a run did, and pages of them.

use crate::support::{Folder, SPMV};
use serde_json::Value;
use std::process::Command;

/// Lanes enough that they are drawn as one.
fn lanes() -> String {
    let kernel = SPMV.replace("dcsr", "csr").replace("i = 8", "i = 64");
    kernel.replace("levels = [\"compressed\"]", "levels = [\"dense\"]") + "[schedule]\nlanes = { i = 16 }\n"
}

#[test]
fn runs_colour_drawings() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let plain = folder.fine(&["graph", "spmv.toml", "--format", "svg"]).out;
    let hot = folder.fine(&["graph", "spmv.toml", "--format", "svg", "--run"]).out;
    assert!(!plain.contains("stalled") && hot.contains("stalled") && hot.contains("busy 100 %"), "{hot}");
    let report: Value = serde_json::from_str(&folder.fine(&["run", "spmv.toml", "--json"]).out).unwrap();
    let cycles = report["cycles"].as_f64().unwrap();
    let node = report["nodes"].as_array().unwrap().iter().find(|n| n["name"] == "mul").unwrap();
    let share = |count: &str| format!("{count} {:.1} %", 100.0 * node[count].as_f64().unwrap() / cycles);
    let title = hot.lines().find(|l| l.contains("<title>mul (")).unwrap();
    assert!(title.contains(&share("busy")) && title.contains(&share("stalled")), "{title}");
}

#[test]
fn lanes_are_drawn_once() {
    let folder = Folder::new();
    let picture = folder.write("k.toml", lanes()).fine(&["graph", "k.toml", "--format", "svg", "--run"]).out;
    assert!(picture.contains("sum_j × 16") && !picture.contains("sum_j_c7"), "{picture}");
}

/// A page needs nothing else, has every node's counters and its line of Verilog, and a browser
/// shows what was clicked.
#[test]
fn pages_stand_alone() {
    let folder = Folder::new();
    for (kernel, node, shown) in [(SPMV.to_string(), "sum_j", 1), (lanes(), "sum_j", 16)] {
        folder.write("k.toml", kernel.replace("expr", "name = \"k\"\nexpr"));
        folder.fine(&["graph", "k.toml", "--html", "k.html", "--run"]);
        folder.fine(&["gen", "k.toml", "-o", "out"]);
        let page = folder.read("k.html");
        assert!(!page.contains("src=") && !page.contains("href=") && !page.contains("@DATA@"));
        let data = page.split("id=\"data\">").nth(1).and_then(|t| t.split("</script>").next()).unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        let core = folder.read("out/k_core.v");
        for (name, about) in data["nodes"].as_object().unwrap() {
            let counts = about["counters"].as_object().unwrap();
            assert_eq!(counts.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), data["cycles"].as_u64().unwrap());
            let text = about["verilog"]["text"].as_str().unwrap_or_else(|| panic!("{name} has no Verilog"));
            assert!(text.starts_with("samhw_") && text.contains(&format!("{name} (")), "{name}: {text}");
            assert!(core.contains(&format!("{name} (")), "{name}");
        }
        browsed(&folder, node, shown);
    }
    let ran = folder.run(&["graph", "k.toml", "--html", "nowhere/k.html"]);
    assert!(ran.status == 2 && ran.err.contains("T020"), "{ran:?}");
}

/// Opens the page in headless Chromium with a node chosen, if there is one.
fn browsed(folder: &Folder, node: &str, shown: usize) {
    let page = format!("file://{}/k.html#{node}", folder.path().canonicalize().unwrap().display());
    let home = format!("--user-data-dir={}/chromium", folder.path().display());
    let options =
        ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom", &home, &page];
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let Some(ran) = names.iter().find_map(|name| Command::new(name).args(options).output().ok()) else {
        println!("skipped: there is no Chromium");
        return;
    };
    let dom = String::from_utf8_lossy(&ran.stdout);
    let side = dom.split("id=\"side\">").nth(1).unwrap_or_else(|| panic!("no page: {ran:?}"));
    let side = side.split("</div>").next().unwrap();
    assert!(side.contains(&format!("<h1>{node}</h1>")) && side.contains("k_core.v, line "), "{side}");
    assert_eq!(side.matches("<tr>").count(), shown + 1, "{side}");
    assert!(dom.contains("class=\"chosen\"") && dom.contains("scale("), "the script did not run");
}
