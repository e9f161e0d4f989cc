// SPDX-License-Identifier: Apache-2.0
//
// Proof: each run becomes its coordinates, from the first to the last, each with its position; the last has
// the run's stop, all else is as it was. With hints (HINTS), whatever come whenever, a run ends with the
// first coordinate that leaves after one said over of its fiber. Of a canonical stream it makes a canonical
// one; what is offered stays until it is taken; a beat leaves in each cycle that the consumer allows.
// by: reachability
// case blocks: SHARED=0
// case runs: SHARED=1
// case told: SHARED=0 HINTS=1
// case told_runs: SHARED=1 HINTS=1
// mutant samhw_runs_walk: assign ends   = s_kind[1] || crd == last || cut; => assign ends   = crd == last || cut;
// mutant samhw_runs_walk: assign ends   = s_kind[1] || crd == last || cut;
//     => assign ends   = s_kind[1] || first == last || cut;
// mutant samhw_runs_walk: ends ? s_stop : NO_STOP, => s_stop,
// mutant samhw_runs_walk: going ? crd_on : first; => first;
// mutant of blocks samhw_runs_walk: going ? ref_on : base; => base;
// mutant of runs samhw_runs_walk: SHARED != 0 ? 0 : 1; => 1;
// mutant samhw_runs_walk: .out_ready(free && ends) => .out_ready(free)
// mutant samhw_runs_walk: if (step)\n                going <= !ends; => going <= !ends;
// mutant of told samhw_runs_unpack_exit: .cut(over) => .cut(1'b0)
// mutant of told samhw_runs_unpack_exit: .leaves(leaves), .over(over) => .leaves(1'b0), .over(over)
// mutant of told samhw_runs_walk: step && ends && (s_kind[1] || s_stop != NO_STOP); => step && ends;
// mutant of told samhw_runs_walk: crd == last || cut; => crd == last;
// mutant of told samhw_fiber_over: over <= !leaves && (over || told); => over <= over || told;
// mutant of told samhw_fiber_over: skip_beat[TAG_W-1:0] == fiber => skip_beat[TAG_W-1:0] != fiber
`default_nettype none

module formal_runs_unpack #(
    parameter SHARED = 0,
    parameter HINTS  = 0
) (
    input wire        clk,
    input wire        in_valid,
    input wire [1:0]  in_kind,
    input wire [1:0]  in_stop,
    input wire [1:0]  in_at,
    input wire [1:0]  in_base,
    input wire [1:0]  in_last,
    input wire [1:0]  in_first,
    input wire        skip_valid,
    input wire [4:0]  skip_beat,
    input wire        out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    generate
        if (HINTS != 0 && SHARED != 0) begin : g_told_runs
            samhw_runs_unpack_exit #(.CRD_W(2), .REF_W(2), .AT_W(2), .SHARED(1), .STOP_W(2), .TAG_W(2)) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
                .in_beat({in_kind, in_stop, in_at, in_last, in_first}),
                .skip_valid(skip_valid), .skip_ready(), .skip_beat(skip_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
        end else if (HINTS != 0) begin : g_told_blocks
            samhw_runs_unpack_exit #(.CRD_W(2), .REF_W(2), .AT_W(2), .SHARED(0), .STOP_W(2), .TAG_W(2)) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
                .in_beat({in_kind, in_stop, in_at, in_base, in_last, in_first}),
                .skip_valid(skip_valid), .skip_ready(), .skip_beat(skip_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
        end else if (SHARED != 0) begin : g_runs
            samhw_runs_unpack #(.CRD_W(2), .REF_W(2), .AT_W(2), .SHARED(1), .STOP_W(2)) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
                .in_beat({in_kind, in_stop, in_at, in_last, in_first}),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
        end else begin : g_blocks
            samhw_runs_unpack #(.CRD_W(2), .REF_W(2), .AT_W(2), .SHARED(0), .STOP_W(2)) dut (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
                .in_beat({in_kind, in_stop, in_at, in_base, in_last, in_first}),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
        end
    endgenerate
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_steady #(.W(12)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(in_ready),
        .beat({in_kind, in_stop, in_at, in_base, in_last, in_first}));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({in_kind, in_stop, in_first}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[7:4], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    wire data = in_kind == 2'd0;
    always @*
        assume (!in_valid
                || (legal && in_kind != 2'd1 && (data ? in_last >= in_first : {in_at, in_base, in_last} == 6'd0)));

    // What hints say of the fiber at hand.
    reg  [1:0] fiber = 2'd0;
    reg        over  = 1'b0;
    wire       left  = step && ends && (!data || in_stop != 2'd0);
    always @(posedge clk)
        if (started) begin
            over <= !left && (over || (HINTS != 0 && skip_valid && skip_beat[2:0] == {1'b1, fiber}));
            if (left)
                fiber <= fiber + 2'd1;
        end

    reg  [1:0] place = 2'd0;
    wire [1:0] crd   = in_first + place;
    wire       ends  = !data || crd == in_last || over;
    wire       step  = started && in_valid && (!out_valid || out_ready);
    wire [1:0] at    = !data ? 2'd0 : SHARED != 0 ? in_at : in_base + place;
    always @(posedge clk)
        if (step)
            place <= ends ? 2'd0 : place + 2'd1;

    wire       full;
    wire [7:0] expected;
    samhw_due #(.W(8)) due (
        .clk(clk), .started(started), .put(step), .ready(out_ready), .full(full), .expected(expected),
        .beat({in_kind, ends ? in_stop : 2'd0, at, crd}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || (out_beat == expected && o_legal));
            assert (take == (step && ends));
        end

endmodule

`default_nettype wire
