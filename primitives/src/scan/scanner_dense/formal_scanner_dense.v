// SPDX-License-Identifier: Apache-2.0
//
// Proof: each reference of an input beat makes one list, the coordinates 0 to dim - 1 in order with the child
// references ref * dim + crd, and one with its end: an absent reference or a size of 0 an empty list, a hole
// one higher, DONE as it is; stops are one higher. Of a canonical stream it makes a canonical one; a
// coordinate leaves in every cycle that the consumer allows; what is offered stays until it is taken.
// probe full_inside = dut.full
// probe list_inside = dut.list
// probe stop_inside = dut.stop
// probe hole_inside = dut.hole
// probe base_inside = dut.base
// probe crd_inside = dut.crd
// probe none_inside = dut.no_fiber
// probe last_inside = dut.dim_last
// mutant samhw_scanner_dense: dim_last <= dim[CRD_W-1:0] - ONE_ON; => dim_last <= dim[CRD_W-1:0];
// mutant samhw_scanner_dense: assign r_pop = !full || f_pop; => assign r_pop = 1'b1;
// mutant samhw_scanner_dense: last ? stop : NO_STOP => stop
// mutant samhw_scanner_dense: crd <= last ? {CRD_W{1'b0}} : crd + ONE_ON; => crd <= crd + ONE_ON;
// mutant samhw_scanner_dense: no_fiber <= dim == {(CRD_W+1){1'b0}}; => no_fiber <= 1'b0;
`default_nettype none

module formal_scanner_dense (
    input wire       clk,
    input wire [2:0] dim,
    input wire       ref_valid,
    input wire [5:0] ref_beat,
    input wire       out_ready,
    input wire       full_inside,
    input wire       list_inside,
    input wire [1:0] stop_inside,
    input wire [1:0] hole_inside,
    input wire [3:0] base_inside,
    input wire [1:0] crd_inside,
    input wire       none_inside,
    input wire [1:0] last_inside
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       ref_ready;
    wire       out_valid;
    wire [9:0] out_beat;
    samhw_scanner_dense #(.REF_IN_W(2), .REF_W(4), .CRD_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && ref_valid && ref_ready;
    wire give = started && out_valid && out_ready;

    // A size of at most 4 that is there before the run and stays.
    reg [2:0] size;
    always @(posedge clk)
        size <= dim;
    always @*
        assume (dim <= 3'd4 && (!started || dim == size));

    // Lists of depth 1 in, of depth 2 out (seen without the references).
    wire       r_legal;
    wire       o_legal;
    wire [2:0] r_state;
    wire [2:0] o_state;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(2)) r_rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(r_legal), .state(r_state), .after());
    always @*
        assume (!ref_valid || r_legal);

    // The input beat at hand, and the coordinate that is next.
    reg        full = 1'b0;
    reg  [5:0] item;
    reg  [1:0] crd  = 2'd0;
    wire       list = item[5:4] == 2'd0 && dim != 3'd0;
    wire       last = !list || {1'b0, crd} + 3'd1 == dim;
    wire [3:0] base = {2'd0, item[1:0]} * {1'b0, dim};
    wire [1:0] stop = item[5:4] == 2'd3 ? 2'd0 : item[3:2] + 2'd1;
    wire [1:0] hole = item[5:4] == 2'd3 ? 2'd0 : item[5:4] == 2'd2 ? item[1:0] + 2'd1 : 2'd1;
    wire [9:0] next = list ? {2'd0, last ? stop : 2'd0, base + {2'd0, crd}, crd}
                           : {1'b1, item[5:4] == 2'd3, stop, 4'd0, hole};

    // The beat offered.
    reg        offers = 1'b0;
    reg  [9:0] offered;
    wire       load = full && (!offers || out_ready);
    always @(posedge clk)
        if (started) begin
            full   <= take || (full && !(load && last));
            offers <= load || (offers && !out_ready);
            if (take)
                item <= ref_beat;
            if (load) begin
                crd     <= last ? 2'd0 : crd + 2'd1;
                offered <= next;
            end
        end
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (.clk(clk), .rst(rst), .take(load),
        .beat({next[9:6], next[1:0]}), .legal(o_legal), .state(o_state), .after());

    // Place of the input once the beat at hand is through: one list more around everything.
    wire [1:0] item_stop = item[3:2];
    always @*
        if (started) begin
            assert (full_inside == full && (!full || (list_inside == list && stop_inside == stop)));
            assert (!full || list || hole_inside == hole);
            assert (!full || !list || base_inside == base);
            assert (crd_inside == crd && none_inside == (dim == 3'd0) && last_inside == dim[1:0] - 2'd1);
            assert (out_valid == offers);
            assert (!offers || out_beat == offered);
            assert (!load || o_legal);
            assert (!ref_valid || ref_ready == (!full || (load && last)));
            assert (crd == 2'd0 || (full && list && {1'b0, crd} < dim));
            // Nothing at hand: as far as the input. A list begun: inside it. Else: before the beat at hand.
            assert (r_state[1:0] <= 2'd1);
            assert (full || (o_state[2] == r_state[2] && o_state[1:0] == r_state[1:0] + 2'd1));
            assert (!full || crd == 2'd0 || o_state == 3'd0);
            assert (!full || r_state == (item[5:4] == 2'd3 ? 3'd1 : {item_stop == 2'd1, item_stop}));
            assert (!full || item_stop <= 2'd1);
            assert (!full || crd != 2'd0 || (o_state[2] == (item[5:4] == 2'd3) && o_state[1:0] != 2'd0));
            assert (!full || o_state[1:0] != 2'd3);
            assert (!full || item[5:4] != 2'd3 || item == 6'b110000);
            assert (!full || item[5:4] != 2'd2 || (item[3:0] == 4'b0101 && o_state[1:0] == 2'd2));
        end

    wire _unused_ok = &{1'b0, give, 1'b0};

endmodule

`default_nettype wire
