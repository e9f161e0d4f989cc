//! The children of a syntax node.

use super::{Form, Reducer, Selects, SyntaxId};

impl Form {
    /// Returns the children of the node.
    pub fn children(&self) -> Vec<SyntaxId> {
        self.clone().children_mut().into_iter().map(|child| *child).collect()
    }

    /// Returns mutable references to the children of the node.
    pub fn children_mut(&mut self) -> Vec<&mut SyntaxId> {
        match self {
            Self::Number(_) | Self::FillOf(_) | Self::Turn { .. } | Self::Turned(_) => Vec::new(),
            Self::Identity(_) | Self::Reported => Vec::new(),
            Self::Access { indices, .. } | Self::Stored { indices, .. } => {
                let selects = indices.iter_mut().map(|index| &mut index.selects);
                selects.filter_map(|s| if let Selects::Computed(node) = s { Some(node) } else { None }).collect()
            }
            Self::Map(_, args) | Self::Call(_, args) => args.iter_mut().collect(),
            Self::Update(_, old, value) => old.iter_mut().chain([value]).collect(),
            Self::Landing(at, _, value, old) => at.iter_mut().map(|(_, node)| node).chain([value]).chain(old).collect(),
            Self::Reduce(Reducer::Top(count), _, node) => vec![node, count],
            Self::Taken(node)
            | Self::Inside(node)
            | Self::Part(node, ..)
            | Self::Reduce(_, _, node)
            | Self::Scan(_, _, node)
            | Self::Convert(_, node) => vec![node],
            Self::IsLast(a, _, b) | Self::Coalesce(a, b) => vec![a, b],
        }
    }
}
