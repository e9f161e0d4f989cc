//! SHA-256 in the format of `sha256sum`.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes read at a time.
const CHUNK: usize = 1 << 18;

/// Returns the hash of `bytes`.
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns the size in bytes and the hash of a file.
pub fn of_file(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let (mut hasher, mut size, mut chunk) = (Sha256::new(), 0, vec![0; CHUNK]);
    loop {
        let n = file.read(&mut chunk)?;
        if n == 0 {
            return Ok((size, hex(&hasher.finalize())));
        }
        hasher.update(&chunk[..n]);
        size += n as u64;
    }
}

/// A hash of a list of texts, each with its length, so that boundaries between texts matter.
#[derive(Debug, Clone, Default)]
pub struct Key(Sha256);

impl Key {
    /// Adds a text.
    #[must_use]
    pub fn with(mut self, part: &str) -> Self {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// Returns the first 128 bits as a file name.
    pub fn name(&self) -> String {
        let mut name = hex(&self.0.clone().finalize());
        name.truncate(32);
        name
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of_bytes(b""), empty);
        let path = std::env::temp_dir().join(format!("samhw-hash-{}", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(of_file(&path).unwrap(), (3, abc.to_string()));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn where_a_part_ends_counts() {
        let key = |parts: [&str; 2]| parts.iter().fold(Key::default(), |k, p| k.with(p)).name();
        assert_ne!(key(["ab", "c"]), key(["a", "bc"]));
        assert_eq!(key(["ab", "c"]).len(), 32);
    }
}
