// SPDX-License-Identifier: Apache-2.0
//
// Proof: each one of each word becomes its coordinate and position, from the lowest on; the last of a fiber carries the stop of its
// last word, a fiber without any is empty. Of canonical streams it makes canonical ones; what is offered stays until it is
// taken; with a consumer that takes, a word takes no more cycles than it has ones, and what is settled leaves.
// by: reachability
// probe go = dut.go
// mutant samhw_bits_unpack: sent  <= pop ? {WIDTH{1'b0}} : sent | first; => sent  <= pop ? {WIDTH{1'b0}} : sent;
// mutant samhw_bits_unpack: wire             close = go && ends && !emit && waiting; => wire             close = 1'b0;
// mutant samhw_bits_unpack: if (ends)\n                index <= {CRD_W{1'b0}}; => if (h_none)\n                index <= {CRD_W{1'b0}};
// mutant samhw_bits_unpack: wire [REF_W-1:0]            pos = h_rank + count; => wire [REF_W-1:0]            pos = h_rank;
// mutant samhw_bits_unpack: .last(ends), => .last(h_none),
`default_nettype none

module formal_bits_unpack (
    input wire       clk,
    input wire       in_valid,
    input wire [7:0] in_beat,
    input wire       out_ready,
    input wire       go
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_bits_unpack #(.WIDTH(2), .WIDTH_LOG2(1), .CRD_W(2), .REF_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    wire [1:0] kind = in_beat[7:6];
    wire [1:0] stop = in_beat[5:4];
    wire [1:0] rank = in_beat[3:2];
    wire [1:0] word = in_beat[1:0];
    wire       leaf = !kind[1];
    wire       legal;
    wire       o_legal;
    samhw_steady #(.W(8)) steady (.clk(clk), .started(started), .valid(in_valid), .ready(in_ready), .beat(in_beat));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({kind, stop, word}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    always @*
        assume (!in_valid || (legal && kind != 2'd1 && (leaf || rank == 2'd0)));

    // The word at hand: whether its lower one is through; the number of the word in the fiber.
    reg        second = 1'b0;
    reg  [1:0] index  = 2'd0;
    wire       both = leaf && word == 2'd3;
    wire       last = !both || second;
    wire       one  = leaf && word != 2'd0;
    wire [1:0] crd  = {index[0], both ? second : word[1]};
    wire       ends = !leaf || (last && stop != 2'd0);
    wire       step = started && go;
    always @(posedge clk)
        if (step) begin
            second <= !last;
            index  <= ends ? 2'd0 : index + {1'b0, last};
        end

    wire waits;
    wire owes;
    samhw_filtered #(.W(6), .STOP_W(2), .DEPTH(2)) filtered (
        .clk(clk), .started(started), .keep(step && (one || (ends && !waits))), .close(step && leaf && !one && ends && waits),
        .last(ends), .stop(ends ? stop : 2'd0),
        .data(one ? {kind, rank + {1'b0, second}, crd} : {leaf ? 2'd2 : kind, 2'd0, leaf ? 2'd1 : word}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[7:6], out_beat[3:0], out_beat[5:4]}), .waits(waits), .owes(owes));
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(owes && !out_valid && out_ready));

    always @*
        if (started) begin
            assert (!out_valid || o_legal);
            assert (take == (step && last));
            assert (!in_valid || !out_ready || go);
        end

endmodule

`default_nettype wire
