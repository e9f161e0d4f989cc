// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order, with its structure; a leaf is the value where that is a
// coordinate, and absent where it is negative, not below dim, or absent itself. Of a canonical stream it
// makes a canonical one; what is offered stays until it is taken; a beat leaves in the next cycle that the
// consumer allows.
// case signed: VAL_W=4 SIGNED=1 CRD_W=2 OUT_W=2
// case unsigned: VAL_W=3 SIGNED=0 CRD_W=3 OUT_W=2
// case narrow: VAL_W=2 SIGNED=1 CRD_W=3 OUT_W=3
// mutant samhw_within: !s_kind[1] && value >= => value >=
// mutant samhw_within: s_kind[0] || beyond => beyond
// mutant samhw_within: wide[OUT_W-1:0] & {OUT_W{!beyond}} => wide[OUT_W-1:0]
// mutant samhw_within: !crd_valid || crd_ready; => crd_ready;
// mutant samhw_within: crd_valid <= s_valid; => crd_valid <= s_valid && !beyond;
// mutant samhw_within: value >= => value >
// mutant of unsigned,narrow samhw_within: SIGNED != 0 && => SIGNED == 0 &&
`default_nettype none

module formal_within #(
    parameter VAL_W  = 4,
    parameter SIGNED = 1,
    parameter CRD_W  = 2,
    parameter OUT_W  = 2
) (
    input wire             clk,
    input wire [CRD_W:0]   size,
    input wire             val_valid,
    input wire [VAL_W+3:0] val_beat,
    input wire             crd_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [CRD_W:0] dim;
    always @(posedge clk)
        if (!started)
            dim <= size;

    wire             val_ready;
    wire             crd_valid;
    wire [OUT_W+3:0] crd_beat;
    samhw_within #(.VAL_W(VAL_W), .SIGNED(SIGNED), .CRD_W(CRD_W), .OUT_W(OUT_W), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat)
    );
    wire take = started && val_valid && val_ready;

    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(VAL_W)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(i_legal), .state(i_state), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(OUT_W)) o_rules (
        .clk(clk), .rst(rst), .take(started && crd_valid && crd_ready), .beat(crd_beat), .legal(o_legal),
        .state(o_state), .after(o_after));
    always @* begin
        assume (!val_valid || i_legal);
        assume (!dim[CRD_W] || dim[CRD_W-1:0] == {CRD_W{1'b0}});
    end

    // Numbers from -8 to 7, and sizes to 8.
    wire [1:0]               kind  = val_beat[VAL_W+2 +: 2];
    wire [VAL_W+OUT_W-1:0]   wide  = {{OUT_W{1'b0}}, val_beat[VAL_W-1:0]};
    wire signed [5:0]        value = {{(6-VAL_W){SIGNED != 0 && val_beat[VAL_W-1]}}, val_beat[VAL_W-1:0]};
    wire signed [5:0]        limit = {{(5-CRD_W){1'b0}}, dim};
    wire                     there = kind == 2'd0 && value >= 6'sd0 && value < limit;

    wire             full;
    wire [OUT_W+3:0] expected;
    samhw_due #(.W(OUT_W+4)) due (
        .clk(clk), .started(started), .put(take), .ready(crd_ready), .full(full), .expected(expected),
        .beat({kind[1] ? kind : {1'b0, !there}, val_beat[VAL_W +: 2], wide[OUT_W-1:0] & {OUT_W{kind[1] || there}}}));

    always @*
        if (started) begin
            assert (crd_valid == full);
            assert (!full || (crd_beat == expected && o_legal));
            assert (i_state == (full ? o_after : o_state));
            assert (!val_valid || take == (!full || crd_ready));
        end

endmodule

`default_nettype wire
