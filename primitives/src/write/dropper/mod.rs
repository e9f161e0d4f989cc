#![doc = include_str!("README.md")]

mod leaf;
mod list;
#[cfg(test)]
pub(crate) mod tests;

use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive};
use samhw_values::Type;

/// The input that decides whether a leaf of `outer` is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// A value of the same depth; absent values are dropped.
    Value {
        /// The field of the value.
        field: Field,
        /// A present value that is also dropped, if any.
        explicit: Option<Explicit>,
    },
    /// A list in a stream one level deeper; empty lists are dropped.
    List {
        /// One or two payloads of at least `stop_w` bits each.
        fields: Vec<Field>,
    },
}

/// A value that is dropped although it is present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explicit {
    /// Bits of the value.
    pub value: u64,
    /// Mask of the bits that are compared; the sign of a zero is not.
    pub care: u64,
}

impl Explicit {
    /// Returns the values of type `ty` that equal `value` as numbers.
    pub fn of(value: u64, ty: Type) -> Self {
        let sign = if ty.is_zero(value) { ty.sign_bit() } else { 0 };
        Self { value, care: ty.mask() & !if ty.is_float() { sign } else { 0 } }
    }
    /// Returns whether `value` is dropped.
    pub fn matches(self, value: u64) -> bool {
        (value ^ self.value) & self.care == 0
    }
}

/// A dropper, which removes coordinates without effect. Inputs: 0 `outer`, 1 `inner`. Outputs: 0 `outer_out`, 1
/// `inner_out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropper {
    /// Width of the outer coordinate in bits.
    pub crd_w: u32,
    /// The inner stream, which decides.
    pub inner: Inner,
    /// Width of the stop field of all streams in bits; at least 2 for lists.
    pub stop_w: u32,
}

impl Dropper {
    fn inner_fields(&self) -> Vec<Field> {
        match &self.inner {
            Inner::Value { field, .. } => vec![field.clone()],
            Inner::List { fields } => fields.clone(),
        }
    }
}

impl Primitive for Dropper {
    fn kind(&self) -> &'static str {
        "dropper"
    }
    fn instance(&self) -> Instance {
        let crd = ("CRD_W", Param::Int(self.crd_w));
        let stop = ("STOP_W", Param::Int(self.stop_w));
        match &self.inner {
            Inner::Value { field, explicit } => Instance {
                module: "samhw_dropper_leaf",
                params: vec![
                    crd,
                    ("VAL_W", Param::Int(field.width)),
                    stop,
                    ("EXPLICIT", Param::Int(u32::from(explicit.is_some()))),
                    ("FILL", Param::Bits(field.width, vec![explicit.map_or(0, |e| e.value)])),
                    ("CARE", Param::Bits(field.width, vec![explicit.map_or(0, |e| e.care)])),
                ],
            },
            Inner::List { fields } => Instance {
                module: "samhw_dropper_list",
                params: vec![crd, ("PAY_W", Param::Int(fields.iter().map(|f| f.width).sum())), stop],
            },
        }
    }
    fn ports(&self) -> Vec<Port> {
        let (outer, inner) = ([Field::new("crd", self.crd_w)], self.inner_fields());
        vec![
            Port::stream("outer", Dir::In, self.stop_w, &outer),
            Port::stream("inner", Dir::In, self.stop_w, &inner),
            Port::stream("outer_out", Dir::Out, self.stop_w, &outer),
            Port::stream("inner_out", Dir::Out, self.stop_w, &inner),
        ]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        match &self.inner {
            Inner::Value { explicit, .. } => Box::new(leaf::LeafModel::new(*explicit)),
            Inner::List { .. } => Box::new(list::ListModel::default()),
        }
    }
    fn latency(&self) -> u32 {
        3
    }
    fn describe(&self) -> String {
        match &self.inner {
            Inner::Value { explicit: None, .. } => "absent values".into(),
            Inner::Value { explicit: Some(e), .. } => format!("absent values and {:#x}", e.value),
            Inner::List { .. } => "empty lists".into(),
        }
    }
}
