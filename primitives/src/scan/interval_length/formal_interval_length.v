// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order, with its structure; a leaf is the number of coordinates
// from the first to the last, or the first, its low bits. Of a canonical stream it makes a canonical one;
// what is offered stays until it is taken; a beat leaves in the next cycle that the consumer allows.
// case whole: VAL_W=3 OUT_W=3
// case odd: VAL_W=1 OUT_W=2
// case wide: VAL_W=5 OUT_W=5
// case first: VAL_W=2 OUT_W=2 FIRST=1
// mutant samhw_interval_length: + ONE; => ;
// mutant samhw_interval_length: s_kind[1] ? hole[OUT_W-1:0] : => 1'b0 ? hole[OUT_W-1:0] :
// mutant samhw_interval_length: FIRST ? {1'b0, s_first} => FIRST ? {1'b0, s_last}
// mutant samhw_interval_length: !val_valid || val_ready; => val_ready;
// mutant samhw_interval_length: val_valid <= s_valid; => val_valid <= s_valid && !s_kind[0];
`default_nettype none

module formal_interval_length #(
    parameter VAL_W = 3,
    parameter OUT_W = 3,
    parameter FIRST = 0
) (
    input wire             clk,
    input wire             in_valid,
    input wire [7:0]       in_beat,
    input wire             val_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire             in_ready;
    wire             val_valid;
    wire [OUT_W+3:0] val_beat;
    samhw_interval_length #(.CRD_W(2), .VAL_W(VAL_W), .OUT_W(OUT_W), .FIRST(FIRST), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat)
    );
    wire take = started && in_valid && in_ready;

    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(in_beat), .legal(i_legal), .state(i_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(OUT_W)) o_rules (
        .clk(clk), .rst(rst), .take(started && val_valid && val_ready), .beat(val_beat), .legal(o_legal),
        .state(o_state), .after(o_after));
    wire [1:0] kind  = in_beat[7:6];
    wire [1:0] first = in_beat[1:0];
    wire [1:0] last  = in_beat[3:2];
    always @*
        assume (!in_valid || (i_legal && kind != 2'd1 && (kind[1] || last >= first)));

    wire [4:0]       length = FIRST ? {3'd0, first} : {3'd0, last} - {3'd0, first} + 5'd1;
    wire [4:0]       own    = kind[1] ? {3'd0, first} : length & ((5'd1 << VAL_W) - 5'd1);
    wire             full;
    wire [OUT_W+3:0] expected;
    samhw_due #(.W(OUT_W+4)) due (
        .clk(clk), .started(started), .put(take), .ready(val_ready), .full(full), .expected(expected),
        .beat({in_beat[7:4], own[OUT_W-1:0]}));

    always @*
        if (started) begin
            assert (val_valid == full);
            assert (!full || (val_beat == expected && o_legal));
            assert (i_state == (full ? o_after : o_state));
            assert (!in_valid || take == (!full || val_ready));
        end

    wire _unused_ok = &{1'b0, own, 1'b0};

endmodule

`default_nettype wire
