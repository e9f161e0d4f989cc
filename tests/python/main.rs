//! The Python package as a user has it: built as a wheel, installed into an environment of its own,
//! where `python/tests` run. The environment stays for the next time; the wheel is built in the
//! folder in which everything else is built.
//!
//! Where Python's packages cannot be installed it is skipped, and says so.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What the tests use besides the package itself.
const PACKAGES: [&str; 5] = ["maturin>=1.7,<2", "numpy", "scipy", "pandas", "pytest"];

/// Runs a command; what it said if it failed.
fn done(command: &mut Command) -> Result<(), String> {
    let out = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match out.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)),
    }
}

/// An environment with what the tests use.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    let bin = folder.join("bin");
    let ready = folder.join("ready");
    if fs::read_to_string(&ready).is_ok_and(|with| with == PACKAGES.concat()) {
        return Ok(bin);
    }
    done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))?;
    done(Command::new(bin.join("python")).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    fs::write(ready, PACKAGES.concat()).map_err(|e| e.to_string())?;
    Ok(bin)
}

#[test]
#[cfg(unix)]
fn the_package_works_from_a_wheel() {
    let (scratch, root) = (Path::new(env!("CARGO_TARGET_TMPDIR")), Path::new(env!("CARGO_MANIFEST_DIR")));
    let bin = match environment(&scratch.join("python")) {
        Ok(bin) => bin,
        Err(why) => {
            eprintln!("skipped: the Python packages that the tests use cannot be installed: {why}");
            return;
        }
    };
    let wheels = scratch.join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let mut build = Command::new(bin.join("maturin"));
    build.args(["build", "--quiet", "--manifest-path"]).arg(root.join("python/Cargo.toml"));
    build.arg("--out").arg(&wheels).arg("--interpreter").arg(bin.join("python"));
    build.env("CARGO_TARGET_DIR", scratch.parent().unwrap());
    done(&mut build).unwrap_or_else(|why| panic!("maturin: {why}"));
    let wheel = fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    let mut install = Command::new(bin.join("python"));
    install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]).arg(wheel);
    done(&mut install).unwrap_or_else(|why| panic!("pip: {why}"));
    let mut tests = Command::new(bin.join("pytest"));
    // Not where the package's own folder is, which has no native part.
    tests.args(["-q", "-p", "no:cacheprovider"]).arg(root.join("python/tests")).current_dir(&wheels);
    done(&mut tests).unwrap_or_else(|why| panic!("{why}"));
}
