//! Tests of tensors: files, generators, storage. Public data files are used where they are there.

mod archives;
mod fuzz;
mod generators;
mod messages;
mod npy;
mod public_data;
mod real;
mod storage;
mod traps;
mod writing;

use std::io::Cursor;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Place};
use samhw_compiler::types::Type;

use super::file::{Form, read};
use super::{Coo, Keep, Loaded, Target};

const I32: Type = Type::int(32, true);
const I64: Type = Type::int(64, true);

/// A tensor `B` of fill 0.
fn target(max: &[u64], ty: Type) -> Target {
    Target { name: "B".into(), max: max.to_vec(), ty, fill: 0, keep: Keep::Others }
}

/// Reads `content` as if it stood in a file called `name`.
fn parse(name: &str, content: &[u8], policy: ValuePolicy, target: &Target) -> Result<Loaded, Diagnostic> {
    parse_most(name, content, policy, target, 1 << 30)
}

/// `parse` of a file that may unpack to `most` bytes.
fn parse_most(
    name: &str,
    content: &[u8],
    policy: ValuePolicy,
    target: &Target,
    most: u64,
) -> Result<Loaded, Diagnostic> {
    let path = Path::new(name);
    read(Form::of(path)?, Cursor::new(content), path, policy, target, most)
}

/// `parse` with the exact policy, of what must be right.
fn good(name: &str, content: &str, target: &Target) -> Coo {
    parse(name, content.as_bytes(), ValuePolicy::Exact, target).unwrap_or_else(|e| panic!("{}", render(&e))).coo
}

/// Entries as (coordinate, number).
fn entries(coo: &Coo, ty: Type) -> Vec<(Vec<u64>, i128)> {
    coo.iter().map(|(coord, raw)| (coord.to_vec(), ty.value(raw))).collect()
}

/// A diagnostic as text, without the folder of its file.
fn render(said: &Diagnostic) -> String {
    let place = match &said.place {
        Some(Place::File(path, line)) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            line.map_or(name.clone(), |line| format!("{name}:{line}"))
        }
        _ => "nowhere".into(),
    };
    let help: String = said.help.iter().map(|line| format!("\n  {line}")).collect();
    format!("{} {place}: {}{help}", said.code, said.message)
}

/// The folder of shared files, if this machine has it.
fn shared(below: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = std::env::var_os("SAMHW_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let path = shared.join(below);
    if !path.exists() {
        println!("skipped: {below} is not there; SAMHW_SHARED names the folder of shared files");
        return None;
    }
    Some(path)
}

/// A new empty folder; removed by the system, not by us.
fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("samhw-tensor-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    dir
}

/// Random tensors of up to four small modes (sizes from `least`), values of any kind, zeros too.
fn coos(least: u64, orders: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Coo> {
    prop::collection::vec(least..6, orders).prop_flat_map(|shape| {
        let all: u64 = shape.iter().product();
        let values = prop::collection::vec(prop::option::of(any::<i32>().prop_map(|v| v % 100)), all as usize);
        values.prop_map(move |values| {
            let (mut coords, mut raws) = (Vec::new(), Vec::new());
            for (position, value) in values.into_iter().enumerate() {
                let Some(value) = value else { continue };
                let mut rest = position as u64;
                let mut coord: Vec<u64> = shape.iter().rev().map(|size| (rest % size, rest /= size).0).collect();
                coord.reverse();
                coords.extend(coord);
                raws.push(I32.wrap(value.into()));
            }
            Coo::new(shape.clone(), coords, raws).expect("unique coordinates inside")
        })
    })
}
