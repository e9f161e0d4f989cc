// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each pair of aligned beats, in order, with their structure; a leaf is the
// coordinate that came with the first of the list's least (greatest) values up to there. Of
// canonical streams it makes a canonical one; what is offered stays until it is taken; a pair is
// taken in the cycle in which the consumer allows it.
// by: reachability
// case least: GREATEST=0 SIGNED=0
// case greatest: GREATEST=1 SIGNED=1
// mutant samhw_prefix_first: wire                   take  = !some || better; => wire                   take  = better;
// mutant samhw_prefix_first: best <= take ? own : best; => best <= own;
// mutant samhw_prefix_first: some <= inner; => some <= 1'b1;
// mutant samhw_prefix_first: wire go   = c_valid && v_valid && free; => wire go   = v_valid && free;
// mutant samhw_prefix_first: if (free) => if (out_ready)
// mutant of least samhw_prefix_first: best < own : own < best; => best < own : own <= best;
`default_nettype none

module formal_prefix_first #(
    parameter GREATEST = 0,
    parameter SIGNED   = 0
) (
    input wire       clk,
    input wire       crd_valid,
    input wire [7:0] crd_beat,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       crd_ready;
    wire       val_ready;
    wire       out_valid;
    wire [5:0] out_beat;
    samhw_prefix_first #(
        .GREATEST(GREATEST), .SIGNED(SIGNED), .W(2), .VAL_W(2), .CRD_W(2), .IN_W(4), .OUT_W(2), .STOP_W(2)
    ) dut (
        .clk(clk), .rst(rst),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && val_valid && val_ready;
    wire give = started && out_valid && out_ready;

    wire [1:0] kind = val_beat[5:4];
    wire [1:0] stop = val_beat[3:2];
    wire [1:0] val  = val_beat[1:0];
    wire       leaf = !kind[1];

    // The best value of the list so far, in unsigned order, the greater one better, and where it came.
    reg        seen = 1'b0;
    reg  [1:0] best = 2'd0;
    reg  [1:0] at   = 2'd0;
    wire [1:0] flip  = {SIGNED != 0, 1'b0};
    wire [1:0] own   = (val ^ flip) ^ {2{GREATEST == 0}};
    wire       wins  = !seen || own > best;
    wire [1:0] here  = wins ? crd_beat[1:0] : at;
    always @(posedge clk)
        if (take && leaf) begin
            seen <= stop == 2'd0;
            best <= stop == 2'd0 ? (wins ? own : best) : 2'd0;
            at   <= stop == 2'd0 ? here : 2'd0;
        end

    wire c_legal;
    wire v_legal;
    wire o_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(4)) c_rules (
        .clk(clk), .rst(rst), .take(started && crd_valid && crd_ready), .beat(crd_beat), .legal(c_legal), .state(),
        .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) v_rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(v_legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) o_rules (
        .clk(clk), .rst(rst), .take(give), .beat(out_beat), .legal(o_legal), .state(), .after());
    always @* begin
        assume (!crd_valid || (c_legal && crd_beat[7:6] != 2'd1));
        assume (!val_valid || (v_legal && kind != 2'd1));
        assume (!crd_valid || !val_valid || (crd_beat[7] == val_beat[5] && crd_beat[5:4] == stop
            && (leaf || (crd_beat[6] == val_beat[4] && crd_beat[3:0] == {2'd0, val}))));
    end

    wire [2:0] owed;
    samhw_owed #(.W(6), .DEPTH(1)) beats (
        .clk(clk), .started(started), .put(take), .beat(leaf ? {2'd0, stop, here} : val_beat),
        .valid(out_valid), .ready(out_ready), .given(out_beat), .count(owed));

    always @*
        if (started) begin
            assert (out_valid == (owed != 3'd0));
            assert (!out_valid || o_legal);
            assert (!(crd_valid && val_valid) || (val_ready == (owed == 3'd0 || out_ready) && crd_ready == val_ready));
            assert (!val_valid || !val_ready || crd_valid);
            assert (!crd_valid || !crd_ready || val_valid);
        end

endmodule

`default_nettype wire
