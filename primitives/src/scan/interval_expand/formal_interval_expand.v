// SPDX-License-Identifier: Apache-2.0
//
// Proof: each interval becomes its coordinates, from the first to the last, each with its position, or none
// where there is none; the last has the interval's stop, all else is as it was. Of a canonical stream it
// makes a canonical one; what is offered stays until it is taken; a beat leaves in each cycle that the
// consumer allows.
// by: reachability
// case same: FOLLOWS=0
// case follows: FOLLOWS=1
// mutant samhw_interval_expand: assign ends = s_kind[1] || crd == last; => assign ends = crd == last;
// mutant samhw_interval_expand: assign ends = s_kind[1] || crd == last; => assign ends = s_kind[1] || first == last;
// mutant samhw_interval_expand: ends ? s_stop : NO_STOP, => s_stop,
// mutant samhw_interval_expand: going ? on : first; => first;
// mutant of follows samhw_interval_expand: s_ref + wide[REF_W-1:0] : s_ref; => s_ref : s_ref;
// mutant of follows samhw_interval_expand: FOLLOWS != 0 && there ? => FOLLOWS != 0 ?
// mutant samhw_interval_expand: .out_ready(free && ends) => .out_ready(free)
// mutant samhw_interval_expand: if (step)\n                going <= !ends; => going <= !ends;
`default_nettype none

module formal_interval_expand #(
    parameter FOLLOWS = 0
) (
    input wire        clk,
    input wire        in_valid,
    input wire [1:0]  in_kind,
    input wire [1:0]  in_stop,
    input wire [1:0]  in_at,
    input wire [1:0]  in_last,
    input wire [1:0]  in_first,
    input wire        out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [7:0] out_beat;
    samhw_interval_expand #(.CRD_W(2), .REF_W(2), .FOLLOWS(FOLLOWS), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
        .in_beat({in_kind, in_stop, in_at, in_last, in_first}),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    // Of an EMPTY pair only the second payload is absent.
    function [1:0] of_pair(input [1:0] kind);
        of_pair = kind == 2'd1 ? 2'd0 : kind;
    endfunction
    wire       legal;
    wire       o_legal;
    samhw_steady #(.W(10)) steady (
        .clk(clk), .started(started), .valid(in_valid), .ready(in_ready),
        .beat({in_kind, in_stop, in_at, in_last, in_first}));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({of_pair(in_kind), in_stop, in_first}), .legal(legal), .state(),
        .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({of_pair(out_beat[7:6]), out_beat[5:4], out_beat[1:0]}),
        .legal(o_legal), .state(), .after());
    wire data = !in_kind[1];
    wire there = in_kind == 2'd0;
    always @*
        assume (!in_valid || (legal && (there || in_at == 2'd0) && (data ? in_last >= in_first : in_last == 2'd0)));

    reg  [1:0] place = 2'd0;
    wire [1:0] crd   = in_first + place;
    wire       ends  = !data || crd == in_last;
    wire       step  = started && in_valid && (!out_valid || out_ready);
    wire [1:0] at    = !there ? 2'd0 : FOLLOWS != 0 ? in_at + crd : in_at;
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
