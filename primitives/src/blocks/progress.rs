//! Model of `samhw_progress`: how many words of an array have been written, by one who appends.

use samhw_streams::{Beat, Dir, Field, Io, Port, Role};

/// Words that a writer has written. It takes three inputs in a row, `begin`, `written` and `finished`, and gives two outputs in a
/// row, `begun` and `opened`.
#[derive(Debug, Default)]
pub struct Progress {
    /// Words that are there.
    pub words: u64,
    /// Whether all are.
    pub complete: bool,
}

impl Progress {
    /// Returns its ports, of an array with words of `data_w` bits at addresses of `addr_w`: the inputs, and the outputs.
    pub fn ports(addr_w: u32, data_w: u32) -> ([Port; 3], [Port; 2]) {
        let token = |name: &'static str, dir| Port::plain(name, dir, &[Field::new("token", 1)]);
        let word = [Field::new("addr", addr_w), Field::new("data", data_w)];
        let written = Port::plain("written", Dir::In, &word).with_role(Role::Write);
        let inputs = [token("begin", Dir::In), written, token("finished", Dir::In)];
        (inputs, [token("begun", Dir::Out), token("opened", Dir::Out)])
    }
    /// Simulates a clock edge, at the inputs from `input` and the outputs from `output` on. Returns whether anything
    /// changed. What is read of it before is its state before the edge.
    #[inline]
    pub fn clock(&mut self, io: &mut Io, input: usize, output: usize) -> bool {
        let (begins, written, ends) = (io.taken(input).is_some(), io.taken(input + 1), io.taken(input + 2).is_some());
        if let Some(write) = written {
            self.words = write.p[0] + 1;
        }
        self.complete |= ends;
        if begins {
            *self = Self::default();
            io.put(output, Beat::default());
        }
        if ends {
            io.put(output + 1, Beat::default());
        }
        let ready = [io.free(output), io.free(output + 1)];
        io.set_ready(input, ready[0]);
        io.set_ready(input + 2, ready[1]);
        begins | ends | written.is_some()
    }
}
