//! `samhw explore`: the front, the files it writes, what it refuses.

use crate::support::{Folder, SPMV};
use serde_json::Value;

fn report(folder: &Folder, args: &[&str]) -> Value {
    let all = [&["explore", "spmv.toml", "--json"], args].concat();
    let ran = folder.fine(&all);
    serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.out))
}

fn points(report: &Value) -> &Vec<Value> {
    report["points"].as_array().unwrap()
}

#[test]
fn nothing_that_fits_beats_the_front_and_its_files_take_the_cycles_it_says() {
    let folder = Folder::new();
    folder.write("spmv.toml", format!("# Kept.\n{SPMV}"));
    let report = report(&folder, &["--most", "60", "-o", "found"]);
    let number = |p: &Value, key: &str| p[key].as_f64().unwrap();
    let all = points(&report);
    assert!(all.len() >= 60 && all[0]["what"] == "as written", "{report}");
    let front: Vec<&Value> = all.iter().filter(|p| !p["front"].is_null()).collect();
    assert!(front.len() > 1, "{report}");
    for f in &front {
        assert!(number(f, "share") <= 1.0);
        let beats = |p: &&Value| {
            let [a, b] = ["micros", "share"].map(|key| (number(p, key), number(f, key)));
            number(p, "share") <= 1.0 && a.0 <= a.1 && b.0 <= b.1 && (a.0 < a.1 || b.0 < b.1)
        };
        assert_eq!(all.iter().find(beats), None, "{f}");
        let file = format!("found/spmv_{}.toml", f["front"]);
        assert!(folder.read(&file).starts_with("# Kept."));
        let said: Value = serde_json::from_str(&folder.fine(&["estimate", &file, "--json"]).out).unwrap();
        assert_eq!((&said["cycles"], &said["total"]["luts"]), (&f["cycles"], &f["luts"]), "{file}");
    }
    assert_eq!(serde_json::from_str::<Value>(&folder.read("found/explore.json")).unwrap(), report);
    assert!(folder.read("found/explore.svg").contains("as written"));
    let text = folder.fine(&["explore", "spmv.toml", "--most", "60"]).out;
    let rows = text.lines().filter(|l| l.contains(" %  ")).count();
    assert!(text.contains("--most N") && rows == front.len() + usize::from(all[0]["front"].is_null()), "{text}");
}

#[test]
fn only_what_may_differ_does() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let report = report(&folder, &["--vary", "orders"]);
    assert_eq!(report["complete"], true);
    assert_eq!(report["tried"], 2, "{report}");
    let formats = self::report(&folder, &["--vary", "formats", "--board", "icebreaker"]);
    assert!(points(&formats).iter().all(|p| p["what"] == "as written" || !p["what"].as_str().unwrap().contains('=')));
}

#[test]
fn data_files_are_found_from_the_folder_of_what_was_found() {
    let folder = Folder::new();
    folder.write("v.tns", "1 5\n3 -2\n");
    let text = "expr = \"y(i) = 2 * x(i)\"\n[dims]\ni = 8\n[tensors.x]\nlevels = [\"dense\"]\ntype = \"i16\"\n\
                [tensors.y]\nlevels = [\"dense\"]\ntype = \"i16\"\n[data]\nx = { file = \"v.tns\" }\n";
    folder.write("spmv.toml", text);
    let report = report(&folder, &["-o", "found", "--most", "20"]);
    assert!(points(&report).iter().any(|p| p["front"] == 1));
    folder.fine(&["run", "found/spmv_1.toml"]);
}

#[test]
fn bad_input_is_told_and_leaves_nothing() {
    let folder = Folder::new();
    let (none, _) = SPMV.split_once("[data]").unwrap();
    folder.write("spmv.toml", none);
    let before = folder.content();
    folder.run(&["explore", "spmv.toml", "-o", "found"]).failed(2, "T100");
    folder.run(&["explore", "spmv.toml", "--board", "nosuch"]).failed(2, "F001");
    folder.run(&["explore", "nosuch.toml"]).failed(2, "K000");
    assert_eq!(folder.content(), before);
}

#[test]
fn without_a_board_cycles_and_one_size_count() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    for size in ["luts", "brams"] {
        let report = report(&folder, &["--board", "none", "--size", size, "--most", "30", "-o", "found"]);
        assert_eq!(report["board"], "none");
        let worth = |p: &Value| (p["cycles"].as_u64().unwrap(), p[size].as_u64().unwrap());
        let (front, behind): (Vec<_>, Vec<_>) = points(&report).iter().partition(|p| !p["front"].is_null());
        assert!(!front.is_empty());
        for p in behind {
            let (cycles, taken) = worth(p);
            assert!(front.iter().map(|f| worth(f)).any(|f| f.0 <= cycles && f.1 <= taken), "{p}");
        }
        let page = folder.read("found/explore.svg");
        assert!(
            page.contains("cycles on the data") && page.contains(if size == "luts" { "LUTs" } else { "block RAMs" })
        );
    }
}

#[test]
fn where_nothing_fits_the_front_is_shown_all_the_same() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV);
    let large = ["--board", "icebreaker", "--vary", "orders", "--set", "dims.i=3000"];
    let report = report(&folder, &large);
    assert_eq!(report["fits"], false, "{report}");
    assert!(points(&report).iter().any(|p| p["front"] == 1));
    let text = folder.fine(&[&["explore", "spmv.toml"], &large[..]].concat()).out;
    assert!(text.contains("nothing fits icebreaker"), "{text}");
}

#[test]
fn of_kernels_behind_axi_the_core_counts() {
    let folder = Folder::new();
    folder.write("spmv.toml", SPMV.replace("[dims]", "[hardware]\nmemory = \"axi\"\n[dims]"));
    let found = report(&folder, &["--vary", "orders"]);
    let said: Value = serde_json::from_str(&folder.fine(&["estimate", "spmv.toml", "--json"]).out).unwrap();
    let run: Value = serde_json::from_str(&folder.fine(&["run", "spmv.toml", "--json"]).out).unwrap();
    assert_eq!(said["top"], "core");
    assert_eq!((&said["cycles"], &said["total"]["luts"]), (&points(&found)[0]["cycles"], &points(&found)[0]["luts"]));
    assert_eq!(said["cycles"], run["cycles"]);
    folder.run(&["estimate", "spmv.toml", "--top", "board"]).failed(2, "H022");
    folder.write("spmv.toml", SPMV);
    let of = |top: &str| -> Value {
        serde_json::from_str(&folder.fine(&["estimate", "spmv.toml", "--top", top, "--json"]).out).unwrap()
    };
    let (core, board) = (of("core"), of("board"));
    let luts = |report: &Value| report["total"]["luts"].as_u64().unwrap();
    assert!(luts(&core) < luts(&board) && core["total"]["brams"].as_u64() < board["total"]["brams"].as_u64());
    assert!(core["nodes"].as_array().unwrap().iter().all(|node| node["node"] != "serial line"), "{core}");
}
