// SPDX-License-Identifier: Apache-2.0
//
// Proof: one output beat for each pair of aligned beats, in order, with their structure: of a leaf what the program makes of the two values, an
// absent one read as its fill, itself absent where the table says so. The program is a sum that takes as long as it likes
// (formal/samhw_program.v), and its arguments stay meanwhile; for what has no value none runs. Of canonical streams it makes a canonical one;
// what is offered stays until it is taken; a leaf is taken when its program has ended, all else as soon as the consumer allows.
// by: reachability
// probe ran_inside = dut.done
// mutant samhw_alu_program: wire                  go   = free && (!data || done); => wire                  go   = free;
// mutant samhw_alu_program: wire                  go   = free && (!data || done); => wire                  go   = !data || done;
// mutant samhw_alu_program: .valid(valid && (!data || done)) => .valid(valid)
// mutant samhw_alu_program: .take(free) => .take(1'b1)
// mutant samhw_alu_program: .start(valid && data) => .start(valid)
// mutant samhw_alu_program: wire                  data = kind == 2'd0; => wire                  data = !kind[1];
`default_nettype none

module formal_alu_program (
    input wire       clk,
    input wire       val0_valid,
    input wire [6:0] val0_beat,
    input wire       val1_valid,
    input wire [6:0] val1_beat,
    input wire       val_ready,
    input wire       ran_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       val0_ready;
    wire       val1_ready;
    wire       val_valid;
    wire [6:0] val_beat;
    samhw_alu_program #(
        .W(3), .VAL_W(3), .STOP_W(2), .STREAMS(2), .ARGS(2), .FROM(4'b0100), .FIXED(2'b00), .VALUES({3'd6, 3'd5}), .EMIT(4'b1110)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid({val1_valid, val0_valid}), .in_ready({val1_ready, val0_ready}), .in_beat({val1_beat, val0_beat}),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take   = started && val0_valid && val0_ready;
    wire take_1 = started && val1_valid && val1_ready;
    wire give   = started && val_valid && val_ready;

    wire       x_legal;
    wire       y_legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) x_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val0_beat), .legal(x_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) y_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val1_beat), .legal(y_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(val_beat), .legal(o_legal), .state(), .after());
    samhw_steady #(.W(7)) x_steady (
        .clk(clk), .started(started), .valid(val0_valid), .ready(val0_ready), .beat(val0_beat));
    samhw_steady #(.W(7)) y_steady (
        .clk(clk), .started(started), .valid(val1_valid), .ready(val1_ready), .beat(val1_beat));
    always @* begin
        assume (!val0_valid || x_legal);
        assume (!val1_valid || y_legal);
        // Equal but for the leaves' values.
        assume (!val0_valid || !val1_valid || (val0_beat[6] == val1_beat[6] && val0_beat[4:3] == val1_beat[4:3]
            && (!val0_beat[6] || val0_beat == val1_beat)));
    end

    // EMIT 1110: there where one of them is.
    wire       there = val0_beat[6:5] == 2'd0 || val1_beat[6:5] == 2'd0;
    wire [2:0] sum   = (val0_beat[5] ? 3'd5 : val0_beat[2:0]) + (val1_beat[5] ? 3'd6 : val1_beat[2:0]);
    wire       runs  = !val0_beat[6] && there;
    wire [2:0] owed;
    samhw_owed #(.W(7), .DEPTH(1)) beats (
        .clk(clk), .started(started), .put(take), .valid(val_valid), .ready(val_ready), .given(val_beat), .count(owed),
        .beat(val0_beat[6] ? val0_beat : {1'b0, !there, val0_beat[4:3], there ? sum : 3'd0}));

    // A program that has ended is not run again.
    reg        ran = 1'b0;
    always @(posedge clk)
        ran <= started && ran_inside && !take;

    always @*
        if (started) begin
            assert (take == take_1);
            assert (!ran || ran_inside);
            assert (val_valid == (owed != 3'd0));
            assert (!val_valid || o_legal);
            assert (!(val0_valid && val1_valid) || take == ((!val_valid || val_ready) && (!runs || ran_inside)));
            assert (!ran_inside || (val0_valid && val1_valid && runs));
        end

endmodule

`default_nettype wire
