//! A case as a kernel file. Data and run-time sizes are comments.

use super::Case;
use samhw_compiler::stmt::{Expr, ExprId, Fun, LevelKind, TensorId, Term, VarId};
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
        writeln!(f, "\n[dims]")?;
        for (var, dim) in self.kernel.vars.iter().zip(&self.dims) {
            writeln!(f, "{} = {} # {dim} in this run", var.name, var.max)?;
        }
        for (n, t) in self.kernel.tensors.iter().enumerate() {
            let levels: Vec<&str> = t.levels.iter().map(|&l| level(l)).collect();
            writeln!(f, "\n[tensors.{}]\ntype = \"{}\"\nlevels = {levels:?}", t.name, t.ty)?;
            writeln!(f, "mode_order = {:?}", t.mode_order)?;
            if let Some(fill) = t.fill {
                writeln!(f, "fill = {}", t.ty.show(fill))?;
            }
            if let Some(coo) = self.data.get(&samhw_compiler::stmt::TensorId(n)) {
                writeln!(f, "# shape {:?}, {} stored", coo.shape(), coo.len())?;
                for (coord, value) in coo.iter() {
                    writeln!(f, "# {coord:?} = {}", t.ty.show(value))?;
                }
            }
        }
        for function in &self.kernel.functions {
            writeln!(f, "\n# {} of {} arguments, iterate {:?}", function.name, function.arity, function.iterate)?;
            for (n, term) in function.body.iter().enumerate() {
                writeln!(f, "# t{n} = {}", term_text(term, function.ty))?;
            }
        }
        Ok(())
    }
}

fn term_text(term: &Term, ty: Type) -> String {
    match term {
        Term::Arg(k) => format!("argument {k}"),
        Term::Literal(raw) => ty.show(*raw),
        Term::Apply(f, of) => call(f.name(), &of.iter().map(|t| format!("t{t}")).collect::<Vec<_>>()),
    }
}

impl Case {
    fn text(&self, e: ExprId) -> String {
        let all = |args: &[ExprId]| args.iter().map(|&a| self.text(a)).collect::<Vec<_>>();
        let access = |t: &TensorId, i: &[VarId]| {
            let names: Vec<String> = i.iter().map(|&v| self.kernel.var(v).name.clone()).collect();
            call(&self.kernel.tensor(*t).name, &names)
        };
        match self.kernel.expr(e) {
            Expr::Literal(raw) => self.statement().ty.show(*raw),
            Expr::Access(t, i) => access(t, i),
            Expr::Stored(t, i) => format!("pres({})", access(t, i)),
            Expr::Index(v) => self.kernel.var(*v).name.clone(),
            Expr::Map(Fun::Neg, args) => format!("(-{})", all(args).concat()),
            Expr::Map(Fun::Add, args) => format!("({})", all(args).join(" + ")),
            Expr::Map(Fun::Sub, args) => format!("({})", all(args).join(" - ")),
            Expr::Map(Fun::Mul, args) => format!("({})", all(args).join(" * ")),
            Expr::Map(f, args) => call(f.name(), &all(args)),
            Expr::Call(f, args) => call(&self.kernel.function(*f).name, &all(args)),
            Expr::Reduce(op, v, body) => {
                let (op, var) = (samhw_compiler::reduction_name(*op), &self.kernel.var(*v).name);
                format!("{op}[{var}]({})", self.text(*body))
            }
        }
    }
}

fn call(name: &str, indices: &[String]) -> String {
    if indices.is_empty() { name.into() } else { format!("{name}({})", indices.join(",")) }
}

fn level(kind: LevelKind) -> &'static str {
    match kind {
        LevelKind::Dense => "dense",
        LevelKind::Compressed => "compressed",
        LevelKind::CompressedNu => "compressed_nu",
        LevelKind::Singleton => "singleton",
        LevelKind::SingletonNu => "singleton_nu",
    }
}
