//! `coalesce(a, b, ..)`: the first of its arguments that is inside of the tensors that it reads.

use super::expression::{Broken, Parser};
use super::functions;
use super::syntax::{Form, SyntaxId, computed};
use crate::stmt::Fun;

/// Whether an expression reads outside of a tensor.
enum Reads {
    /// Nothing that it reads can be outside.
    Inside,
    /// It is inside where this holds.
    Where(SyntaxId),
    /// It has a reduction over what can be outside.
    Reduced,
}

impl Parser<'_> {
    /// `coalesce(args)`, from the token `start` on.
    pub(super) fn coalesce(&mut self, args: &[SyntaxId], start: usize) -> Result<SyntaxId, Broken> {
        let reported = |node: &SyntaxId| matches!(self.syntax.nodes[*node].form, Form::Reported);
        let (first, rest) = match args {
            [first, rest @ ..] if !rest.is_empty() && !reported(first) => (first, self.coalesce(rest, start)?),
            [only] => return Ok(*only),
            _ => return self.node(Form::Reported, start, args),
        };
        let number = self.is_number(rest);
        if number && self.is_computed(*first) {
            return self.node(Form::Coalesce(*first, rest), start, &[*first, rest]);
        }
        match self.reads(*first, start)? {
            Reads::Where(inside) => {
                let all = vec![inside, *first, rest];
                self.node(Form::Map(Fun::Where, all.clone()), start, &all)
            }
            // Where nothing is outside a number does nothing.
            Reads::Inside if number => self.node(Form::Coalesce(*first, rest), start, &[*first, rest]),
            Reads::Inside => {
                let help = "where a tensor stores nothing it has its fill; \
                            `where(pres(a(i)), a(i), b(i))` has another value there";
                self.no_coalesce(*first, "no read here can be outside of its tensor: `coalesce` changes nothing", help)
            }
            Reads::Reduced => {
                let help = "write `coalesce` inside of the reduction, around the read";
                self.no_coalesce(*first, "some reads in this reduction can be outside of their tensor", help)
            }
        }
    }

    /// `inside(read)`, from the token `start` on.
    pub(super) fn asks_inside(&mut self, read: SyntaxId, start: usize) -> Result<SyntaxId, Broken> {
        if self.is_computed(read) {
            return self.node(Form::Inside(read), start, &[read]);
        }
        let help = "write a tensor with a computed coordinate, as in `inside(x(i + 1))`";
        self.no_coalesce(read, "`inside` asks for a read at computed coordinates", help)
    }

    fn no_coalesce(&mut self, node: SyntaxId, message: &str, help: &str) -> Result<SyntaxId, Broken> {
        let span = self.syntax.nodes[node].span.clone();
        let problem = self.reader.at("E022", span.clone(), message);
        self.reader.report(problem.help(help));
        self.push(Form::Reported, span, &[node])
    }

    fn is_number(&self, node: SyntaxId) -> bool {
        match &self.syntax.nodes[node].form {
            Form::Number(_) => true,
            Form::Map(Fun::Neg, args) => matches!(self.syntax.nodes[args[0]].form, Form::Number(_)),
            _ => false,
        }
    }

    /// Is it an access at computed coordinates?
    fn is_computed(&self, node: SyntaxId) -> bool {
        matches!(&self.syntax.nodes[node].form, Form::Access { indices, .. } if computed(indices).next().is_some())
    }

    fn has_computed(&self, node: SyntaxId) -> bool {
        let children = self.syntax.nodes[node].form.children();
        self.is_computed(node) || children.into_iter().any(|child| self.has_computed(child))
    }

    /// Where all that `node` reads is inside; coordinates that are outside of their own tensors have its fill.
    fn reads(&mut self, node: SyntaxId, start: usize) -> Result<Reads, Broken> {
        if self.is_computed(node) {
            return Ok(Reads::Where(self.node(Form::Inside(node), start, &[node])?));
        }
        match self.syntax.nodes[node].form.clone() {
            Form::Map(Fun::Where, args) => {
                let mut branches = [args[1], args[2]];
                let mut sure = true;
                for branch in &mut branches {
                    *branch = match self.reads(*branch, start)? {
                        Reads::Reduced => return Ok(Reads::Reduced),
                        Reads::Inside => self.node(functions::number("1"), start, &[])?,
                        Reads::Where(inside) => {
                            sure = false;
                            inside
                        }
                    };
                }
                let all = vec![args[0], branches[0], branches[1]];
                let chosen = match sure {
                    true => Reads::Inside,
                    false => Reads::Where(self.node(Form::Map(Fun::Where, all.clone()), start, &all)?),
                };
                let condition = self.reads(args[0], start)?;
                self.both(condition, chosen, start)
            }
            Form::Map(_, args) | Form::Call(_, args) => args.into_iter().try_fold(Reads::Inside, |all, arg| {
                let arg = self.reads(arg, start)?;
                self.both(all, arg, start)
            }),
            Form::Convert(_, body) => self.reads(body, start),
            Form::Reduce(..) | Form::Scan(..) if self.has_computed(node) => Ok(Reads::Reduced),
            _ => Ok(Reads::Inside),
        }
    }

    fn both(&mut self, a: Reads, b: Reads, start: usize) -> Result<Reads, Broken> {
        Ok(match (a, b) {
            (Reads::Reduced, _) | (_, Reads::Reduced) => Reads::Reduced,
            (Reads::Inside, other) | (other, Reads::Inside) => other,
            (Reads::Where(a), Reads::Where(b)) => {
                Reads::Where(self.node(Form::Map(Fun::And, vec![a, b]), start, &[a, b])?)
            }
        })
    }
}
