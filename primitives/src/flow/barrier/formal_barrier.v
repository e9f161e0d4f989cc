// SPDX-License-Identifier: Apache-2.0
//
// Proof: one done token for one finished token of every input, each input's at its own time; an input that
// has given its token waits for the others; the token is offered until it is taken.
// mutant samhw_barrier: wire         pass = (&now) && => wire         pass = (|now) &&
// mutant samhw_barrier: {N{1'b0}} : now => {N{1'b0}} : finished_valid
// mutant samhw_barrier: if (pass || done_ready) => if (done_ready)
// mutant samhw_barrier: (!done_valid || done_ready); => 1'b1;
`default_nettype none

module formal_barrier (
    input wire       clk,
    input wire [1:0] finished_valid,
    input wire       done_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0] finished_ready;
    wire       done_valid;
    wire       done_beat;
    samhw_barrier #(.N(2)) dut (
        .clk(clk), .rst(rst),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(2'b00),
        .done_valid(done_valid), .done_ready(done_ready), .done_beat(done_beat)
    );

    // Tokens taken of each input, less those given out: at most one in the input's bit and one at the output.
    wire [1:0] take = {2{started}} & finished_valid & finished_ready;
    wire       give = started && done_valid && done_ready;
    reg  [1:0] a    = 2'd0;
    reg  [1:0] b    = 2'd0;
    always @(posedge clk)
        if (started) begin
            a <= a + {1'b0, take[0]} - {1'b0, give};
            b <= b + {1'b0, take[1]} - {1'b0, give};
        end

    always @*
        if (started) begin
            assert (a <= 2'd2 && b <= 2'd2);
            assert (finished_ready[0] == (a == {1'b0, done_valid}));
            assert (finished_ready[1] == (b == {1'b0, done_valid}));
            assert (done_valid == (a != 2'd0 && b != 2'd0));
        end

    wire _unused_ok = &{1'b0, done_beat, 1'b0};

endmodule

`default_nettype wire
