//! Messages about a run that takes long.

use samhw_sim::expected::Expected;

/// Cycles of one node that the native engine simulates in a second, about.
const PACE: f64 = 3e7;
/// Seconds from which on a run takes long.
const LONG: f64 = 60.0;

/// Predicts the time of a run, if it takes long.
pub fn forecast(expected: &Expected) -> Option<String> {
    let seconds = expected.cycles * expected.nodes as f64 / PACE;
    if seconds < LONG {
        return None;
    }
    let mut text =
        format!("note: this run takes about {} cycles, {} of simulation", count(expected.cycles), duration(seconds));
    for (node, cycles) in expected.slowest.iter().take(3).filter(|(_, cycles)| *cycles > expected.cycles / 20.0) {
        text += &format!("\n  node {node} takes {} of them", count(*cycles));
    }
    text += "\n  help: `samhw graph` shows where the nodes are; Ctrl-C ends the run, smaller `[dims]` or sparser data shorten it";
    Some(text)
}

/// Describes the progress of a simulation after this number of seconds.
pub fn progress(cycles: u64, seconds: f64, expected: &Expected) -> String {
    let done = cycles as f64;
    let mut text = format!("simulating: {} cycles, {:.2} million a second", count(done), done / seconds / 1e6);
    if done > 0.0 && expected.cycles > done {
        let left = (expected.cycles - done) / done * seconds;
        text += &format!(
            ", {:.1} % of about {}; {} to go",
            100.0 * done / expected.cycles,
            count(expected.cycles),
            duration(left)
        );
    }
    text
}

/// A number of cycles, in short.
fn count(n: f64) -> String {
    if n < 1e7 { format!("{n:.0}") } else { format!("{n:.1e}") }
}

/// A time in the unit that suits it.
fn duration(seconds: f64) -> String {
    let units = [("seconds", 60.0), ("minutes", 60.0), ("hours", 24.0), ("days", 365.0), ("years", f64::INFINITY)];
    let mut n = seconds;
    for (unit, next) in units {
        if n < 2.0 * next {
            return format!("some {n:.0} {unit}");
        }
        n /= next;
    }
    "for ever".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_runs_are_told_of() {
        let of = |cycles, nodes| Expected { cycles, nodes, slowest: vec![("scan_A_i".into(), cycles)] };
        assert_eq!(forecast(&of(1e6, 20)), None);
        let told = forecast(&of(2e12, 20)).unwrap_or_default();
        assert!(told.contains("2.0e12 cycles, some 15 days") && told.contains("node scan_A_i takes 2.0e12"), "{told}");
        assert!(progress(1_000_000, 2.0, &of(1e8, 20)).ends_with("1.0 % of about 1.0e8; some 3 minutes to go"));
        assert_eq!(progress(2_000_000, 2.0, &of(1e6, 20)), "simulating: 2000000 cycles, 1.00 million a second");
    }
}
