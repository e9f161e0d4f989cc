//! What samhw is built from: crates that the oldest Rust builds that `Cargo.toml` names, under licences that `deny.toml`
//! allows. Of std the same is seen to by clippy's `incompatible_msrv`.

use serde_json::Value;
use spdx::{Expression, ParseMode};
use std::process::Command;

/// The crates of all platforms that are in reach without a network: at least this one's.
fn packages() -> Vec<Value> {
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    if cfg!(target_os = "linux") {
        command.args(["--filter-platform", &host]);
    }
    let out = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let all: Value = serde_json::from_slice(&out.stdout).unwrap();
    all["packages"].as_array().unwrap().clone()
}

/// Name and version, as a message has them.
fn called(package: &Value) -> String {
    format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
}

fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|n| n.parse().unwrap()).collect()
}

#[test]
fn the_oldest_rust_builds_all_crates() {
    let oldest = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = packages();
    let newer = |p: &&Value| p["rust_version"].as_str().is_some_and(|v| version(v)[..2] > oldest[..2]);
    let newer: Vec<String> = packages.iter().filter(newer).map(called).collect();
    assert!(packages.len() > 50 && newer.is_empty(), "these need a newer Rust than {oldest:?}: {newer:?}");
}

#[test]
fn licences_of_all_crates_are_allowed() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    let allowed = text.split_once("allow = [").unwrap().1.split_once(']').unwrap().0;
    let allowed: Vec<&str> = allowed.split('"').skip(1).step_by(2).collect();
    assert!(allowed.contains(&"MIT"), "{allowed:?}");
    let is_allowed = |licence: &str| {
        let parsed = Expression::parse_mode(licence, ParseMode::LAX);
        parsed.is_ok_and(|e| e.evaluate(|one| allowed.contains(&one.to_string().as_str())))
    };
    assert!(!is_allowed("GPL-3.0-only") && is_allowed("GPL-3.0-only OR MIT"));
    let own = |p: &Value| p["license"].as_str().is_some_and(&is_allowed);
    let others: Vec<String> = packages().iter().filter(|p| !own(p)).map(called).collect();
    assert!(others.is_empty(), "their licences are not in deny.toml: {others:?}");
}
