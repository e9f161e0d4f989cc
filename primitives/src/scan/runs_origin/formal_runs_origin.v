// SPDX-License-Identifier: Apache-2.0
//
// Proof: each block becomes its interval, with the position of its first coordinate less that coordinate; all
// else is as it was. Of a canonical stream it makes a canonical one; what is offered stays until it is taken;
// a beat leaves in each cycle that the consumer allows.
// by: reachability
// mutant samhw_runs_origin: base - first[REF_W-1:0] => base
// mutant samhw_runs_origin: base - first[REF_W-1:0] => base + first[REF_W-1:0]
// mutant samhw_runs_origin: s_kind[1] ? {REF_W{1'b0}} : base => base
// mutant samhw_runs_origin: .out_ready(free) => .out_ready(1'b1)
// mutant samhw_runs_origin: out_valid <= s_valid; => out_valid <= 1'b1;
`default_nettype none

module formal_runs_origin (
    input wire       clk,
    input wire       in_valid,
    input wire [1:0] in_kind,
    input wire [1:0] in_stop,
    input wire       in_at,
    input wire [2:0] in_base,
    input wire [1:0] in_last,
    input wire [1:0] in_first,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire        in_ready;
    wire        out_valid;
    wire [10:0] out_beat;
    samhw_runs_origin #(.CRD_W(2), .REF_W(3), .AT_W(1), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),
        .in_beat({in_kind, in_stop, in_at, in_base, in_last, in_first}),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat));
    wire take = started && in_valid && in_ready;
    wire give = started && out_valid && out_ready;

    wire       legal;
    wire       o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat({in_kind, in_stop, in_first}), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat({out_beat[10:7], out_beat[1:0]}), .legal(o_legal), .state(), .after());
    wire data = in_kind == 2'd0;
    always @*
        assume (!in_valid || (legal && in_kind != 2'd1 && (data ? in_last >= in_first : in_last == 2'd0)));

    wire        full;
    wire [10:0] expected;
    wire        step = started && in_valid && (!out_valid || out_ready);
    samhw_due #(.W(11)) due (
        .clk(clk), .started(started), .put(step), .ready(out_ready), .full(full), .expected(expected),
        .beat({in_kind, in_stop, data ? in_base - {1'b0, in_first} : 3'd0, in_last, in_first}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || (out_beat == expected && o_legal));
            assert (take == step);
        end

endmodule

`default_nettype wire
