//! Measurement of time on a machine with other users.

use std::time::Instant;

/// Wall seconds that a measurement lasts at least: the system updates its account of processor
/// time only every few milliseconds.
const LEAST: f64 = 0.5;

/// Returns the seconds of one call of `f`, averaged over enough calls: processor time of this thread if the system
/// reports it, otherwise wall time.
pub fn seconds<E>(mut f: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let (wall, processor) = (Instant::now(), processor_seconds());
    let mut calls = 0u32;
    while calls == 0 || wall.elapsed().as_secs_f64() < LEAST {
        f()?;
        calls += 1;
    }
    let total = match (processor, processor_seconds()) {
        (Some(begin), Some(end)) => end - begin,
        _ => wall.elapsed().as_secs_f64(),
    };
    Ok(total / f64::from(calls))
}

/// Returns the kind of time that [`seconds`] measures.
pub fn kind() -> &'static str {
    match processor_seconds() {
        Some(_) => "processor time in this process, of commands wall time (in brackets: of processors)",
        None => "wall time",
    }
}

/// Seconds this thread has been on a processor (Linux).
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}

/// Returns the processor seconds of finished child processes and their children (Linux).
pub fn children_seconds() -> Option<f64> {
    /// The kernel tells these times in ticks of 10 ms on every architecture.
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the name in parentheses, may hold blanks; after it comes field 3.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / TICKS)
}

/// Returns the median; of an even number the upper one.
pub fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN)
}
