// SPDX-License-Identifier: Apache-2.0
//
// Proof: the stream passes as it is, one beat per cycle; a hint names the number of a fiber whose values
// were decided before its end, once per fiber, and stays until it is taken; where the last hint is gone
// none is withheld.
// by: reachability
// case alone: WATCHED=0
// case or: WATCHED=1
// case and: WATCHED=2
// case sum: WATCHED=3
// mutant samhw_early_exit: if (go && ends)\n                fiber <= fiber + NEXT;
//     => if (go)\n                fiber <= fiber + NEXT;
// mutant samhw_early_exit: decided && !told; => decided;
// mutant of or samhw_early_exit: so_far | v_val => v_val
// mutant of and samhw_early_exit: so_far & v_val => v_val
// mutant of sum samhw_early_exit: full ? VALUE : => 1'b0 ? VALUE :
// mutant of sum samhw_early_exit: if (rst || (go && ends)) => if (rst)
// mutant samhw_early_exit: wire             tell  = early && (!skip_valid || skip_ready);
//     => wire             tell  = early;
// mutant samhw_early_exit: told <= !ends && (told || tell); => told <= !ends && (told || early);
// mutant samhw_early_exit: if (free)\n                out_valid <= v_valid; => out_valid <= v_valid;
`default_nettype none

module formal_early_exit #(
    parameter WATCHED = 0
) (
    input wire       clk,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       out_ready,
    input wire       skip_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    localparam [1:0] VALUE = WATCHED == 2 ? 2'd0 : WATCHED == 1 ? 2'd3 : 2'd2;

    wire       val_ready;
    wire       out_valid;
    wire [5:0] out_beat;
    wire       skip_valid;
    wire [4:0] skip_beat;
    samhw_early_exit #(.VAL_W(2), .STOP_W(2), .TAG_W(2), .CRD_W(2), .VALUE(VALUE), .WATCHED(WATCHED)) dut (
        .clk(clk), .rst(rst),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .skip_valid(skip_valid), .skip_ready(skip_ready), .skip_beat(skip_beat)
    );
    wire take = started && val_valid && val_ready;

    wire       legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(legal), .state(), .after());
    always @*
        assume (!val_valid || legal);

    wire [2:0] count;
    samhw_owed #(.W(6), .DEPTH(1)) owed (
        .clk(clk), .started(started), .put(take), .beat(val_beat), .valid(out_valid), .ready(out_ready),
        .given(out_beat),
        .count(count));

    // Fibers so far, whether this one was told of, and the hint on offer.
    wire       ends    = val_beat[5] || val_beat[3:2] != 2'd0;
    reg  [1:0] so_far  = WATCHED == 2 ? 2'd3 : 2'd0;
    wire       data    = val_beat[5:4] == 2'd0;
    wire [2:0] sum     = {1'b0, so_far} + {1'b0, val_beat[1:0]};
    wire [1:0] made    = WATCHED == 0 ? val_beat[1:0] : WATCHED == 1 ? so_far | val_beat[1:0]
                       : WATCHED == 2 ? so_far & val_beat[1:0] : sum > {1'b0, VALUE} ? VALUE : sum[1:0];
    wire       decides = take && data && !ends && made == VALUE;
    reg  [1:0] fiber   = 2'd0;
    reg        told    = 1'b0;
    wire       full;
    wire [4:0] hint;
    wire       tell = decides && !told && (!full || skip_ready);
    samhw_due #(.W(5)) due (
        .clk(clk), .started(started), .put(tell), .beat({2'd0, 1'b1, fiber}), .ready(skip_ready), .full(full),
        .expected(hint));
    always @(posedge clk)
        if (take) begin
            fiber <= fiber + {1'b0, ends};
            told  <= !ends && (told || tell);
            if (ends || data)
                so_far <= !ends ? made : WATCHED == 2 ? 2'd3 : 2'd0;
        end

    always @*
        if (started) begin
            assert (out_valid == (count != 3'd0));
            assert (val_ready == (!out_valid || out_ready));
            assert (skip_valid == full);
            assert (!full || skip_beat == hint);
        end

endmodule

`default_nettype wire
