#![doc = include_str!("README.md")]

#[cfg(test)]
pub(crate) mod tests;

use crate::blocks::Skid;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Kind, Model, Param, Port, Primitive};
use samhw_values::{Fun, Type, mask};

/// A scan unit that emits the coordinate of the first extreme value up to every leaf. Inputs: 0 `crd`, 1 `val`, of one
/// shape. Output: 0 `out`, of that shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrefixFirst {
    /// Whether the largest value is sought rather than the smallest.
    pub greatest: bool,
    /// Type of the values.
    pub ty: Type,
    /// Width of a coordinate in bits.
    pub crd_w: u32,
    /// Width of the payload of `crd` in bits, a coordinate or an interval, the first coordinate lowest.
    pub in_w: u32,
    /// Width of the stop field of all streams in bits.
    pub stop_w: u32,
}

impl PrefixFirst {
    fn val_w(&self) -> u32 {
        self.ty.bits().max(self.stop_w)
    }
    fn out_w(&self) -> u32 {
        self.crd_w.max(self.stop_w)
    }
    /// Is `value` beyond `best`? The first of values without an order, NaN, is beyond all others.
    fn beyond(&self, value: u64, best: u64) -> bool {
        let below = |a: u64, b: u64| Fun::Lt.apply(&[a, b], self.ty) != 0;
        let none = |a: u64| self.ty.is_float() && Fun::Eq.apply(&[a, a], self.ty) == 0;
        let order = if self.greatest { below(best, value) } else { below(value, best) };
        order || none(value) && !none(best)
    }
}

impl Primitive for PrefixFirst {
    fn kind(&self) -> &'static str {
        "prefix_first"
    }
    fn instance(&self) -> Instance {
        let (exp, man) = if let Type::Float { exp, man } = self.ty { (exp, man) } else { (0, 0) };
        Instance {
            module: "samhw_prefix_first",
            params: vec![
                ("GREATEST", Param::Int(u32::from(self.greatest))),
                ("SIGNED", Param::Int(u32::from(self.ty.is_signed()))),
                ("EXP", Param::Int(exp)),
                ("MAN", Param::Int(man)),
                ("W", Param::Int(self.ty.bits())),
                ("VAL_W", Param::Int(self.val_w())),
                ("CRD_W", Param::Int(self.crd_w)),
                ("IN_W", Param::Int(self.in_w)),
                ("OUT_W", Param::Int(self.out_w())),
                ("STOP_W", Param::Int(self.stop_w)),
            ],
        }
    }
    fn ports(&self) -> Vec<Port> {
        vec![
            Port::stream("crd", Dir::In, self.stop_w, &[Field::new("crd", self.in_w)]),
            Port::stream("val", Dir::In, self.stop_w, &[Field::new("val", self.val_w())]),
            Port::stream("out", Dir::Out, self.stop_w, &[Field::new("val", self.out_w())]),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(PrefixFirstModel { of: self.clone(), crd: Skid::default(), val: Skid::default(), best: None })
    }
    fn latency(&self) -> u32 {
        2
    }
    fn describe(&self) -> String {
        format!("{} of {}", if self.greatest { "greatest" } else { "least" }, self.ty)
    }
}

#[derive(Debug)]
struct PrefixFirstModel {
    of: PrefixFirst,
    crd: Skid,
    val: Skid,
    /// The best value of the list so far, and where it came first.
    best: Option<(u64, u64)>,
}

impl Model for PrefixFirstModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        let mut moved = false;
        if let (true, Some(&c), Some(&v)) = (io.free(0), self.crd.head(), self.val.head()) {
            if c.is_leaf() != v.is_leaf() || c.stop != v.stop || v.kind == Kind::Empty {
                return Err(Fault { what: "crd and val are not aligned", port: "val".into(), beat: v });
            }
            if v.is_leaf() {
                let own = (v.p[0], c.p[0] & mask(self.of.crd_w));
                let best = self.best.filter(|best| !self.of.beyond(own.0, best.0)).unwrap_or(own);
                self.best = (v.stop == 0).then_some(best);
                io.put(0, Beat::data(v.stop, best.1));
            } else {
                io.put(0, v);
            }
            self.crd.pop();
            self.val.pop();
            moved = true;
        }
        moved |= self.crd.clock(io, 0);
        moved |= self.val.clock(io, 1);
        Ok(moved)
    }
}
