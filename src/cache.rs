//! `samhw cache`: what is in the folder of compiled designs.

use crate::{Failure, output};
use samhw_compiler::diag::Diagnostic;
use samhw_rtlsim::{Cache, Cached, cached, clear, clear_locks, default_cache};
use std::time::{Duration, SystemTime};

/// List, check or clear the folder of compiled designs.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw cache
  samhw cache clear --older 30")]
pub struct CacheArgs {
    #[command(subcommand)]
    command: Option<CacheCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum CacheCommand {
    /// List the compiled designs
    List,
    /// Compare every file with its checksum
    Check,
    /// Remove the compiled designs
    Clear {
        /// Remove only designs older than this
        #[arg(long, value_name = "DAYS")]
        older: Option<u32>,
    },
}

/// Runs the command.
pub fn main(args: &CacheArgs) -> Result<(), Failure> {
    let cache = folder()?;
    match &args.command {
        None | Some(CacheCommand::List) => output::print(&list(&cache, &cached(&cache, false).map_err(failed)?)),
        Some(CacheCommand::Check) => {
            let all = cached(&cache, true).map_err(failed)?;
            let damaged: Vec<&Cached> = all.iter().filter(|c| c.damage.is_some()).collect();
            output::print(&format!("{}: {} entries, {} damaged", cache.display(), all.len(), damaged.len()))?;
            if damaged.is_empty() {
                return Ok(());
            }
            let each = damaged.iter().map(|c| format!("{}: {}\n", c.name, c.damage.as_deref().unwrap_or_default()));
            Err(Failure::Wrong(each.collect::<String>() + "they are made again when they are used"))
        }
        Some(CacheCommand::Clear { older }) => {
            let mut all = cached(&cache, false).map_err(failed)?;
            if let Some(days) = older {
                all.retain(|c| age(c).is_some_and(|age| age > Duration::from_secs(24 * 3600) * *days));
            }
            clear(&cache, &all).map_err(failed)?;
            if older.is_none() {
                clear_locks(&cache);
            }
            output::print(&format!("{}: removed {}", cache.display(), amount(&all)))
        }
    }
}

/// The folder of compiled designs.
pub fn folder() -> Result<Cache, Failure> {
    default_cache().map_err(failed)
}

fn failed(e: samhw_rtlsim::Error) -> Failure {
    Diagnostic::new("R003", e.to_string()).help("set SAMHW_CACHE to a folder that can be written").into()
}

fn age(c: &Cached) -> Option<Duration> {
    SystemTime::now().duration_since(c.made?).ok()
}

fn amount(all: &[Cached]) -> String {
    let bytes: u64 = all.iter().map(|c| c.bytes).sum();
    format!("{} entries, {:.1} MB", all.len(), bytes as f64 / 1e6)
}

fn list(cache: &Cache, all: &[Cached]) -> String {
    let mut out = format!("{}: {}\n", cache.display(), amount(all));
    for c in all {
        let age = age(c).map_or(String::new(), |age| {
            let minutes = age.as_secs() / 60;
            match (minutes / 60 / 24, minutes / 60) {
                (0, 0) => format!("{minutes} min"),
                (0, hours) => format!("{hours} h"),
                (days, _) => format!("{days} d"),
            }
        });
        let what = c.damage.as_ref().map_or_else(|| c.what.clone(), |damage| format!("damaged: {damage}"));
        out += &format!("{:>12} {age:>7}  {:<40} {what}\n", c.bytes, c.name);
    }
    out
}
