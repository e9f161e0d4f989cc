//! `NAME_registers.md` says all that a host must know, without any other page.

use crate::kernels::design;

/// Kernels behind AXI: statement and sizes, tensors with their levels and type, schedule.
const KERNELS: [(&str, &str, &str, &str); 5] = [
    (
        "X(i,j) = B(i,k) * C(k,j)",
        "i = 200\nj = 100\nk = 150",
        "B compressed,compressed f32; C compressed,compressed f32; X compressed,compressed f32",
        "split = { i = 32, k = [32, 8], j = [32, 16, 4] }",
    ),
    ("y(i) = A(i,j) * x(j)", "i = 40\nj = 300", "A dense,bitvector32 fx16.8; x dense fx16.8; y dense fx16.8", ""),
    ("y(i) = A(i,j) + B(i,j)", "i = 40\nj = 300", "A dense,run u8; B dense,block u8; y dense u8", ""),
    ("X(i,j) = A(i,j)", "i = 40\nj = 300", "A compressed_nu,singleton bf16; X dense,compressed bf16", ""),
    ("a = b(i)", "i = 40", "a  bool; b compressed bool", ""),
];

fn kernel(n: usize) -> String {
    let (expr, dims, tensors, schedule) = KERNELS[n];
    let mut text = format!("name = \"k{n}\"\nexpr = \"{expr}\"\n[dims]\n{dims}\n");
    for tensor in tensors.split("; ") {
        let words: Vec<&str> = tensor.split(' ').collect();
        let levels: Vec<String> = words[1].split(',').filter(|l| !l.is_empty()).map(|l| format!("\"{l}\"")).collect();
        text += &format!("[tensors.{}]\nlevels = [{}]\ntype = \"{}\"\n", words[0], levels.join(", "), words[2]);
    }
    text + &format!("[schedule]\n{schedule}\n[hardware]\nmemory = \"axi\"\n[hardware.axi]\naddress_width = 40\n")
}

#[test]
fn the_page_stands_alone() {
    for n in 0..KERNELS.len() {
        let d = design(&kernel(n));
        let page = d.files.iter().find(|(name, _)| name.ends_with("_registers.md")).map(|(_, text)| text).unwrap();
        let row = |name: &str| {
            let arrays = page.split("# Arrays").nth(1).and_then(|t| t.split("\n# ").next()).unwrap();
            let row = arrays
                .lines()
                .find(|l| l.starts_with(&format!("| {name} |")))
                .unwrap_or_else(|| panic!("{name}: {page}"));
            row.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>()
        };
        let axi = d.manifest.axi.as_ref().unwrap();
        for port in &axi.ports {
            let array = d.manifest.arrays.iter().find(|a| a.name == port.array).unwrap();
            let has_registers = axi.registers.iter().any(|r| r.name == format!("{}_BASE", array.name.to_uppercase()));
            if !has_registers {
                continue;
            }
            let cells = row(&array.name);
            assert_eq!(cells[3], if array.direction == "input" { "operand" } else { "result" }, "{}", array.name);
            // How many words it has, in the tensor's terms, and at most.
            assert!(!cells[5].is_empty(), "{cells:?}");
            assert_eq!(cells[6], array.words.to_string(), "{cells:?}");
            assert_eq!((&cells[7], &cells[8]), (&array.width.to_string(), &port.word_bytes.to_string()), "{cells:?}");
            if array.part == "tiles" {
                assert!(
                    cells[4].contains("tiles: where the positions of level") && cells[4].contains("change no result"),
                    "{cells:?}"
                );
            }
        }
        for p in &d.manifest.packings {
            assert!(
                page.contains(&format!("| {} | {}", p.name, p.tensor)) && page.contains(&format!("| {} |", p.ty)),
                "{}",
                p.name
            );
            for level in &p.levels {
                let kind = level.trim_end_matches(char::is_numeric).trim_end_matches("_nu");
                assert!(page.contains(&format!("`{kind}`")), "{kind} is not explained: {page}");
            }
        }
        for fact in [
            "8 cycles after `rst`",
            "SLVERR",
            "bit 0 of STATUS",
            "little-endian",
            "is padding above",
            "`m_axi_...`",
            "whole lines of 8 bytes",
            "at most 16",
        ] {
            assert!(page.contains(fact), "{fact}: {page}");
        }
        assert!(!page.contains(".md"), "another page is named: {page}");
    }
    let tiled = design(&kernel(0));
    assert!(tiled.manifest.arrays.iter().any(|a| a.part == "tiles"), "tiles");
    let halves = "| B, coordinate c of index 0 as c / 32 in mode 0 and c mod 32 in mode 1, coordinate c of index 1 as c / 32 in mode 2";
    assert!(tiled.files.iter().any(|(_, text)| text.contains(halves)), "{halves}");
}
