#![doc = include_str!("README.md")]

mod compute;
mod iterate;
mod model;
mod narrow;
mod pace;
mod pipe;
mod plan;
mod routine;
mod steps;
#[cfg(test)]
pub(crate) mod tests;

pub use pace::Pace;
pub use pipe::Pipe;
pub(crate) use plan::{Pipelined, pipelined};
pub(crate) use routine::{RoutineNeeds, program_params};

use crate::blocks::Skid;
use compute::Compute;
use model::AluModel;
use narrow::Product;
use plan::{Plan, Unit, UnitArgument, plan};
use samhw_streams::{Bulk, Dir, Field, Instance, Model, Param, Port, Primitive};
use samhw_values::{Fun, Program, Routine, Term, Type, mask};
use std::sync::Arc;
use steps::UnitSteps;

/// An argument of the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The value of the next stream.
    Stream {
        /// Raw bits that an absent leaf reads as.
        fill: u64,
    },
    /// A constant, as raw bits.
    Const(u64),
    /// For a program: its own value at the last present leaf of the list.
    Last {
        /// Raw bits at the first leaf.
        begin: u64,
    },
}

impl Operand {
    /// Returns the operand's value if it is constant.
    pub fn constant(&self) -> Option<u64> {
        if let Self::Const(v) = self { Some(*v) } else { None }
    }
}

/// The reason why operands do not fit the function.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AluError {
    /// The number of operands is wrong.
    #[error("{fun} takes {takes} operand(s), not {given}")]
    Operands {
        /// Name of the function.
        fun: String,
        /// Number of operands that the function takes.
        takes: usize,
        /// Number of operands given.
        given: usize,
    },
    /// All operands are constants.
    #[error("an ALU needs one stream at least: fold constants instead")]
    NoStream,
    /// The type has no hardware for the function; see [`Alu::computes`].
    #[error("there is no hardware for {fun:?} of {ty}")]
    NoUnit {
        /// The function.
        fun: Fun,
        /// The type.
        ty: Type,
    },
}

/// An ALU, which computes a function at each leaf. Inputs: `val0` and up, one for each stream. Output: 0 `val`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alu {
    compute: Compute,
    ty: Type,
    operands: Vec<Operand>,
    emit: u64,
    stop_w: u32,
    plan: Plan,
}

impl Alu {
    /// Creates an ALU for `fun` with `operands` of type `ty`. Bit P of `emit`: a leaf has a value where P is the set of
    /// streams that have one (bit 0 is the first stream); otherwise it is EMPTY.
    pub fn new(fun: Fun, operands: Vec<Operand>, emit: u64, ty: Type, stop_w: u32) -> Result<Self, AluError> {
        let second = operands.get(1).and_then(Operand::constant);
        Self {
            compute: Compute::Fun(fun),
            ty,
            operands,
            emit,
            stop_w,
            plan: plan(fun, ty, second).ok_or(AluError::NoUnit { fun, ty })?,
        }
        .checked()
    }
    /// Replaces a pipeline with a stage per digit by a program, which is smaller and computes one value at a time.
    /// Other ALUs are unchanged.
    pub fn iterative(mut self) -> Self {
        if let Compute::Fun(f) = self.compute
            && let Some(plan) = plan::iterative(f, self.ty)
        {
            self.plan = plan;
        }
        self
    }
    /// Creates an ALU as [`Self::new`] does, for a function that a program computes.
    pub fn routine(of: Arc<Routine>, operands: Vec<Operand>, emit: u64, stop_w: u32) -> Result<Self, AluError> {
        let (ty, plan) = (of.ty, plan::program_plan(&of.program, of.arity, of.ty));
        Self { compute: Compute::Routine(of), ty, operands, emit, stop_w, plan }.checked()
    }
    /// A function with this body, of `arity` arguments of type `ty`: its first one is its own value
    /// at the list's last leaf, `begin` at the first; streams are the others, and always there.
    /// `None` where neither units nor a program compute it.
    pub fn recurrence((name, body): (&str, &[Term]), arity: usize, begin: u64, ty: Type, stop_w: u32) -> Option<Self> {
        let (compute, plan) = match UnitSteps::new(name, arity, body, ty) {
            Some(steps) => {
                let (mut params, args) = (steps.params(), (0..arity).map(UnitArgument::Arg).collect());
                params.insert(0, ("PROGRAM", Param::Int(0)));
                (Compute::Steps(Arc::new(steps)), Plan { unit: Unit::Program, params, args, depth: 0 })
            }
            None => {
                let routine = Routine::new(name, arity, body, ty)?;
                let plan = plan::program_plan(&routine.program, arity, ty);
                (Compute::Routine(Arc::new(routine)), plan)
            }
        };
        let streams = (1..arity).map(|_| Operand::Stream { fill: 0 });
        let operands = [Operand::Last { begin }].into_iter().chain(streams).collect();
        Self { compute, ty, operands, emit: u64::MAX, stop_w, plan }.checked().ok()
    }
    /// Creates an ALU for the product in type `ty` of integers of types `from`, or for the square of one. `None` where
    /// conversions and a product of `ty` do better: [`Self::multiplies`]. Operands and fills have the types in `from`.
    pub fn product(from: [Type; 2], operands: Vec<Operand>, emit: u64, ty: Type, stop_w: u32) -> Option<Self> {
        let product = Product { from, square: operands.len() == 1 };
        let plan = product.plan(ty)?;
        Self { compute: Compute::Product(product), ty, operands, emit, stop_w, plan }.checked().ok()
    }
    /// Creates an ALU for `fun`, with results 0 and 1 in type `ty`, of operands of type `from`.
    pub fn truth(
        (fun, from): (Fun, Type),
        operands: Vec<Operand>,
        emit: u64,
        ty: Type,
        stop_w: u32,
    ) -> Result<Self, AluError> {
        let no_unit = AluError::NoUnit { fun, ty: from };
        let plan =
            plan(fun, from, None).filter(|plan| fun.is_logical() && plan.unit != Unit::Program).ok_or(no_unit)?;
        Self { compute: Compute::Truth(fun, from), ty, operands, emit, stop_w, plan }.checked()
    }
    /// Returns the throughput of [`Self::product`], if it has hardware.
    pub fn multiplies(from: [Type; 2], ty: Type) -> Option<Pace> {
        let plan = Product { from, square: false }.plan(ty)?;
        Some(Pace::of(None, plan.depth + 1))
    }
    fn checked(self) -> Result<Self, AluError> {
        let (takes, given) = (self.compute.arity(), self.operands.len());
        if given != takes {
            return Err(AluError::Operands { fun: self.compute.name().to_owned(), takes, given });
        }
        if self.streams() == 0 {
            return Err(AluError::NoStream);
        }
        Ok(self)
    }
    /// Returns the throughput for `fun` on `ty`. `second`: the second argument if constant; `slow`: as
    /// [`Self::iterative`].
    pub fn pace_of(fun: Fun, ty: Type, second: Option<u64>, slow: bool) -> Option<Pace> {
        let plan = plan::iterative(fun, ty).filter(|_| slow).or_else(|| plan(fun, ty, second))?;
        let program = Program::shared(fun, ty).filter(|_| plan.unit == Unit::Program);
        Some(Pace::of(program.as_deref(), plan.depth + 1))
    }
    /// Returns the throughput of this ALU.
    pub fn pace(&self) -> Pace {
        match self.run() {
            Some(0) => Pace::Pipeline(self.stages()),
            Some(run) => Pace::Every(run + 1),
            None => Pace::of(self.program().as_deref(), self.stages()),
        }
    }
    /// Returns whether `fun` on `ty` has hardware for any arguments.
    pub fn computes(fun: Fun, ty: Type) -> bool {
        plan(fun, ty, None).is_some()
    }
    /// Returns the width in bits of a payload with values of `ty`; its upper bits are 0 if a stop is wider.
    pub fn width(ty: Type, stop_w: u32) -> u32 {
        ty.bits().max(stop_w)
    }
    /// The operands that are its own value before, as bits.
    fn last(&self) -> u64 {
        let last = |(k, o): (usize, &Operand)| u64::from(matches!(o, Operand::Last { .. })) << k;
        self.operands.iter().enumerate().map(last).sum()
    }
    /// Returns the number of input streams, 1 to 4.
    pub fn streams(&self) -> usize {
        self.operands.iter().filter(|o| matches!(o, Operand::Stream { .. })).count()
    }
    /// Returns the number of pipeline stages, including the output register.
    pub fn stages(&self) -> u32 {
        self.plan.depth + 1
    }
    /// Returns the program that runs for each value, if a value takes more than one cycle.
    pub fn program(&self) -> Option<Arc<Program>> {
        match &self.compute {
            Compute::Fun(f) => Program::shared(*f, self.ty).filter(|_| self.plan.unit == Unit::Program),
            Compute::Routine(r) => Some(Arc::new(r.program.clone())),
            Compute::Product(_) | Compute::Truth(..) | Compute::Steps(_) => None,
        }
    }
    /// The cycles until a value is there, if one goes at a time without a program.
    fn run(&self) -> Option<u64> {
        if let Compute::Steps(s) = &self.compute { Some(s.run().into()) } else { None }
    }
    /// Does a leaf wait for the one before?
    fn is_iterative(&self) -> bool {
        self.plan.unit == Unit::Program
    }
    /// Its value on raw arguments.
    fn apply(&self, args: &[u64; 4]) -> u64 {
        let args = &args[..self.operands.len()];
        match &self.compute {
            Compute::Fun(f) => f.apply(args, self.ty),
            Compute::Routine(r) => r.run(args).0,
            Compute::Steps(s) => s.apply(args),
            Compute::Product(p) => p.apply(args, self.ty),
            Compute::Truth(f, from) if from.is_zero(f.apply(args, *from)) => 0,
            Compute::Truth(..) => self.ty.one(),
        }
    }
    /// Type of operand `k`.
    fn operand_type(&self, k: usize) -> Type {
        match &self.compute {
            Compute::Product(p) => p.from[k],
            Compute::Truth(_, from) => *from,
            Compute::Fun(_) | Compute::Routine(_) | Compute::Steps(_) => self.ty,
        }
    }
    /// Types of the operands that are streams.
    fn stream_types(&self) -> impl Iterator<Item = Type> {
        let streams = self.operands.iter().enumerate().filter(|(_, o)| matches!(o, Operand::Stream { .. }));
        streams.map(|(k, _)| self.operand_type(k))
    }
    /// Width in bits of the widest input payload and of constants.
    fn in_w(&self) -> u32 {
        let all = (0..self.operands.len()).map(|k| Self::width(self.operand_type(k), self.stop_w));
        all.max().unwrap_or(self.stop_w)
    }
    /// FROM, FIXED and VALUES of `samhw_alu_front`.
    fn wiring(&self, val_w: u32) -> [Param; 3] {
        let (mut from, mut fixed, n) = (0, 0, self.plan.args.len() as u32);
        let mut values = vec![0; (n * val_w).div_ceil(64) as usize];
        for (k, source) in self.plan.args.iter().enumerate() {
            let value = match *source {
                UnitArgument::Value(v) => Operand::Const(v),
                UnitArgument::Arg(a) => self.operands[a],
            };
            let streams_before = |a: usize| self.operands[..a].iter().filter(|o| matches!(o, Operand::Stream { .. }));
            let bits = match (value, *source) {
                (Operand::Stream { fill }, UnitArgument::Arg(a)) => {
                    from |= (streams_before(a).count() as u64) << (2 * k);
                    fill
                }
                (Operand::Stream { fill: c } | Operand::Const(c) | Operand::Last { begin: c }, _) => {
                    fixed |= 1 << k;
                    c
                }
            } & mask(val_w);
            let at = k as u32 * val_w;
            values[at as usize / 64] |= bits << (at % 64);
            if at % 64 + val_w > 64 {
                values[at as usize / 64 + 1] |= bits >> (64 - at % 64);
            }
        }
        [Param::Bits(2 * n, vec![from]), Param::Bits(n, vec![fixed]), Param::Bits(n * val_w, values)]
    }
}

impl Primitive for Alu {
    fn kind(&self) -> &'static str {
        "alu"
    }
    fn bulk(&self) -> Bulk {
        Bulk::Values { bits: Self::width(self.ty, self.stop_w) }
    }
    fn instance(&self) -> Instance {
        let (sets, val_w) = (1 << self.streams(), Self::width(self.ty, self.stop_w));
        let [from, fixed, values] = self.wiring(self.in_w());
        let mut params = self.plan.params.clone();
        if self.plan.unit == Unit::Product {
            params.push(("IN_W", Param::Int(self.in_w())));
        }
        params.push(("VAL_W", Param::Int(val_w)));
        if let Compute::Truth(..) = self.compute {
            params.extend([("IN_W", Param::Int(self.in_w())), ("TRUE", Param::Bits(val_w, vec![self.ty.one()]))]);
        }
        params.push(("STOP_W", Param::Int(self.stop_w)));
        if !self.is_iterative() {
            params.push(("STAGES", Param::Int(self.stages())));
        }
        if self.last() != 0 {
            params.push(("LAST", Param::Bits(self.operands.len() as u32, vec![self.last()])));
        }
        params.extend([
            ("STREAMS", Param::Int(self.streams() as u32)),
            ("ARGS", Param::Int(self.plan.args.len() as u32)),
            ("FROM", from),
            ("FIXED", fixed),
            ("VALUES", values),
            ("EMIT", Param::Bits(sets, vec![self.emit & mask(sets)])),
        ]);
        Instance { module: self.plan.unit.alu(), params }
    }
    fn ports(&self) -> Vec<Port> {
        let (n, widest) = (self.streams() as u32, self.in_w());
        let port = |name: String, dir, ty| {
            Port::stream(name, dir, self.stop_w, &[Field::new("val", Self::width(ty, self.stop_w))])
        };
        let lane =
            |(k, ty): (u32, Type)| port(format!("val{k}"), Dir::In, ty).in_lane("in", k, n, 2 + self.stop_w + widest);
        let output = port("val".into(), Dir::Out, self.ty);
        (0..).zip(self.stream_types()).map(lane).chain([output]).collect()
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        if self.is_iterative() {
            let inputs = vec![Skid::default(); self.streams()];
            return Box::new(iterate::Iterate::new(self.clone(), inputs));
        }
        match self.streams() {
            1 => Box::new(AluModel::<1>::new(self)),
            2 => Box::new(AluModel::<2>::new(self)),
            3 => Box::new(AluModel::<3>::new(self)),
            _ => Box::new(AluModel::<4>::new(self)),
        }
    }
    fn latency(&self) -> u32 {
        // A program's run is not counted: no beat enters meanwhile that streams next to it need room for.
        self.stages() + u32::from(self.is_iterative())
    }
    fn silence(&self) -> u64 {
        self.program().map_or(64, |p| p.cycles().1.max(1 << 14))
    }
    fn describe(&self) -> String {
        let operand = |o: &Operand| match o {
            Operand::Stream { fill: 0 } => "x".into(),
            Operand::Stream { fill } => format!("x?{fill:#x}"),
            Operand::Const(c) => format!("{c:#x}"),
            Operand::Last { begin } => format!("last?{begin:#x}"),
        };
        let operands: Vec<String> = self.operands.iter().map(operand).collect();
        format!("{}({}){}", self.compute.name(), operands.join(", "), self.pace())
    }
}
