//! Triangles of earlier results and operands: of the inner one of two loops an operand has the coordinates up to an
//! edge that the outer one says.

use super::Lowering;
use super::bounds::holding;
use super::scanned::Scanned;
use super::tree::LeafId;
use crate::graph::{AluFun, Arg, Leaves, Op, Payload, StreamId};
use crate::stmt::{Fun, VarId};
use samhw_primitives::scan::scanner_span::SpanEnd;

/// A triangle of two modes: coordinates whose column is at least (`upper`) or at most the row plus `offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub row: VarId,
    pub column: VarId,
    pub upper: bool,
    pub offset: i64,
}

impl Lowering<'_> {
    /// The triangles whose edges leaf `o` meets in the loop over `v`.
    fn edges(&self, o: LeafId, v: VarId) -> Vec<Triangle> {
        let Some(used) = self.leaves[o].used else { return Vec::new() };
        let inner = |t: &Triangle| if self.position[&t.row] < self.position[&t.column] { t.column } else { t.row };
        let own = self.triangles.iter().filter(|(of, triangle)| *of == used && inner(triangle) == v);
        own.map(|(_, triangle)| *triangle).collect()
    }

    /// Whether leaf `o` ends at an edge in the loop over `v`.
    pub(super) fn has_edge(&self, o: LeafId, v: VarId) -> bool {
        !self.edges(o, v).is_empty()
    }

    /// What is scanned of leaf `o` in the loop over `v`, inside of its triangles.
    pub(super) fn in_triangles(&mut self, o: LeafId, v: VarId, mut scanned: Scanned) -> Scanned {
        for triangle in self.edges(o, v) {
            let by_rows = v == triangle.column;
            let (outer, offset) =
                if by_rows { (triangle.row, triangle.offset) } else { (triangle.column, -triangle.offset) };
            let Some(edge) = self.edge(outer, i128::from(offset)) else { continue };
            let ends = match triangle.upper == by_rows {
                true => [SpanEnd::Closed, SpanEnd::Level],
                false => [SpanEnd::Level, SpanEnd::Closed],
            };
            let name = format!("scan_{}_{}", self.leaf_name(o), self.var_name(v));
            scanned = self.between((scanned, &name), v, ends, &[edge]);
        }
        scanned
    }

    /// The coordinate of the loop over `v`, which is around, plus `offset`, for every point of the loops so far.
    fn edge(&mut self, v: VarId, offset: i128) -> Option<StreamId> {
        let at = self.over.iter().position(|w| *w == v)? + 1;
        let most = i128::from(self.kernel.var(v).max.saturating_sub(1));
        let ty = holding((offset.min(0), (most + offset).max(most)))?;
        let over = self.over[..at].to_vec();
        let emit = |args: Vec<Arg>, fun| Op::Alu { fun, args, emit: 0b10 };
        let number = emit(vec![Arg::Stream(0)], AluFun::Id);
        let output = || vec![Leaves::sure(Payload::Val(ty), over.clone())];
        let mut edge = self.node(format!("number_{}", self.var_name(v)), number, vec![self.context[at]], output())[0];
        if offset != 0 {
            let added = emit(vec![Arg::Stream(0), Arg::Const(ty.wrap(offset))], AluFun::Fun(Fun::Add));
            edge = self.node(format!("edge_{}", self.var_name(v)), added, vec![edge], output())[0];
        }
        for depth in at + 1..self.context.len() {
            let over = self.over[..depth].to_vec();
            let name = format!("repeat_edge_{}", self.var_name(self.over[depth - 1]));
            let outputs = vec![Leaves::sure(Payload::Val(ty), over)];
            edge = self.node(name, Op::Repeat, vec![edge, self.context[depth]], outputs)[0];
        }
        Some(edge)
    }
}
