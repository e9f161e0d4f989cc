// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each bound, one after the other, comes the last coordinate that it leaves, or that it leaves
// none; up to two of them wait, and a bound is taken whenever there is room.
// by: reachability
// case closed: HI=1 SIGNED=0 B=4
// case open: HI=2 SIGNED=0 B=4
// case signed: HI=2 SIGNED=1 B=4
// case same: HI=1 SIGNED=1 B=2
// case narrow: HI=2 SIGNED=0 B=2
// mutant samhw_until_bound: none  = b_kind != DATA || => none  =
// mutant of signed,same samhw_until_bound: (SIGNED != 0 && b_hi[BOUND_W-1]) => 1'b0
// mutant of open,narrow samhw_until_bound: HI == 2 && b_hi == {BOUND_W{1'b0}} => 1'b0
// mutant of closed,open,signed samhw_until_bound: above ? LAST => 1'b0 ? LAST
// mutant of open,narrow samhw_until_bound: wide[CRD_W-1:0] - BELOW => wide[CRD_W-1:0]
// mutant of closed,same samhw_until_bound: HI == 2 ? wide => HI != 0 ? wide
`default_nettype none

module formal_until_bound #(
    parameter HI     = 1,
    parameter SIGNED = 0,
    parameter B      = 4   // bits of a bound
) (
    input wire         clk,
    input wire         bound_valid,
    input wire [B+3:0] bound_beat,
    input wire         out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       bound_ready;
    wire       out_valid;
    wire       none;
    wire [1:0] to;
    samhw_until_bound #(
        .CRD_W(2), .STOP_W(2), .HI(HI), .BOUND_W(B), .SIGNED(SIGNED), .ITEMS_LOG2(1)
    ) dut (
        .clk(clk), .rst(rst),
        .bound_valid(bound_valid), .bound_ready(bound_ready), .bound_beat(bound_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_none(none), .out_to(to)
    );

    // As a number: coordinates go up to 3.
    wire signed [B+1:0] hi   = {{2{SIGNED != 0 && bound_beat[B-1]}}, bound_beat[B-1:0]};
    wire signed [B+1:0] most = hi - (HI == 2 ? 1 : 0);
    wire                any  = bound_beat[B+3:B+2] == 2'd0 && most >= 0;
    wire                take = started && bound_valid && bound_ready;
    wire [2:0]          owed;
    samhw_owed #(.W(3), .DEPTH(2)) bounds (
        .clk(clk), .started(started), .put(take), .beat({!any, !any ? 2'd0 : most > 3 ? 2'd3 : most[1:0]}),
        .valid(out_valid), .ready(out_ready), .given({none, none ? 2'd0 : to}), .count(owed));

    always @*
        if (started) begin
            assert (out_valid == (owed != 3'd0));
            assert (bound_ready == (owed < 3'd2));
        end

endmodule

`default_nettype wire
