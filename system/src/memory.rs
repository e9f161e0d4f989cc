//! The memory available to this process, so that requests that do not fit are refused early.

#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::path::{Path, PathBuf};

/// Returns the available bytes: the minimum of the limits of this process, its control groups and the machine. `None`
/// where the system says nothing of it.
#[cfg(target_os = "linux")]
pub fn available() -> Option<u64> {
    let groups = groups(&fs::read_to_string("/proc/self/cgroup").unwrap_or_default());
    let groups = groups.iter().filter_map(|dir| left_in(dir));
    limits().into_iter().chain(machine(["MemAvailable:", "SwapFree:"])).chain(groups).min()
}

/// Returns the available bytes, on systems that do not report them.
#[cfg(not(target_os = "linux"))]
pub fn available() -> Option<u64> {
    None
}

/// Returns the bytes that this process may still allocate, used or not. `None` where there is no limit.
#[cfg(target_os = "linux")]
pub fn allocatable() -> Option<u64> {
    limits().into_iter().min()
}

/// Returns the bytes that the machine has in all, more than which no allocation gets.
#[cfg(target_os = "linux")]
pub fn whole() -> Option<u64> {
    machine(["MemTotal:", "SwapTotal:"])
}

/// Returns the bytes that this process may still allocate, on systems that do not report them.
#[cfg(not(target_os = "linux"))]
pub fn allocatable() -> Option<u64> {
    None
}

/// Returns the bytes that the machine has in all, on systems that do not report them.
#[cfg(not(target_os = "linux"))]
pub fn whole() -> Option<u64> {
    None
}

/// What `ulimit -v` and `ulimit -d` leave.
#[cfg(target_os = "linux")]
fn limits() -> Vec<u64> {
    use rustix::process::{Resource, getrlimit};
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let left = |(resource, taken)| {
        let limit = getrlimit(resource).current?;
        Some(limit.saturating_sub(kibibytes(&status, taken)?))
    };
    [(Resource::As, "VmSize:"), (Resource::Data, "VmData:")].into_iter().filter_map(left).collect()
}

/// What the machine says of its memory and its swap space under these names, together.
#[cfg(target_os = "linux")]
fn machine([memory, swap]: [&str; 2]) -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    Some(kibibytes(&text, memory)? + kibibytes(&text, swap).unwrap_or(0))
}

/// A line such as `VmSize:  123 kB`, in bytes.
#[cfg(target_os = "linux")]
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|l| l.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Folders of the control groups that this process is in, by `/proc/self/cgroup`: every one up to the root.
#[cfg(target_os = "linux")]
fn groups(text: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            c if c.split(',').any(|c| c == "memory") => "/sys/fs/cgroup/memory",
            _ => continue,
        };
        let inner = Path::new(path.trim_start_matches('/'));
        out.extend(inner.ancestors().map(|inner| Path::new(root).join(inner)));
    }
    out
}

/// What the limit of a control group leaves; pages of files that it can drop count as free.
#[cfg(target_os = "linux")]
fn left_in(group: &Path) -> Option<u64> {
    let number = |name: &str| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let taken = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let dropped = stat.lines().find_map(|l| l.strip_prefix("inactive_file ")?.parse::<u64>().ok()).unwrap_or(0);
    Some(limit.saturating_sub(taken.saturating_sub(dropped)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn groups_of_both_versions_are_known() {
        let paths = |text: &str| groups(text).iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
        assert_eq!(paths("0::/a/b\n"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup/"]);
        assert_eq!(paths("5:cpu,memory:/\n3:pids:/x\n"), ["/sys/fs/cgroup/memory/"]);
        assert_eq!(paths("nonsense"), [""; 0]);
    }

    #[test]
    fn a_group_leaves_what_it_has_not_taken() {
        let dir = std::env::temp_dir().join(format!("samhw-memory-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let write = |name: &str, text: &str| fs::write(dir.join(name), text).unwrap();
        write("memory.max", "max\n");
        write("memory.current", "600\n");
        assert_eq!(left_in(&dir), None);
        write("memory.max", "1000\n");
        assert_eq!(left_in(&dir), Some(400));
        write("memory.stat", "anon 5\ninactive_file 250\n");
        assert_eq!(left_in(&dir), Some(650));
        fs::remove_dir_all(dir).unwrap();
    }

    #[test]
    fn something_is_left_here() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
        assert!(whole() >= available() && allocatable().is_none_or(|bytes| Some(bytes) >= available()));
        assert_eq!(kibibytes("VmPeak: 9 kB\nVmSize:\t  12 kB\n", "VmSize:"), Some(12 << 10));
    }
}
