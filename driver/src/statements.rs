//! The times at which the statements of a program ran, from their start tokens to the end of their writers.

use crate::run::Ran;
use samhw_compiler::netlist::{CellId, Channel, StatementTokens};
use serde_json::{Value, json};

/// The time that a statement took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementTime {
    /// Name of the statement's result.
    pub result: String,
    /// Loop order of the statement, outermost first.
    pub order: Vec<String>,
    /// Number of the group of statements that start together.
    pub group: usize,
    /// Cycles from the start to the end of the last writer, in all rounds.
    pub cycles: u64,
    /// First and last cycle, unless the statement runs in rounds.
    pub span: Option<(u64, u64)>,
}

impl Ran {
    /// Returns the time of each statement; empty without counters.
    pub fn statements(&self) -> Vec<StatementTime> {
        let (net, kernel) = (&self.net, &self.problem.lowered.kernel);
        let of = |is: &dyn Fn(&Channel) -> bool| {
            let k = net.channels.iter().position(is)?;
            let count = self.counts.channels.get(k)?;
            // Nobody counts the token that ends the run.
            Some(if net.done == Some(k) { (1, self.counts.cycles) } else { (count.beats, count.when) })
        };
        let at = |end: Option<(CellId, usize)>, cell: CellId| end.is_some_and(|(c, _)| c == cell);
        let time = |tokens: &StatementTokens| {
            let (times, begin) = of(&|c| at(c.to, tokens.begin))?;
            let (_, end) = of(&|c| at(c.from, tokens.end))?;
            Some(StatementTime {
                result: kernel.tensor(kernel.statements[tokens.stage].result).name.clone(),
                order: self.problem.lowered.orders[tokens.stage].iter().map(|v| kernel.var(*v).name.clone()).collect(),
                group: tokens.group,
                cycles: end.wrapping_sub(begin),
                span: (times == 1).then_some((begin, end)),
            })
        };
        net.statements.iter().filter_map(time).collect()
    }

    /// The groups of statements that begin together: their results, and the cycles of the longest.
    fn groups(times: &[StatementTime]) -> Vec<(Vec<&str>, u64)> {
        let mut groups: Vec<(Vec<&str>, u64)> = Vec::new();
        for group in times.chunk_by(|a, b| a.group == b.group) {
            let names = group.iter().map(|s| s.result.as_str()).collect();
            groups.push((names, group.iter().map(|s| s.cycles).max().unwrap_or(0)));
        }
        groups
    }

    /// `statements` and `groups` of the report.
    pub(crate) fn statements_json(&self) -> (Value, Value) {
        let times = self.statements();
        let one = |s: &StatementTime| {
            let mut json = json!({"result": s.result, "order": s.order, "group": s.group, "cycles": s.cycles});
            if let (Some((begin, end)), Some(json)) = (s.span, json.as_object_mut()) {
                json.insert("begin".into(), json!(begin));
                json.insert("end".into(), json!(end));
            }
            json
        };
        let group = |(names, cycles): (Vec<&str>, u64)| json!({"results": names, "cycles": cycles});
        (times.iter().map(one).collect(), Self::groups(&times).into_iter().map(group).collect())
    }

    /// Lines of the report, if there are several statements.
    pub(crate) fn statements_text(&self) -> String {
        let times = self.statements();
        if times.len() < 2 {
            return String::new();
        }
        let groups = Self::groups(&times);
        let mut out = String::new();
        for s in &times {
            let span = s.span.map(|(begin, end)| format!(", {begin} to {end}")).unwrap_or_default();
            let order = if s.order.is_empty() { String::new() } else { format!(", order {}", s.order.join(", ")) };
            out += &format!("         {}: {} cycles{span}{order}\n", s.result, s.cycles);
        }
        for (names, cycles) in groups.iter().filter(|(names, _)| groups.len() > 1 && names.len() > 1) {
            out += &format!("         {} begin together: {cycles} cycles\n", names.join(", "));
        }
        out
    }
}
