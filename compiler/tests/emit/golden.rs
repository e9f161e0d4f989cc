//! A small kernel's core, core with memories, and manifest are as recorded in `golden/`. Run with
//! `SAMHW_BLESS=1` to record them again, and read the difference.

use crate::kernels::design;
use std::path::Path;
use std::{env, fs};

const KERNEL: &str = r#"
name = "dot_rows"
expr = "y(i) = A(i,j) * x(j)"
order = ["i", "j"]
[dims]
i = 10
j = 6
[tensors.A]
format = "csr"
type = "i16"
[tensors.x]
format = "dense"
type = "i16"
[tensors.y]
format = "dense"
type = "i16"
"#;

#[test]
fn texts_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emit/golden");
    let d = design(KERNEL);
    for name in ["dot_rows_core.v", "dot_rows_ram.v", "dot_rows.f", "dot_rows.json"] {
        let (_, text) = d.files.iter().find(|(n, _)| n == name).expect("the file is emitted");
        let path = folder.join(name);
        if env::var_os("SAMHW_BLESS").is_some() {
            fs::write(&path, text).expect("writable");
        }
        let recorded = fs::read_to_string(&path).unwrap_or_default();
        assert!(recorded == *text, "{name} is not as recorded; found\n{text}");
    }
}

#[test]
fn manifest_reads_back() {
    let d = design(KERNEL);
    let (_, text) = d.files.iter().find(|(name, _)| name.ends_with(".json")).expect("a manifest");
    let read: samhw_compiler::emit::Manifest = serde_json::from_str(text).expect("JSON");
    assert_eq!(read, d.manifest);
}
