// SPDX-License-Identifier: Apache-2.0
//
// Proof: of intervals exactly what lies within the slice leaves, in order, moved to where the slice stands;
// the last of a list carries the list's stop, and a list of which nothing stays is empty. Of canonical
// streams it makes canonical ones; what is offered stays until it is taken; with a consumer that takes, input
// is taken, and what is settled leaves in time.
// by: reachability
// mutant samhw_interval_slice: wire close = go && !n_stays && ends && waiting; => wire close = 1'b0;
// mutant samhw_interval_slice: (n_stays || (ends && !waiting)); => n_stays;
// mutant samhw_interval_slice: assign shifts = !n_valid || room; => assign shifts = 1'b1;
// mutant samhw_interval_slice: : hole_wide[CRD_W-1:0]; => : from_wide[CRD_W-1:0] + TO_FIRST;
// mutant samhw_interval_slice: f_early ? {CRD_IN_W{1'b0}} : f_from; => f_from;
// mutant samhw_interval_slice: to_till[CRD_IN_W] ? FURTHEST : f_till; => f_till;
// mutant samhw_interval_slice: !f_before && !to_from[CRD_IN_W]; => !f_before;
// mutant samhw_interval_slice: !f_before && !to_from[CRD_IN_W]; => !to_from[CRD_IN_W];
// mutant samhw_interval_slice: till_wide[CRD_W-1:0] + TO_FIRST => till_wide[CRD_W-1:0]
`default_nettype none

module formal_interval_slice (
    input wire       clk,
    input wire       in_valid,
    input wire [8:0] in_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Coordinates 1 and 2 of four, to 2 and 3.
    wire       in_ready;
    wire       out_valid;
    wire [8:0] out_beat;
    samhw_interval_slice #(
        .CRD_IN_W(2), .CRD_W(2), .X_W(1), .STOP_W(2), .FIRST(2'd1), .COUNT(3'd2), .TO_FIRST(2'd2)
    ) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({in_beat[8:5], in_beat[1:0]}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[8:5], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    wire [1:0] kind  = in_beat[8:7];
    wire [1:0] stop  = in_beat[6:5];
    wire [1:0] last  = in_beat[3:2];
    wire [1:0] first = in_beat[1:0];
    wire       leaf  = !kind[1];
    wire       found = first <= 2'd2 && last >= 2'd1;
    wire [1:0] from  = first == 2'd2 ? 2'd3 : 2'd2;
    wire [1:0] till  = last == 2'd1 ? 2'd2 : 2'd3;
    wire       stays = found || !leaf;
    wire       ends  = stop != 2'd0 || !leaf;
    always @*
        assume (!in_valid || (legal && kind != 2'd1 && (leaf ? first <= last : in_beat[4:2] == 3'd0)));

    wire       waits;
    wire       owes;
    samhw_filtered #(.W(7), .STOP_W(2), .DEPTH(4)) filtered (
        .clk(clk), .started(started), .keep(take && (stays || (ends && !waits))),
        .close(take && !stays && ends && waits),
        .last(ends), .stop(stop),
        .data(!stays ? {2'd2, 5'd1} : {kind, in_beat[4], leaf ? {till, from} : {2'd0, first}}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[8:7], out_beat[4:0], out_beat[6:5]}), .waits(waits),
        .owes(owes));
    samhw_soon #(.MOST(1)) taken (.clk(clk), .started(started), .waits(in_valid && !in_ready && out_ready));
    samhw_soon #(.MOST(4)) given (.clk(clk), .started(started), .waits(owes && !out_valid && out_ready));

    always @*
        if (started)
            assert (!out_valid || o_legal);

endmodule

`default_nettype wire
