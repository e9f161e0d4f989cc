//! The Python package: its own tests, on what was built along with this one. The tools' environment
//! has Python, NumPy and pytest; where other packages are missing, tests that use them skip.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The environment's Python; none, with a printed line, where there is no pytest and need not be.
fn python() -> Option<PathBuf> {
    let found = samhw_rtlsim::executable("pytest");
    if found.is_none() {
        assert!(env::var_os("SAMHW_REQUIRE_TOOLS").is_none(), "pytest is missing");
        eprintln!("skipped: pytest is missing");
    }
    found.map(|pytest| pytest.with_file_name("python"))
}

/// Runs a command, which must go well; what it said.
fn done(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{command:?}: {said}");
    said
}

/// A folder that goes when this goes.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Locked by who reads the native part that was built, and by who builds it: a wheel's is the same file.
fn turn() -> File {
    File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-part.lock")).unwrap()
}

fn source() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the tests of a file with this Python, where `paths` are looked at for packages.
fn tested(python: &Path, file: &str, paths: &Path) {
    let mut tests = Command::new(python);
    // Not where the package's sources are, which have no native part.
    tests.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]).current_dir(paths);
    tests.arg(source().join("tests").join(file)).env("PYTHONPATH", paths);
    eprintln!("{}", done(&mut tests));
}

/// The same with the package as it was built along with this test.
fn tested_as_built(file: &str) {
    let Some(python) = python() else { return };
    let folder = Folder::new(file);
    let package = folder.0.join("samhw");
    fs::create_dir(&package).unwrap();
    for entry in fs::read_dir(source().join("samhw")).unwrap().map(|e| e.unwrap()).filter(|e| e.path().is_file()) {
        fs::copy(entry.path(), package.join(entry.file_name())).unwrap();
    }
    let library = format!("{}_samhw{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let built = env::current_exe().unwrap().with_file_name(library);
    let turn = turn();
    turn.lock_shared().unwrap();
    fs::copy(&built, package.join("_samhw.abi3.so")).unwrap_or_else(|e| panic!("{}: {e}", built.display()));
    drop(turn);
    tested(&python, file, &folder.0);
}

#[test]
#[cfg(unix)]
fn kernels_run_on_arrays() {
    tested_as_built("test_kernel.py");
}

#[test]
#[cfg(unix)]
fn sweeps_go_on_where_they_ended() {
    tested_as_built("test_sweep.py");
}

#[test]
#[cfg(unix)]
fn blocks_of_pages_run() {
    tested_as_built("test_pages.py");
}

#[test]
#[cfg(unix)]
fn notebooks_run() {
    tested_as_built("test_notebooks.py");
}

#[test]
#[cfg(unix)]
fn wheels_work_in_a_bare_environment() {
    let Some(python) = python() else { return };
    let Some(maturin) = samhw_rtlsim::executable("maturin") else {
        return eprintln!("skipped: maturin is missing; `samhw tools install python` has it");
    };
    let folder = Folder::new("wheel");
    let wheels = folder.0.join("wheels");
    let mut build = Command::new(maturin);
    // In the folder and with the profile of everything else.
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    build.args(["build", "--quiet", "--profile", profile, "--manifest-path"]).arg(source().join("Cargo.toml"));
    build.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", target);
    let turn = turn();
    turn.lock().unwrap();
    done(&mut build);
    drop(turn);
    let wheel = fs::read_dir(&wheels).unwrap().next().unwrap().unwrap().path();
    let bare = folder.0.join("bare");
    done(Command::new(python).args(["-m", "venv"]).arg(&bare));
    let bare = bare.join("bin").join("python");
    let pip = |what: &str| {
        done(Command::new(&bare).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", what]));
    };
    pip(wheel.to_str().unwrap());
    // Without the packages that are optional, and with all that its tests use.
    let program = "import numpy, samhw; print(samhw.einsum('ij,j->i', numpy.eye(3), numpy.arange(3.0)))";
    let said = done(Command::new(&bare).args(["-c", program]).current_dir(&folder.0));
    assert_eq!(said.trim(), "[0. 1. 2.]");
    pip("pytest");
    tested(&bare, "test_kernel.py", &wheels);
}
