#![doc = include_str!("README.md")]

mod leaf;
mod list;
#[cfg(test)]
mod tests;

use samhw_streams::{Dir, Field, Instance, Model, Param, Port, Primitive};
use samhw_values::Type;

/// What a dropper looks at to decide about a leaf of `outer`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inner {
    /// A value of the same depth: absent ones go.
    Value {
        /// The value.
        field: Field,
        /// Values like this one go too.
        explicit: Option<Explicit>,
    },
    /// A list, in a stream one deeper: empty ones go.
    List {
        /// One or two payloads, at least `stop_w` bits each.
        fields: Vec<Field>,
    },
}

/// A value that goes although it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explicit {
    /// Its bits.
    pub value: u64,
    /// Those of them that count: the sign of a zero does not.
    pub care: u64,
}

impl Explicit {
    /// Values of type `ty` that are the same number as `value`.
    pub fn of(value: u64, ty: Type) -> Self {
        let sign = if ty.is_zero(value) { ty.sign_bit() } else { 0 };
        Self { value, care: ty.mask() & !if ty.is_float() { sign } else { 0 } }
    }
    /// Does `value` go?
    pub fn matches(self, value: u64) -> bool {
        (value ^ self.value) & self.care == 0
    }
}

/// A dropper. Inputs: 0 `outer`, 1 `inner`. Outputs: 0 `outer_out`, 1 `inner_out`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropper {
    /// Bits of the outer coordinate.
    pub crd_w: u32,
    /// The inner stream.
    pub inner: Inner,
    /// Bits of the stop field of all streams; at least 2 for lists.
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
