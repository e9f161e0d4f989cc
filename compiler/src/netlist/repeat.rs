//! The rounds of a program: the decision whether another round follows, and the tokens that signal when every carried
//! array reads the last result.

use super::memories::widths;
use super::realize::NetlistBuilder;
use super::{Cell, CellId, CellPlace, End, Select};
use crate::graph::UseId;
use crate::levels::Part;
use samhw_primitives::flow::barrier::Barrier;
use samhw_primitives::flow::rounds::Rounds;
use samhw_streams::{Dir, Primitive};
use std::sync::Arc;

impl NetlistBuilder<'_> {
    /// Adds the cell that runs the rounds of a program whose condition is written into `of`. Returns the
    /// input that takes its writes.
    pub(super) fn add_rounds(&mut self, at_most: u32, of: UseId) -> End {
        let (addr_w, data_w) = widths(self, of, Part::Values);
        let ty = self.kernel().tensor(self.graph().uses[of.0].tensor).ty;
        // A zero may have a sign.
        let sign = if ty.is_float() { ty.sign_bit() } else { 0 };
        let mask = samhw_values::mask(ty.bits()) & !sign;
        let rounds = Rounds { addr_w, data_w, mask, at_most };
        let write = rounds.handshake(Dir::In, "write");
        let cell = self.add("repeat", Arc::new(rounds));
        self.rounds = Some(cell);
        (cell, write)
    }

    fn add(&mut self, name: &str, primitive: Arc<dyn Primitive>) -> CellId {
        let cell = CellId(self.net.cells.len());
        let (config, place) = (vec![], CellPlace::Core);
        self.net.cells.push(Cell { name: name.into(), primitive, config, place, stage: 0 });
        cell
    }

    /// The token that begins a round, if there are any: every bank has turned.
    pub(super) fn begin_round(&mut self) -> Option<End> {
        let rounds = self.rounds?;
        self.token("start".into(), None, Some((rounds, 0)));
        let banks = self.banks.clone();
        let ends = banks.iter().map(|&bank| ((bank, 1), Select::All)).collect();
        self.fan_out((rounds, 0), ends, Default::default(), 0);
        let turned = self.add("turned", Arc::new(Barrier { inputs: banks.len() as u32 }));
        for (k, bank) in banks.into_iter().enumerate() {
            let name = format!("{}_turned", self.net.cell(bank).name);
            let port = self.net.cell(bank).primitive.handshake(Dir::Out, "turned");
            self.token(name, Some((bank, port)), Some((turned, k)));
        }
        Some((turned, 0))
    }

    /// The token that ends a run, of the one that ends a round.
    pub(super) fn end_round(&mut self, token: Option<End>) -> Option<End> {
        let Some(rounds) = self.rounds else { return token };
        self.token("round".into(), token, Some((rounds, 1)));
        Some((rounds, 1))
    }
}
