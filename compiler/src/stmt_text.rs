//! A kernel as text: one line per tensor, then the statements with every reduction explicit.

use crate::stmt::{Expr, ExprId, Fun, Kernel, LevelKind, ReduceOp, Statement, Tensor, VarId};
use crate::types::Type;
use std::fmt;

/// How tightly an expression's outermost operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Unary,
    Atom,
}

impl LevelKind {
    /// Every level kind that exists, in the order in which help lists them.
    pub const ALL: [Self; 5] = [Self::Dense, Self::Compressed, Self::CompressedNu, Self::Singleton, Self::SingletonNu];

    /// Its name in a kernel file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Compressed => "compressed",
            Self::CompressedNu => "compressed_nu",
            Self::Singleton => "singleton",
            Self::SingletonNu => "singleton_nu",
        }
    }
}

impl ReduceOp {
    /// Its name in an expression.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "sum",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl Kernel {
    /// The statement as a kernel file would write it, with every reduction explicit.
    pub fn statement_text(&self, statement: &Statement) -> String {
        let mut text = self.access_text(statement.result, &statement.indices);
        text.push_str(" = ");
        self.write_expr(&mut text, statement.value, statement.ty, Binding::Sum);
        text
    }

    fn names(&self, vars: &[VarId]) -> String {
        vars.iter().map(|&v| self.var(v).name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Appends `e`, in parentheses if it binds less tightly than `least`.
    fn write_expr(&self, text: &mut String, e: ExprId, ty: Type, least: Binding) {
        let binding = match self.expr(e) {
            Expr::Map(Fun::Add | Fun::Sub, _) => Binding::Sum,
            Expr::Map(Fun::Mul, _) => Binding::Product,
            Expr::Map(Fun::Neg, _) => Binding::Unary,
            Expr::Literal(_) | Expr::Access(..) | Expr::Reduce(..) => Binding::Atom,
        };
        if binding < least {
            text.push('(');
        }
        match self.expr(e) {
            Expr::Literal(raw) => text.push_str(&ty.show(*raw)),
            Expr::Access(tensor, indices) => text.push_str(&self.access_text(*tensor, indices)),
            Expr::Map(fun, args) => self.write_map(text, *fun, args, ty),
            Expr::Reduce(op, var, body) => {
                let (mut vars, mut body) = (vec![*var], *body);
                while let Expr::Reduce(inner, var, next) = self.expr(body)
                    && inner == op
                    && vars.iter().all(|v| self.var(*v).name != self.var(*var).name)
                {
                    vars.push(*var);
                    body = *next;
                }
                text.push_str(&format!("{}[{}](", op.name(), self.names(&vars)));
                self.write_expr(text, body, ty, Binding::Sum);
                text.push(')');
            }
        }
        if binding < least {
            text.push(')');
        }
    }

    fn write_map(&self, text: &mut String, fun: Fun, args: &[ExprId], ty: Type) {
        let (symbol, first, rest) = match fun {
            Fun::Add => (" + ", Binding::Sum, Binding::Product),
            Fun::Sub => (" - ", Binding::Sum, Binding::Product),
            Fun::Mul => (" * ", Binding::Product, Binding::Unary),
            Fun::Neg => {
                text.push('-');
                ("", Binding::Unary, Binding::Unary)
            }
        };
        for (n, &arg) in args.iter().enumerate() {
            if n > 0 {
                text.push_str(symbol);
            }
            self.write_expr(text, arg, ty, if n == 0 { first } else { rest });
        }
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.ty)?;
        for (level, mode) in self.levels.iter().zip(&self.mode_order) {
            let size = self.shape.get(*mode).copied().unwrap_or_default();
            write!(f, " {}({mode}: {size})", level.name())?;
        }
        if let Some(fill) = self.fill {
            write!(f, " fill {}", self.ty.show(fill))?;
        }
        self.nnz.map_or(Ok(()), |nnz| write!(f, " nnz {nnz}"))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel {}", self.name)?;
        for tensor in self.tensors.iter().filter(|tensor| tensor.view.is_none()) {
            writeln!(f, "  {tensor}")?;
        }
        if let Some(order) = &self.order {
            writeln!(f, "  order {}", order.join(", "))?;
        }
        for statement in &self.statements {
            writeln!(f, "  {}", self.statement_text(statement))?;
        }
        Ok(())
    }
}
