//! The bench finds a model that is not its Verilog's.

use super::{Played, Recording, Rtl, difference, run_rtl, tool, usual_stalls};
use crate::bench::run_model;
use samhw_primitives::blocks::Skid;
use samhw_rtlsim as rtl;
use samhw_streams::{Beat, Dir, Fault, Field, Instance, Io, Model, Param, Port, Primitive};

/// The skid buffer's module, with a model that is right or wrong in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Buffer {
    Right,
    /// Holds each beat a cycle too long.
    Late,
    /// Changes beat 5.
    Changing,
    /// Refuses beat 5.
    Refusing,
}

const F: Field = Field::new("data", 64);

impl Primitive for Buffer {
    fn kind(&self) -> &'static str {
        "buffer"
    }
    fn instance(&self) -> Instance {
        Instance { module: "samhw_skid", params: vec![("W", Param::Int(64))] }
    }
    fn ports(&self) -> Vec<Port> {
        vec![Port::plain("in", Dir::In, &[F]), Port::plain("out", Dir::Out, &[F])]
    }
    fn model(&self, _config: &[u64]) -> Box<dyn Model> {
        Box::new(BufferModel { kind: *self, skid: Skid::default(), wait: false })
    }
    fn latency(&self) -> u32 {
        1
    }
}

struct BufferModel {
    kind: Buffer,
    skid: Skid,
    wait: bool,
}

impl Model for BufferModel {
    fn tick(&mut self, io: &mut Io) -> Result<bool, Fault> {
        // The module's output is the head of the buffer itself.
        if io.sent(0) {
            self.skid.pop();
        }
        let moved = self.skid.clock(io, 0);
        self.wait = self.kind == Buffer::Late && moved;
        if let (Some(&b), true, false) = (self.skid.head(), io.free(0), self.wait) {
            let five = b.p[0] == 5;
            if five && self.kind == Buffer::Refusing {
                return Err(Fault { what: "five", port: "in".into(), beat: b });
            }
            io.put(0, if five && self.kind == Buffer::Changing { Beat::data(0, 6) } else { b });
        }
        Ok(moved)
    }
}

fn compare(p: Buffer) -> Option<Vec<Option<String>>> {
    let rtl = Rtl::build(&p)?;
    let feed = vec![(0..9).map(|k| Beat::data(0, k)).collect()];
    let one = |s| {
        let verilog = run_rtl(&rtl, &[], &feed, &mut [], s);
        difference(&p.ports(), &run_model(&p, &[], &feed, &mut [], s), &verilog)
    };
    Some(usual_stalls(3).into_iter().map(one).collect())
}

#[test]
fn the_right_model_passes() {
    if let Some(found) = compare(Buffer::Right) {
        assert!(found.iter().all(Option::is_none), "{found:?}");
    }
}

#[test]
fn a_wrong_model_is_found_and_the_message_says_where() {
    for (model, text) in [
        (Buffer::Late, "in cycle"),
        (Buffer::Changing, "output out, beat 5"),
        (Buffer::Refusing, "Verilog accepts what the model refuses: five at in"),
    ] {
        if let Some(found) = compare(model) {
            assert!(found[0].as_ref().is_some_and(|t| t.contains(text)), "{model:?}: {found:?}");
        }
    }
}

/// Whether differences can be found: only with Icarus.
fn icarus() -> bool {
    let nothing = rtl::Design::new("t", vec![("t.v".into(), "module t;\nendmodule\n".into())]);
    tool("t", rtl::lint_iverilog(&nothing, &super::cache())).is_some()
}

#[test]
fn a_wrong_model_is_found_in_four_states() {
    for (model, text) in
        [(Buffer::Right, ""), (Buffer::Late, "out_valid is 1, not 0"), (Buffer::Changing, "out_beat is")]
    {
        let mut played = Played::whole(&model, &[]);
        for stall in usual_stalls(3) {
            played.run_model(&[(0..9).map(|k| Beat::data(0, k)).collect()], &mut [], stall).unwrap();
        }
        let found = if icarus() { played.difference().unwrap_or_default() } else { text.into() };
        assert!(found.contains(text) && found.is_empty() == text.is_empty(), "{model:?}: {found}");
    }
}

/// Two states do not see it: whatever the register holds at first, zeros are shifted to zeros.
#[test]
fn what_is_not_reset_is_found_in_four_states() {
    for (shifted, right) in [("{1'b0, go} << at", false), ("{2{go}} & (2'd1 << at)", true)] {
        let text = format!(
            "module t (input wire clk, input wire rst, input wire go, input wire to, output reg [1:0] full);\n\
             reg at;\nalways @(posedge clk) begin\n if (go) at <= to;\n full <= rst ? 2'd0 : full | ({shifted});\nend\nendmodule\n"
        );
        let mut design = rtl::Design::new("t", vec![("t.v".into(), text)]);
        let [go, to] = ["go", "to"].map(|name| design.port(name, 1, rtl::Dir::In));
        let full = design.port("full", 2, rtl::Dir::Out);
        let mut recording = Recording::new(&design);
        recording.put(go, 0, 1, &[0]);
        recording.forget(to, 0, 1);
        recording.reset();
        recording.clock();
        recording.put(full, 0, 2, &[0]);
        recording.clock();
        let found = recording.difference();
        assert!(!icarus() || found.is_none() == right, "{found:?}");
        assert!(found.is_none_or(|t| t.contains("cycle 1: full is xx, not 00")));
    }
}

#[test]
fn parameters_are_verilog_literals() {
    assert_eq!(Param::Int(12).literal(), "12");
    assert_eq!(Param::Bits(8, vec![0xE8]).literal(), "8'he8");
    assert_eq!(Param::Bits(70, vec![1, 0x2A]).literal(), "70'h2a0000000000000001");
}
