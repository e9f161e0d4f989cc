// SPDX-License-Identifier: Apache-2.0
//
// Proof: each pair of the inner stream leaves once, in order, its coordinate together with that of its list
// as the key; the lists of a list become one, the last of whose pairs carries its stop, and one without any
// pair is empty. Of aligned canonical streams it makes a canonical one; what is offered stays until it is
// taken; with a consumer that takes, input is taken and what is settled leaves.
// by: reachability
// case joined: SIZE0=4
// case multiplied: SIZE0=3
// case inner: SIZE0=0
// mutant samhw_collapse_core: assign outer_ready = inner_valid && room && (i_stop != NONE || i_kind == DONE);
//     => assign outer_ready = inner_valid && room && i_stop != NONE;
// mutant samhw_collapse_core: wire push  = go && !close && !(vanish && !ends); => wire push  = go && !close;
// mutant samhw_collapse_core: wire close = go && vanish && ends && waiting; => wire close = go && ends && waiting;
// mutant samhw_collapse_core: vanish ? ONE : i_hole - ONE; => vanish ? ONE : i_hole;
// mutant of joined samhw_collapse_core: (crd1 << CRD0_W) | crd0 => crd1 | crd0
// mutant of multiplied samhw_collapse_core: crd1 * SIZE[KEY_W-1:0] + crd0 => crd1 * SIZE[KEY_W-1:0]
`default_nettype none

module formal_collapse #(
    parameter SIZE0 = 4
) (
    input wire       clk,
    input wire       outer_valid,
    input wire [5:0] outer_beat,
    input wire       inner_valid,
    input wire [6:0] inner_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       outer_ready;
    wire       inner_ready;
    wire       out_valid;
    wire [8:0] out_beat;
    samhw_collapse #(.CRD1_W(2), .CRD0_W(2), .X_W(1), .KEY_W(4), .SIZE0(SIZE0), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .outer_valid(outer_valid), .outer_ready(outer_ready), .outer_beat(outer_beat),
        .inner_valid(inner_valid), .inner_ready(inner_ready), .inner_beat(inner_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take   = started && inner_valid && inner_ready;
    wire take_o = started && outer_valid && outer_ready;
    wire give   = started && out_valid && out_ready;

    // Coordinates of depth 2, pairs of depth 3.
    wire o_legal;
    wire i_legal;
    wire legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(take_o), .beat(outer_beat), .legal(o_legal), .state(), .after());
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(2)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat({inner_beat[6:3], inner_beat[1:0]}), .legal(i_legal), .state(),
        .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[8:5], out_beat[3:0]}), .legal(legal), .state(), .after());

    // Aligned: one list for each coordinate, which closes as much as the coordinate and itself.
    wire [1:0] o_kind  = outer_beat[5:4];
    wire [1:0] o_stop  = outer_beat[3:2];
    wire [1:0] crd1    = outer_beat[1:0];
    wire [1:0] kind    = inner_beat[6:5];
    wire [1:0] stop    = inner_beat[4:3];
    wire [1:0] crd0    = inner_beat[1:0];
    wire       live    = !kind[1];
    wire       hollow  = kind == 2'd2 && crd0 == 2'd1;
    wire       done    = kind == 2'd3;
    wire       aligned = done           ? o_kind == 2'd3
                       : live || hollow ? o_kind == 2'd0 && (stop == 2'd0 || stop == o_stop + 2'd1)
                       :                  o_kind == 2'd2 && stop == o_stop + 2'd1 && crd0 == crd1 + 2'd1;
    always @* begin
        assume (!outer_valid || (o_legal && o_kind != 2'd1));
        assume (!inner_valid || (i_legal && kind != 2'd1 && (!kind[1] || !inner_beat[2])));
        assume (!outer_valid || !inner_valid || aligned);
    end

    wire [1:0] closes = stop == 2'd0 ? 2'd0 : stop - 2'd1;
    wire       ends   = closes != 2'd0 || done;
    wire [3:0] key    = SIZE0 == 4 ? {crd1, crd0} : SIZE0 == 0 ? {2'd0, crd0}
        : {1'b0, crd1, 1'b0} + {2'd0, crd1} + {2'd0, crd0};
    wire       waits;
    wire       owes;
    wire       last   = take && hollow && ends && waits;
    samhw_filtered #(.W(7), .STOP_W(2), .DEPTH(2)) filtered (
        .clk(clk), .started(started), .keep(take && !(hollow && (!ends || waits))), .close(last), .last(ends || !live),
        .stop(closes), .data(live ? {kind, inner_beat[2], key} : {kind, 3'd0, done ? 2'd0 : hollow ? 2'd1 : crd1}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[8:7], out_beat[4:0], out_beat[6:5]}), .waits(waits),
        .owes(owes));
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(outer_valid && inner_valid && !inner_ready && out_ready));
    samhw_soon #(.MOST(2)) given (.clk(clk), .started(started), .waits(owes && !out_valid && out_ready));

    always @*
        if (started) begin
            assert (!out_valid || legal);
            assert (take_o == (take && (stop != 2'd0 || done)));
        end

endmodule

`default_nettype wire
