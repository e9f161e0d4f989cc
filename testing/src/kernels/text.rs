//! A case as a kernel file. Data and run-time sizes are comments.

use super::Case;
use samhw_compiler::stmt::{Algebra, Expr, ExprId, Fun, Function, Gives, Operator, Prefix, TensorId, Term, VarId};
use samhw_compiler::types::Type;
use std::fmt;

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statement = self.statement();
        let names = |vars: &[VarId]| vars.iter().map(|&v| self.kernel.var(v).name.clone()).collect::<Vec<_>>();
        writeln!(f, "name = \"{}\"", self.kernel.name)?;
        let result = &self.kernel.tensor(statement.result).name;
        writeln!(f, "expr = \"{} = {}\"", call(result, &names(&statement.indices)), self.text(statement.value))?;
        writeln!(f, "order = {:?}", names(&self.order))?;
        if self.kernel.algebra == Algebra::Ieee {
            writeln!(f, "ieee = true")?;
        }
        writeln!(f, "\n[dims]")?;
        for (var, dim) in self.kernel.vars.iter().zip(&self.dims) {
            writeln!(f, "{} = {} # {dim} in this run", var.name, var.max)?;
        }
        for (n, t) in self.kernel.tensors.iter().enumerate() {
            let levels: Vec<&str> = t.levels.iter().map(|l| l.name()).collect();
            writeln!(f, "\n[tensors.{}]\ntype = \"{}\"\nlevels = {levels:?}", t.name, t.ty)?;
            writeln!(f, "mode_order = {:?}", t.mode_order)?;
            if let Some(fill) = t.fill {
                writeln!(f, "fill = {}", t.ty.show(fill))?;
            }
            if t.prune {
                writeln!(f, "prune = true")?;
            }
            if let Some(coo) = self.data.get(&samhw_compiler::stmt::TensorId(n)) {
                writeln!(f, "# shape {:?}, {} stored", coo.shape(), coo.len())?;
                for (coord, value) in coo.iter() {
                    writeln!(f, "# {coord:?} = {}", t.ty.show(value))?;
                }
            }
        }
        let mut called: Vec<&Function> = Vec::new();
        for e in &self.kernel.exprs {
            match e {
                Expr::Call(function, _) => called.push(self.kernel.function(*function)),
                Expr::Reduce(Operator::Call(function), ..)
                | Expr::Prefix(Prefix::Fold(Operator::Call(function), _), ..)
                    if !called.contains(&function.get()) =>
                {
                    called.push(function.get());
                }
                _ => {}
            }
        }
        for function in called {
            let args: Vec<String> = (0..function.arity).map(argument).collect();
            writeln!(f, "\n[functions.{}]\nargs = {args:?}", function.name)?;
            writeln!(f, "body = \"{}\"", body_text(function, &function.body))?;
            if let Some(identity) = function.identity {
                writeln!(
                    f,
                    "properties = [\"associative\", \"commutative\"]\nidentity = {}",
                    function.ty.show(identity)
                )?;
            }
            if function.iterate.is_some() {
                writeln!(f, "iterate = \"{}\"", args.join(" | "))?;
            }
            let cases = function.cases.iter().map(|case| {
                format!("\"{}\" = \"{}\"", algebra_text(&args, case.holds), body_text(function, &case.body))
            });
            if !function.cases.is_empty() {
                writeln!(f, "cases = {{ {} }}", cases.collect::<Vec<_>>().join(", "))?;
            }
        }
        Ok(())
    }
}

fn argument(k: usize) -> String {
    format!("a{k}")
}

/// The sets of arguments in `holds`, as an iteration algebra.
fn algebra_text(args: &[String], holds: u64) -> String {
    let sets = (0..1u64 << args.len()).filter(|p| holds >> p & 1 == 1).map(|p| {
        let one = |(k, a): (usize, &String)| if p >> k & 1 == 1 { a.clone() } else { format!("!{a}") };
        args.iter().enumerate().map(one).collect::<Vec<_>>().join(" & ")
    });
    sets.collect::<Vec<_>>().join(" | ")
}

/// A function's body: its steps, and the value.
fn body_text(function: &Function, body: &[Term]) -> String {
    let mut text = String::new();
    let names: Vec<String> = (0..function.arity).map(argument).collect();
    let values = steps(function.ty, body, &names, "t", &mut text);
    text + values.last().map_or("0", String::as_str)
}

/// Steps that name what loops leave, which `text` gets; expressions of all terms.
fn steps(ty: Type, terms: &[Term], args: &[String], prefix: &str, text: &mut String) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for (n, term) in terms.iter().enumerate() {
        values.push(match term {
            Term::Arg(k) => args[*k].clone(),
            Term::Literal(raw) => {
                let text = ty.show(*raw);
                if text.starts_with('-') { format!("({text})") } else { text }
            }
            Term::Apply(f, of) => call(f.name(), &of.iter().map(|&t| values[t].clone()).collect::<Vec<_>>()),
            Term::Left(of, k) => format!("{prefix}{of}_{k}"),
            Term::Loop(l) => {
                let mut inner: Vec<String> = l.inputs.iter().map(|&t| values[t].clone()).collect();
                for (k, start) in inner.iter_mut().enumerate().take(l.next.len()) {
                    let name = format!("{prefix}{n}_{k}");
                    text.push_str(&format!("let {name} = {start}; "));
                    *start = name;
                }
                let mut round = String::new();
                let all = steps(ty, &l.terms, &inner, &format!("{prefix}{n}t"), &mut round);
                for (k, &t) in l.next.iter().enumerate() {
                    round.push_str(&format!("let {prefix}{n}n{k} = {}; ", all[t]));
                }
                for k in 0..l.next.len() {
                    round.push_str(&format!("{prefix}{n}_{k} = {prefix}{n}n{k}; "));
                }
                text.push_str(&format!("while {} limit {} {{ {round}}} ", all[l.condition], l.limit));
                String::new()
            }
        });
    }
    values
}

impl Case {
    fn text(&self, e: ExprId) -> String {
        let all = |args: &[ExprId]| args.iter().map(|&a| self.text(a)).collect::<Vec<_>>();
        let access = |t: &TensorId, i: &[VarId]| {
            let names: Vec<String> = i.iter().map(|&v| self.kernel.var(v).name.clone()).collect();
            call(&self.kernel.tensor(*t).name, &names)
        };
        match self.kernel.expr(e) {
            Expr::Literal(raw) => self.kernel.type_of(0, e).show(*raw),
            Expr::Access(t, i) => access(t, i),
            Expr::Stored(t, i) => format!("pres({})", access(t, i)),
            Expr::Index(v) => self.kernel.var(*v).name.clone(),
            Expr::Map(Fun::Neg, args) => format!("(-{})", all(args).concat()),
            Expr::Map(Fun::Add, args) => format!("({})", all(args).join(" + ")),
            Expr::Map(Fun::Sub, args) => format!("({})", all(args).join(" - ")),
            Expr::Map(Fun::Mul, args) => format!("({})", all(args).join(" * ")),
            Expr::Map(f, args) => call(f.name(), &all(args)),
            Expr::Call(f, args) => call(&self.kernel.function(*f).name, &all(args)),
            Expr::Prefix(how, v, of) => {
                format!("scan({}, {}, {})", how.name(), self.kernel.var(*v).name, all(of).join(", "))
            }
            Expr::Reduce(op, v, body) => {
                let (op, var) = (op.name(), &self.kernel.var(*v).name);
                format!("{op}[{var}]({})", self.text(*body))
            }
            Expr::At(v, at) => format!("({} == {})", self.kernel.var(*v).name, self.text(*at)),
            Expr::Convert(body) => format!("{}({})", self.kernel.type_of(0, e), self.text(*body)),
            Expr::Read { tensor, at, gives, .. } => {
                let tensor = self.kernel.tensor(*tensor);
                let read = call(&tensor.name, &all(at));
                match gives {
                    Gives::Value => read,
                    Gives::ValueOr(raw) => format!("coalesce({read}, {})", tensor.ty.show(*raw)),
                    Gives::Inside => format!("inside({read})"),
                }
            }
        }
    }
}

fn call(name: &str, indices: &[String]) -> String {
    if indices.is_empty() { name.into() } else { format!("{name}({})", indices.join(",")) }
}
