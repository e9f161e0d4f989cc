//! Printing of kernels: one line per tensor, then the statements with explicit reductions.

use crate::stmt::{Algebra, Expr, ExprId, Fun, Gives, Kernel, Statement, Tensor, TensorId, VarId};
use std::fmt;

/// How tightly an expression's outermost operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Comparison,
    Sum,
    Product,
    Unary,
    Atom,
}

/// How a function stands between its arguments, if it does: its symbol and how tightly it binds.
fn operator(f: Fun) -> Option<(&'static str, Binding)> {
    Some(match f {
        Fun::Eq => ("==", Binding::Comparison),
        Fun::Ne => ("!=", Binding::Comparison),
        Fun::Lt => ("<", Binding::Comparison),
        Fun::Le => ("<=", Binding::Comparison),
        Fun::Gt => (">", Binding::Comparison),
        Fun::Ge => (">=", Binding::Comparison),
        Fun::Add => ("+", Binding::Sum),
        Fun::Sub => ("-", Binding::Sum),
        Fun::Mul => ("*", Binding::Product),
        Fun::Div => ("/", Binding::Product),
        Fun::Idiv => ("//", Binding::Product),
        Fun::PyMod => ("%", Binding::Product),
        _ => return None,
    })
}

/// Returns the name of the reduction with `f`.
pub fn reduction_name(f: Fun) -> &'static str {
    match f {
        Fun::Add => "sum",
        Fun::Mul => "prod",
        Fun::Or => "any",
        Fun::And => "all",
        _ => f.name(),
    }
}

impl Kernel {
    /// Returns the statement in the syntax of kernel files, with every reduction explicit.
    pub fn statement_text(&self, statement: &Statement) -> String {
        let mut text = self.access_text(statement.result, &statement.indices);
        text.push_str(" = ");
        text + &self.expression_text(statement, statement.value)
    }

    /// Returns expression `e` of the statement in the syntax of kernel files.
    pub fn expression_text(&self, statement: &Statement, e: ExprId) -> String {
        let mut text = String::new();
        self.write_expr(&mut text, e, statement, Binding::Comparison);
        text
    }

    fn names(&self, vars: &[VarId]) -> String {
        vars.iter().map(|&v| self.var(v).name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Appends `e`, in parentheses if it binds less tightly than `least`.
    fn write_expr(&self, text: &mut String, e: ExprId, of: &Statement, least: Binding) {
        let binding = match self.expr(e) {
            Expr::Map(Fun::Neg, _) => Binding::Unary,
            Expr::At(..) => Binding::Comparison,
            Expr::Map(f, _) => operator(*f).map_or(Binding::Atom, |(_, binding)| binding),
            _ => Binding::Atom,
        };
        if binding < least {
            text.push('(');
        }
        match self.expr(e) {
            Expr::Literal(raw) => text.push_str(&self.type_in(of, e).show(*raw)),
            Expr::Access(tensor, indices) => text.push_str(&self.access_text(*tensor, indices)),
            Expr::Stored(tensor, indices) => {
                text.push_str(&format!("pres({})", self.access_text(*tensor, indices)));
            }
            Expr::Index(v) => text.push_str(&self.var(*v).name),
            Expr::Map(fun, args) => self.write_map(text, *fun, args, of),
            Expr::Call(f, args) => self.write_call(text, &self.function(*f).name, args, of),
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
                self.write_expr(text, body, of, Binding::Comparison);
                text.push(')');
            }
            Expr::Prefix(how, v, all) => {
                text.push_str(&format!("scan({}, {}", how.name(), self.var(*v).name));
                for &e in all {
                    text.push_str(", ");
                    self.write_expr(text, e, of, Binding::Comparison);
                }
                text.push(')');
            }
            Expr::At(v, at) => {
                text.push_str(&format!("{} == ", self.var(*v).name));
                self.write_expr(text, *at, of, Binding::Sum);
            }
            Expr::Convert(body) => self.write_call(text, &self.type_in(of, e).to_string(), &[*body], of),
            Expr::Read { tensor, at, gives, .. } => {
                let (before, after) = match gives {
                    Gives::Value => ("", String::new()),
                    Gives::ValueOr(raw) => ("coalesce(", format!(", {})", self.tensor(*tensor).ty.show(*raw))),
                    Gives::Inside => ("inside(", ")".to_owned()),
                };
                text.push_str(before);
                self.write_call(text, &self.tensor(*tensor).name, at, of);
                text.push_str(&after);
            }
        }
        if binding < least {
            text.push(')');
        }
    }

    fn write_map(&self, text: &mut String, fun: Fun, args: &[ExprId], of: &Statement) {
        if fun == Fun::Neg {
            text.push('-');
            return args.iter().for_each(|&a| self.write_expr(text, a, of, Binding::Unary));
        }
        let Some((symbol, binding)) = operator(fun) else {
            return self.write_call(text, fun.name(), args, of);
        };
        // Sums and products of several group to the left; comparisons do not chain.
        let (first, rest) = match binding {
            Binding::Comparison => (Binding::Sum, Binding::Sum),
            Binding::Sum => (Binding::Sum, Binding::Product),
            _ => (Binding::Product, Binding::Unary),
        };
        for (n, &arg) in args.iter().enumerate() {
            if n > 0 {
                text.push_str(&format!(" {symbol} "));
            }
            self.write_expr(text, arg, of, if n == 0 { first } else { rest });
        }
    }

    fn write_call(&self, text: &mut String, name: &str, args: &[ExprId], of: &Statement) {
        text.push_str(&format!("{name}("));
        for (n, &arg) in args.iter().enumerate() {
            text.push_str(if n > 0 { ", " } else { "" });
            self.write_expr(text, arg, of, Binding::Comparison);
        }
        text.push(')');
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
        self.nnz.map_or(Ok(()), |nnz| write!(f, " nnz {nnz}"))?;
        self.runs.map_or(Ok(()), |runs| write!(f, " runs {runs}"))
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel {}", self.name)?;
        for tensor in self.tensors.iter().filter(|tensor| tensor.view.is_none()) {
            writeln!(f, "  {tensor}")?;
        }
        if self.algebra == Algebra::Ieee {
            writeln!(f, "  ieee")?;
        }
        if let Some(order) = &self.order {
            writeln!(f, "  order {}", order.join(", "))?;
        }
        for statement in &self.statements {
            writeln!(f, "  {}", self.statement_text(statement))?;
        }
        if let Some(repeat) = &self.repeat {
            let name = |t: TensorId| self.tensor(t).name.as_str();
            write!(f, "  repeat while {}, at most {}", name(repeat.condition), repeat.at_most)?;
            for (operand, result) in &repeat.carry {
                write!(f, ", {} = {}", name(*operand), name(*result))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
