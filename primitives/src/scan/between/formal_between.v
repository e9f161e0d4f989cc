// SPDX-License-Identifier: Apache-2.0
//
// Proof: of pairs exactly those whose coordinate lies between the bounds of their fiber leave, in order, whenever the
// bounds come; the last of a list carries the list's stop, and a list of which nothing stays is empty. Of
// canonical streams it makes canonical ones; what is offered stays until it is taken; with a consumer that
// takes, input that has its bounds is taken, and what is settled leaves in time. A hint says of a fiber what
// its bounds are.
// by: reachability
// case closed: LO=1 HI=1 SIGNED=1
// case open: LO=2 HI=2 SIGNED=0
// mutant samhw_between: wire close = go && !n_stays && ends && waiting; => wire close = 1'b0;
// mutant samhw_between: wire push  = go && (n_stays || (ends && !waiting)); => wire push  = go && n_stays;
// mutant samhw_between: wire shifts  = !n_valid || room; => wire shifts  = 1'b1;
// mutant samhw_between: assign s_pop = shifts && q_valid; => assign s_pop = shifts;
// mutant samhw_between: s_crd <= q_to => s_crd < q_to
// mutant samhw_between: wire early   = s_crd < q_from; => wire early   = s_crd <= q_from;
// mutant samhw_between: bound_beat <= {none ? {CRD_W{1'b0}} : to, 1'b0, b_fiber};
//     => bound_beat <= {{CRD_W{1'b0}}, 1'b0, b_fiber};
// mutant samhw_between: s_fiber <= s_fiber + NEXT; => s_fiber <= s_fiber;
`default_nettype none

module formal_between #(
    parameter LO     = 1,
    parameter HI     = 1,
    parameter SIGNED = 1
) (
    input wire       clk,
    input wire [9:0] bounds,
    input wire       bounds_valid,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       out_ready,
    input wire       skip_ready,
    input wire       bound_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // Bounds of even and of odd fibers, whatever they are, which stay: {there, hi, lo}.
    reg [9:0] of;
    always @(posedge clk)
        of <= bounds;
    always @*
        assume (!started || of == bounds);
    reg        b_odd = 1'b0;
    reg        i_odd = 1'b0;
    wire [4:0] b_of  = b_odd ? bounds[9:5] : bounds[4:0];
    wire [4:0] i_of  = i_odd ? bounds[9:5] : bounds[4:0];

    wire       bounds_ready;
    wire       in_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    wire       skip_valid;
    wire [3:0] skip_beat;
    wire       bound_valid;
    wire [3:0] bound_beat;
    samhw_between #(
        .LO(LO), .HI(HI), .BOUND_W(2), .SIGNED(SIGNED), .CRD_W(2), .X_W(1), .STOP_W(2), .TAG_W(1), .AHEAD_LOG2(1)
    ) dut (
        .clk(clk), .rst(rst),
        .bounds_valid(bounds_valid), .bounds_ready(bounds_ready), .bounds_beat({1'b0, !b_of[4], 2'd0, b_of[3:0]}),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .skip_valid(skip_valid), .skip_ready(skip_ready), .skip_beat(skip_beat),
        .bound_valid(bound_valid), .bound_ready(bound_ready), .bound_beat(bound_beat)
    );
    wire b_take = started && bounds_valid && bounds_ready;
    wire take   = started && in_valid && in_ready;
    wire give   = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({in_beat[6:3], in_beat[1:0]}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[6:3], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    wire [1:0] kind = in_beat[6:5];
    wire [1:0] stop = in_beat[4:3];
    wire [1:0] crd  = in_beat[1:0];
    wire       leaf = !kind[1];
    wire       ends = stop != 2'd0 || !leaf;
    always @*
        assume (!in_valid || (legal && kind != 2'd1 && (!kind[1] || !in_beat[2])));
    always @(posedge clk) begin
        if (b_take)
            b_odd <= !b_odd;
        if (take && ends)
            i_odd <= !i_odd;
    end

    // Numbers of three bits more than these, so that nothing wraps.
    function [4:0] widened(input [1:0] bound);
        widened = {{3{SIGNED != 0 && bound[1]}}, bound};
    endfunction
    function holds(input [4:0] own, input [1:0] at);
        holds = own[4]
            && $signed(widened(own[1:0])) + $signed(LO == 2 ? 5'd1 : 5'd0) <= $signed({3'd0, at})
            && $signed({3'd0, at}) <= $signed(widened(own[3:2])) - $signed(HI == 2 ? 5'd1 : 5'd0);
    endfunction
    wire stays = !leaf || holds(i_of, crd);

    wire       waits;
    wire       owes;
    samhw_filtered #(.W(5), .STOP_W(2), .DEPTH(4)) filtered (
        .clk(clk), .started(started), .keep(take && (stays || (ends && !waits))),
        .close(take && !stays && ends && waits),
        .last(ends), .stop(stop), .data(!stays ? {2'd2, 3'd1} : {kind, in_beat[2:0]}),
        .valid(out_valid), .ready(out_ready), .given({out_beat[6:5], out_beat[2:0], out_beat[4:3]}), .waits(waits),
        .owes(owes));
    samhw_soon #(.MOST(6)) taken (
        .clk(clk), .started(started), .waits(in_valid && !in_ready && out_ready && bounds_valid)
    );
    samhw_soon #(.MOST(8)) given (
        .clk(clk), .started(started), .waits(owes && !out_valid && out_ready && bounds_valid)
    );

    // What a hint says: no coordinate before, or beyond, it is needed of its fiber.
    wire [4:0] s_of = skip_beat[0] ? bounds[9:5] : bounds[4:0];
    wire [4:0] h_of = bound_beat[0] ? bounds[9:5] : bounds[4:0];
    wire [1:0] at   = in_beat[1:0];
    always @*
        if (started) begin
            assert (!out_valid || o_legal);
            assert (!skip_valid || (!skip_beat[1] && (at >= skip_beat[3:2] || !holds(s_of, at))));
            assert (!bound_valid || (!bound_beat[1] && (at <= bound_beat[3:2] || !holds(h_of, at))));
        end

endmodule

`default_nettype wire
