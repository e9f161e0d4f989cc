//! `samhw sweep`: a kernel with every combination of choices, a line of CSV each. What a file has
//! already is not run again.

use crate::input::KernelArgs;
use crate::progress::Progress;
use crate::{Failure, output};
use samhw_compiler::data::ValuePolicy;
use samhw_compiler::diag::{Diagnostic, Diagnostics, Place};
use samhw_driver::run::{Options, run};
use samhw_sim::tensor::{cannot_write, may_write};
use samhw_system::{replace, stack};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Run a kernel with every combination of choices
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  samhw sweep spmm.toml --over \"order=i,k,j;i,j,k\" --over schedule.lanes.j=1,4,8 -o sweep.csv")]
pub struct SweepArgs {
    #[command(flatten)]
    kernel: KernelArgs,
    /// Values of a key: schedule.lanes.j=1,4,8; values that are lists are separated by `;`:
    /// "order=i,j;j,i"; may be repeated
    #[arg(long, value_name = "KEY=VALUES", required = true)]
    over: Vec<String>,
    /// Write each line to this file when its run ends; combinations already in the file are not run
    /// again
    #[arg(short, long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
}

/// Columns after those of the keys.
const COLUMNS: [&str; 5] = ["cycles", "matches_reference", "seconds", "code", "error"];

/// Runs the command.
pub fn main(args: &SweepArgs) -> Result<(), Failure> {
    let (keys, points) = combinations(&args.over)?;
    let header: Vec<&str> = keys.iter().map(String::as_str).chain(COLUMNS).collect();
    let mut rows: Vec<Option<Vec<String>>> = vec![None; points.len()];
    if let Some(path) = &args.out {
        may_write(path)?;
        for row in known(path, &header)? {
            if let Some(n) = points.iter().position(|point| *point == row[..keys.len()]) {
                rows[n] = Some(row);
            }
        }
    }
    let left: Vec<usize> = (0..points.len()).filter(|&n| rows[n].is_none()).collect();
    let table = Mutex::new(rows);
    let progress = Progress::start(|n, _| format!("sweeping: {n} runs done"));
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let work = || {
        while let Some(&n) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
            let row = [points[n].clone(), measured(args, &keys, &points[n])].concat();
            let mut rows = table.lock().unwrap_or_else(PoisonError::into_inner);
            rows[n] = Some(row);
            progress.watched.cycles.fetch_add(1, Ordering::Relaxed);
            let written = args.out.as_deref().map_or(Ok(()), |path| write(path, &text(&header, &rows)));
            if let Err(failure) = written {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
                break;
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(left.len());
    stack::all(workers.saturating_sub(1), work);
    drop(progress);
    if let Some(failure) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    output::print(&text(&header, &table.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Keys, and every combination of their values, the last key's fastest.
fn combinations(over: &[String]) -> Result<(Vec<String>, Vec<Vec<String>>), Diagnostic> {
    let (mut keys, mut points) = (Vec::new(), vec![Vec::new()]);
    for choice in over {
        let Some((key, values)) = choice.split_once('=').filter(|(key, values)| !key.is_empty() && !values.is_empty())
        else {
            return Err(Diagnostic::new("K033", "--over needs KEY=VALUES")
                .at(Place::Option(format!("--over {choice}")))
                .help("for example --over schedule.lanes.j=1,4,8 or --over \"order=i,j;j,i\""));
        };
        keys.push(key.to_owned());
        let between = if values.contains(';') || key == "order" { ';' } else { ',' };
        let longer = |head: &Vec<String>| {
            let head = head.clone();
            values.split(between).map(move |value| [&head[..], &[value.trim().to_owned()]].concat())
        };
        points = points.iter().flat_map(longer).collect();
    }
    Ok((keys, points))
}

/// What a run gives, by [`COLUMNS`]. A kernel that is refused is a row, too.
fn measured(args: &SweepArgs, keys: &[String], point: &[String]) -> Vec<String> {
    let choices: Vec<String> = keys.iter().zip(point).map(|(key, value)| format!("{key}={value}")).collect();
    let ran: Result<_, Diagnostics> = args
        .kernel
        .with(&choices)
        .resolved(ValuePolicy::default())
        .and_then(|(file, sources)| run(file, &sources, &Options::default(), Arc::default(), |_| {}));
    match ran {
        Ok(ran) => {
            let error = ran.wrong.join("; ");
            let (cycles, matches) = (ran.counts.cycles.to_string(), ran.wrong.is_empty().to_string());
            vec![cycles, matches, format!("{:.6}", ran.phases.all()), String::new(), error]
        }
        Err(problems) => {
            let first = problems.first();
            let code = first.map_or("", |d| d.code).to_owned();
            vec![String::new(), String::new(), String::new(), code, first.map_or("", |d| &d.message).to_owned()]
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    replace(path, |out| out.write_all(text.as_bytes())).map_err(|e| cannot_write(path, &e).into())
}

/// A file of CSV with the rows that are there.
fn text(header: &[&str], rows: &[Option<Vec<String>>]) -> String {
    let quoted = |field: &str| match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    };
    let mut out = header.join(",") + "\n";
    for row in rows.iter().flatten() {
        out += &row.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",");
        out.push('\n');
    }
    out
}

/// The rows of an earlier sweep over the same keys.
fn known(path: &Path, header: &[&str]) -> Result<Vec<Vec<String>>, Diagnostic> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(Vec::new()) };
    let mut rows = parsed(&text).into_iter();
    match rows.next() {
        None => Ok(Vec::new()),
        Some(first) if first == header => Ok(rows.filter(|row| row.len() == header.len()).collect()),
        Some(_) => Err(Diagnostic::new("K036", "the file belongs to a sweep over other keys, or to no sweep")
            .at(Place::File(path.into(), None))
            .help("name another file, or delete this one")),
    }
}

fn parsed(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut inside, mut before) = (false, '\n');
    for c in text.chars() {
        match c {
            // Two quotes are one that is meant.
            '"' if !inside && before == '"' => {
                field.push('"');
                inside = true;
            }
            '"' => inside = !inside,
            ',' if !inside => row.push(std::mem::take(&mut field)),
            '\n' if !inside => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
        before = c;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_one() {
        let (keys, points) = combinations(&["order=i,j;j,i".into(), "schedule.lanes.j=1,4".into()]).unwrap();
        assert_eq!(keys, ["order", "schedule.lanes.j"]);
        assert_eq!(points, [["i,j", "1"], ["i,j", "4"], ["j,i", "1"], ["j,i", "4"]]);
        assert_eq!(combinations(&["order".into()]).unwrap_err().code, "K033");
    }

    #[test]
    fn what_is_written_is_read() {
        let rows = vec![Some(vec!["a,\"b\"\n".to_owned(), "2".to_owned()]), None];
        let text = text(&["x", "y"], &rows);
        assert_eq!(text, "x,y\n\"a,\"\"b\"\"\n\",2\n");
        assert_eq!(parsed(&text), [vec!["x".to_owned(), "y".to_owned()], rows[0].clone().unwrap()]);
    }
}
