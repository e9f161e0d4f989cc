//! Names of streams and of their variables.

use super::label::Labels;
use crate::graph::{Op, Payload, StreamId};
use crate::stmt::VarId;

/// This number of variables that follow each other in the loop order are spelled out.
const SPELLED: usize = 8;

impl Labels<'_> {
    /// Returns the names of variables, separated by commas.
    pub fn vars(&self, vars: &[VarId]) -> String {
        let mut out = String::new();
        self.push_vars(&mut out, vars);
        out
    }

    /// Appends the names of variables to `out`.
    pub fn push_vars(&self, out: &mut String, vars: &[VarId]) {
        for (k, &v) in vars.iter().enumerate() {
            out.push_str(if k > 0 { "," } else { "" });
            out.push_str(&self.lowered.kernel.var(v).name);
        }
    }

    /// Appends the variables of a stream to `out`. Where loops nest deep, those that follow each other in the
    /// loop order are named by the first and the last: `i0..i37`.
    pub fn push_over(&self, out: &mut String, over: &[VarId]) {
        let run = match over {
            [] => 0,
            [first, ..] => self
                .lowered
                .orders
                .iter()
                .find_map(|order| {
                    let at = order.iter().position(|v| v == first)?;
                    Some(order[at..].iter().zip(over).take_while(|(a, b)| a == b).count())
                })
                .unwrap_or(0),
        };
        if run <= SPELLED {
            return self.push_vars(out, over);
        }
        self.push_vars(out, &over[..1]);
        out.push_str("..");
        self.push_vars(out, &over[run - 1..]);
    }

    /// The innermost variable of a stream.
    pub(super) fn innermost(&self, s: StreamId) -> String {
        let over = &self.graph().stream(s).over;
        self.vars(&over[over.len().saturating_sub(1)..])
    }

    /// Returns the payload of a stream: `crd`, `ref B`, `val`.
    pub fn payload(&self, s: StreamId) -> String {
        match self.graph().stream(s).payload {
            Payload::Crd(_) => "crd".into(),
            Payload::Interval(_) => "interval".into(),
            Payload::Key(_) => "key".into(),
            Payload::Root => "ref".into(),
            Payload::Ref(u, _) => format!("ref {}", self.used(u)),
            Payload::Range(u, _) => format!("range {}", self.used(u)),
            Payload::Pos(u, _) => format!("pos {}", self.used(u)),
            Payload::Val(_) => "val".into(),
            Payload::Copy(_) => "copy".into(),
        }
    }

    /// Returns payload and variables of a stream, such as `crd i,k`.
    pub fn stream(&self, s: StreamId) -> String {
        let mut out = self.payload(s);
        out.push(' ');
        self.push_over(&mut out, &self.graph().stream(s).over);
        out.truncate(out.trim_end().len());
        out
    }

    /// Returns the name of the tensor that a stream's references belong to, or the node's name if the tensor
    /// is ambiguous.
    pub fn source(&self, s: StreamId) -> String {
        let made = self.graph().node(self.graph().stream(s).from.0);
        match (&made.op, self.graph().stream(s).payload) {
            (Op::Broadcast(_), _) => made.name.clone(),
            (_, Payload::Ref(u, _) | Payload::Range(u, _) | Payload::Pos(u, _)) => self.used(u).to_owned(),
            _ => made.name.clone(),
        }
    }
}
