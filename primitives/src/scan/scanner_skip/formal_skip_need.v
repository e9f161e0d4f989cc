// SPDX-License-Identifier: Apache-2.0
//
// Proof: of the fiber at hand lowest and over say what the newest skip of its number said that came while it
// was at hand, capped and cap what the newest bound of its number said that came then or while the fiber
// before it was at hand; nothing else has an effect.
// with: samhw_skip_need
// by: reachability
// mutant samhw_skip_need: wire             hint     = skip_valid && s_tag == at;
//     => wire             hint     = skip_valid;
// mutant samhw_skip_need: cap <= for_next ? l_crd : bounds => cap <= bounds
// mutant samhw_skip_need: bounded[at[AHEAD_LOG2-1:0]] <= 1'b0; => bounded[at[AHEAD_LOG2-1:0]] <= for_it;
// mutant samhw_skip_need: ahead[TAG_W-1:AHEAD_LOG2] == {(TAG_W-AHEAD_LOG2){1'b0}} => 1'b1
// mutant samhw_skip_need: lowest <= s_crd & {CRD_W{!s_over}}; => lowest <= s_crd;
`default_nettype none

module formal_skip_need (
    input wire       clk,
    input wire       skip_valid,
    input wire [4:0] skip_beat,
    input wire       bound_valid,
    input wire [4:0] bound_beat,
    input wire       leave
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [1:0] lowest;
    wire       over;
    wire       capped;
    wire [1:0] cap;
    samhw_skip_need #(.CRD_W(2), .TAG_W(2), .AHEAD_LOG2(1)) dut (
        .clk(clk), .rst(rst),
        .skip_valid(skip_valid && started), .skip_beat(skip_beat),
        .bound_valid(bound_valid && started), .bound_beat(bound_beat),
        .leave(leave && started), .lowest(lowest), .over(over), .capped(capped), .cap(cap)
    );

    // The number of the fiber at hand, what is needed of it, and the bounds of it and the next.
    reg  [1:0] at    = 2'd0;
    reg  [1:0] need  = 2'd0;
    reg        none  = 1'b0;
    reg  [1:0] has   = 2'd0;
    reg  [1:0] mine;
    reg  [1:0] other;
    wire       skip  = skip_valid && skip_beat[1:0] == at;
    wire       now   = bound_valid && bound_beat[1:0] == at;
    wire       then_ = bound_valid && bound_beat[1:0] == at + 2'd1;
    wire       o_has = has[1] || then_;
    wire [1:0] o_cap = then_ ? bound_beat[4:3] : other;
    always @(posedge clk)
        if (started && leave) begin
            at          <= at + 2'd1;
            need        <= 2'd0;
            none        <= 1'b0;
            {has, mine} <= {1'b0, o_has, o_cap};
        end else if (started) begin
            if (skip)
                {need, none} <= {skip_beat[2] ? 2'd0 : skip_beat[4:3], skip_beat[2]};
            if (now)
                {has[0], mine} <= {1'b1, bound_beat[4:3]};
            {has[1], other} <= {o_has, o_cap};
        end

    always @*
        if (started) begin
            assert (over == none);
            assert (lowest == need);
            assert (capped == has[0]);
            assert (!capped || cap == mine);
        end

endmodule

`default_nettype wire
