// SPDX-License-Identifier: Apache-2.0
//
// Proof: of pairs exactly those whose coordinate is selected leave, in order, with their place's coordinate;
// the last of a list carries the list's stop, and a list of which nothing stays is empty. Of canonical
// streams it makes canonical ones; what is offered stays until it is taken; with a consumer that takes, input
// is taken, and what is settled leaves in time.
// by: reachability
// case steps: LISTED=0
// case set: LISTED=2
// mutant samhw_slice: wire close  = go && !n_stays && ends && waiting; => wire close  = 1'b0;
// mutant samhw_slice: wire push   = go && (n_stays || (ends && !waiting)); => wire push   = go && n_stays;
// mutant samhw_slice: assign shifts = !n_valid || room; => assign shifts = 1'b1;
// mutant samhw_slice: n_crd   <= f_leaf ? moved : far_wide[CRD_W-1:0]; => n_crd   <= moved;
// mutant of steps samhw_slice: {1'b0, place} < COUNT => {1'b0, place} <= COUNT
// mutant of set samhw_slice: which = which | k[PLACE_W-1:0]; => which = which | ~k[PLACE_W-1:0];
`default_nettype none

module formal_slice #(
    parameter LISTED = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Steps of 3 from 0: coordinates 0 and 3 of four, to 2 and 3; a set: 3 and 0, to the same.
    wire       in_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    samhw_slice #(
        .CRD_IN_W(2), .CRD_W(2), .X_W(1), .STOP_W(2), .FIRST(2'd0), .SHIFT(0), .INVERSE(2'd3),
        .COUNT(3'd2), .LISTED(LISTED), .SET(LISTED == 0 ? 4'd0 : 4'b0011), .TO_FIRST(2'd2), .TO_STEP(2'd1)
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
        .clk(clk), .rst(rst), .take(take), .beat({in_beat[6:3], in_beat[1:0]}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[6:3], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    wire [1:0] kind  = in_beat[6:5];
    wire [1:0] stop  = in_beat[4:3];
    wire [1:0] crd   = in_beat[1:0];
    wire       leaf  = !kind[1];
    wire       found = crd == 2'd3 || crd == 2'd0;
    wire [1:0] to    = (crd == 2'd3) == (LISTED == 0) ? 2'd3 : 2'd2;
    wire       stays = found || !leaf;
    wire       ends  = stop != 2'd0 || !leaf;
    always @*
        assume (!in_valid || (legal && kind != 2'd1 && (!kind[1] || !in_beat[2])));

    wire       waits;
    wire       owes;
    samhw_filtered #(.W(5), .STOP_W(2), .DEPTH(4)) filtered (
        .clk(clk), .started(started), .keep(take && (stays || (ends && !waits))),
        .close(take && !stays && ends && waits),
        .last(ends), .stop(stop), .data(!stays ? {2'd2, 3'd1} : {kind, in_beat[2], leaf ? to : crd}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[6:5], out_beat[2:0], out_beat[4:3]}), .waits(waits),
        .owes(owes));
    samhw_soon #(.MOST(1)) taken (.clk(clk), .started(started), .waits(in_valid && !in_ready && out_ready));
    samhw_soon #(.MOST(4)) given (.clk(clk), .started(started), .waits(owes && !out_valid && out_ready));

    always @*
        if (started)
            assert (!out_valid || o_legal);

endmodule

`default_nettype wire
