// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order, with its structure; every leaf is the coordinate. Of a
// canonical stream it makes a canonical one; what is offered stays until it is taken; a beat leaves in the
// next cycle that the consumer allows.
// mutant samhw_coordinate: {DATA, s_stop, AT} => {s_kind, s_stop, AT}
// mutant samhw_coordinate: !out_valid || out_ready; => out_ready;
// mutant samhw_coordinate: out_valid <= s_valid; => out_valid <= s_valid && !s_kind[1];
// mutant samhw_coordinate: s_kind == NIL ? s_hole => s_kind == NIL ? {STOP_W{1'b0}}
`default_nettype none

module formal_coordinate (
    input wire       clk,
    input wire       in_valid,
    input wire [6:0] in_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [5:0] out_beat;
    samhw_coordinate #(.REF_W(3), .CRD_W(2), .STOP_W(2), .AT(2'd2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && in_valid && in_ready;

    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(i_legal), .state(i_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(started && out_valid && out_ready), .beat(out_beat), .legal(o_legal),
        .state(o_state), .after(o_after));
    always @*
        assume (!in_valid || i_legal);

    wire       full;
    wire [5:0] expected;
    samhw_due #(.W(6)) due (
        .clk(clk), .started(started), .put(take), .ready(out_ready), .full(full), .expected(expected),
        .beat(in_beat[6] ? {in_beat[6:3], in_beat[1:0]} : {2'd0, in_beat[4:3], 2'd2}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || (out_beat == expected && o_legal));
            assert (i_state == (full ? o_after : o_state));
            assert (!in_valid || take == (!full || out_ready));
        end

endmodule

`default_nettype wire
