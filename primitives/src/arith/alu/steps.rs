//! Function bodies as units in sequence, one value at a time, for recurrences on the function's own value.

use super::plan::{Unit, UnitArgument, packed, plan};
use samhw_streams::Param;
use samhw_values::body::eval;
use samhw_values::{Fun, Term, Type, full_mul_depth};

/// Most units.
const MOST: usize = 16;
/// Most cycles until the value is there.
const LONGEST: u32 = 255;
/// OP of powers, which have parameters of their own.
const POWER: u32 = 28;

/// A function composed of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitSteps {
    /// Name of the function.
    pub name: String,
    /// Number of arguments.
    pub arity: usize,
    /// Type of the arguments and of the result.
    pub ty: Type,
    terms: Vec<Term>,
    units: Vec<StepUnit>,
    numbers: Vec<u64>,
    run: u32,
}

/// A unit, and where its arguments come from: first the function's arguments, then numbers, then
/// units before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct StepUnit {
    op: u32,
    depth: u32,
    table: u64,
    picks: Vec<StepSource>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepSource {
    Arg(usize),
    Number(usize),
    Unit(usize),
}

impl UnitSteps {
    /// Creates the function with this body; `None` if a part has no unit, or if there are too many units.
    pub fn new(name: &str, arity: usize, terms: &[Term], ty: Type) -> Option<Self> {
        let (name, terms) = (name.to_owned(), terms.to_vec());
        let mut steps = Self { name, arity, ty, terms, units: vec![], numbers: vec![], run: 0 };
        // When each unit's value is there.
        let mut there: Vec<u32> = Vec::new();
        let mut places: Vec<StepSource> = Vec::new();
        let wanted = wanted(&steps.terms);
        for (n, term) in steps.terms.clone().iter().enumerate() {
            let place = match term {
                _ if !wanted[n] => StepSource::Arg(0),
                Term::Arg(k) => StepSource::Arg(*k),
                Term::Literal(raw) => steps.number(*raw),
                Term::Apply(f, of) => {
                    let of: Vec<StepSource> = of.iter().map(|&t| places[t]).collect();
                    steps.unit(*f, &of, &mut there)?
                }
                Term::Loop(_) | Term::Left(..) => return None,
            };
            places.push(place);
        }
        if !matches!(places.last(), Some(StepSource::Unit(_))) {
            let last = *places.last()?;
            steps.unit(Fun::Id, &[last], &mut there)?;
        }
        // The last one's value needs no register of its own.
        steps.run = there.last()? - 1;
        Some(steps).filter(|steps| steps.run <= LONGEST)
    }

    /// Returns the latency in cycles.
    pub fn run(&self) -> u32 {
        self.run
    }

    /// Evaluates the function on raw arguments.
    pub fn apply(&self, args: &[u64]) -> u64 {
        eval(&self.terms, args, self.ty)
    }

    fn number(&mut self, raw: u64) -> StepSource {
        let known = self.numbers.iter().position(|&n| n == raw);
        StepSource::Number(known.unwrap_or_else(|| {
            self.numbers.push(raw);
            self.numbers.len() - 1
        }))
    }

    /// The unit that applies `f`.
    fn unit(&mut self, f: Fun, of: &[StepSource], there: &mut Vec<u32>) -> Option<StepSource> {
        let second = of.get(1).and_then(|s| if let StepSource::Number(n) = s { Some(self.numbers[*n]) } else { None });
        let plan = plan(f, self.ty, second)?;
        let int = |name: &str| {
            plan.params.iter().find_map(|(n, p)| match p {
                Param::Int(v) if *n == name => Some(u64::from(*v)),
                Param::Bits(_, words) if *n == name => words.first().copied(),
                _ => None,
            })
        };
        let op = u32::try_from(int("OP")?).ok()?;
        let power = plan.unit == Unit::Word && op == POWER;
        if !matches!(plan.unit, Unit::Word | Unit::Float) || power || self.units.len() == MOST {
            return None;
        }
        let mut picks = Vec::new();
        for arg in &plan.args {
            picks.push(match *arg {
                UnitArgument::Arg(k) => of[k],
                UnitArgument::Value(v) => self.number(v),
            });
        }
        let begin = picks.iter().map(|p| if let StepSource::Unit(u) = p { there[*u] } else { 0 }).max().unwrap_or(0);
        there.push(begin + plan.depth + 1);
        self.units.push(StepUnit { op, depth: plan.depth, table: int("TABLE").unwrap_or(0), picks });
        Some(StepSource::Unit(self.units.len() - 1))
    }

    /// Parameters of `samhw_steps`, ARGS and W apart.
    pub(super) fn params(&self) -> Vec<(&'static str, Param)> {
        let (ty, w) = (self.ty, self.ty.bits());
        let numbers = if self.numbers.is_empty() { vec![0] } else { self.numbers.clone() };
        let at = |source: &StepSource| match *source {
            StepSource::Arg(k) => k,
            StepSource::Number(n) => self.arity + n,
            StepSource::Unit(u) => self.arity + numbers.len() + u,
        };
        let picks = |u: &StepUnit| (0..3).map(|k| (u.picks.get(k).map_or(0, at) as u128) << (6 * k)).sum();
        let column =
            |of: &dyn Fn(&StepUnit) -> u128, width| packed(&self.units.iter().map(of).collect::<Vec<_>>(), width);
        let (float, exp, man) = if let Type::Float { exp, man } = ty { (1, exp, man) } else { (0, 8, 23) };
        vec![
            ("STEPS", Param::Int(self.units.len() as u32)),
            ("FLOAT", Param::Int(float)),
            ("SIGNED", Param::Int(u32::from(ty.is_signed()))),
            ("SATURATE", Param::Int(u32::from(ty.saturates()))),
            ("FRAC", Param::Int(ty.fraction())),
            ("EXP", Param::Int(exp)),
            ("MAN", Param::Int(man)),
            ("MUL", Param::Int(full_mul_depth(man + 1))),
            ("ONE", Param::Bits(w, vec![ty.one()])),
            ("NUMBERS", Param::Int(numbers.len() as u32)),
            ("NUMBER", packed(&numbers.iter().map(|&n| n.into()).collect::<Vec<_>>(), w)),
            ("OPS", column(&|u| u.op.into(), 8)),
            ("DEPTHS", column(&|u| u.depth.into(), 8)),
            ("TABLES", column(&|u| u.table.into(), 8)),
            ("PICKS", column(&picks, 18)),
            ("RUN", Param::Int(self.run)),
            ("W", Param::Int(w)),
        ]
    }
}

/// Which terms the last one needs.
fn wanted(terms: &[Term]) -> Vec<bool> {
    let mut wanted = vec![false; terms.len()];
    if let Some(last) = wanted.last_mut() {
        *last = true;
    }
    for (n, term) in terms.iter().enumerate().rev() {
        if let (true, Term::Apply(_, of)) = (wanted[n], term) {
            of.iter().for_each(|&t| wanted[t] = true);
        }
    }
    wanted
}
