// SPDX-License-Identifier: Apache-2.0
//
// Proof: every branch gets every beat once and in order, at its own pace; the fork holds two beats, takes one
// unless it does, and a branch is offered the next beat as soon as all have taken the one before. With AHEAD
// that is so of branch 0 alone; the other one, always ready, is offered a beat in the cycle after it was taken.
// case alike: AHEAD=0
// case ahead: AHEAD=1
// mutant of alike samhw_fork: (load ? comes & SLOW : left) => (load ? comes & SLOW : out_valid)
// mutant of ahead samhw_fork: {N{in_valid && !tail_full}} & ~SLOW => {N{in_valid}} & ~SLOW
// mutant of ahead samhw_fork: {N{in_valid && !tail_full}} & ~SLOW => comes & ~SLOW
// mutant of ahead samhw_fork: taken <= in_beat; => taken <= head;
// mutant of ahead samhw_fork: AHEAD != 0 ? FIRST : {N{1'b1}}; => {N{1'b1}};
// mutant samhw_fork: tail_full <= !load && (tail_full || in_valid) => tail_full <= !load && in_valid
// mutant samhw_fork: head <= tail_full ? tail : in_beat; => head <= in_beat;
// mutant samhw_fork: wire         load  = left == {N{1'b0}}; => wire         load  = left != {N{1'b1}};
`default_nettype none

module formal_fork #(
    parameter AHEAD = 0
) (
    input wire       clk,
    input wire       in_valid,
    input wire [1:0] in_beat,
    input wire [1:0] out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire [1:0] out_valid;
    wire [3:0] out_beat;
    samhw_fork #(.N(2), .W(2), .AHEAD(AHEAD)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    // Beats that not all branches have, oldest first, and which branches lack the oldest.
    reg  [1:0] count = 2'd0;
    reg  [1:0] lacks = 2'd0;
    reg  [1:0] first;
    reg  [1:0] second;
    wire       push = in_valid && in_ready;
    wire [1:0] slow = AHEAD != 0 ? 2'b01 : 2'b11;
    wire [1:0] left = lacks & ~out_ready & slow;
    reg        next = 1'b0;
    reg  [1:0] last;
    wire       pop  = count != 2'd0 && left == 2'd0;

    always @(posedge clk)
        if (started) begin
            count <= count + {1'b0, push} - {1'b0, pop};
            lacks <= ((count == {1'b0, pop}) ? {2{push}} : pop ? 2'b11 : left) & slow;
            next  <= push;
            last  <= in_beat;
            if (pop || count == 2'd0)
                first <= count == 2'd2 ? second : in_beat;
            if (push)
                second <= in_beat;
        end

    always @*
        if (started && AHEAD != 0)
            assume (out_ready[1]);
    always @*
        if (started) begin
            assert (count <= 2'd2);
            assert ((count != 2'd0) == (lacks != 2'd0));
            assert (AHEAD != 0 || out_valid == lacks);
            assert (AHEAD == 0 || out_valid == {next, lacks[0]});
            assert (AHEAD == 0 || !next || out_beat[3:2] == last);
            assert (in_ready == (count != 2'd2));
            assert (!lacks[0] || out_beat[1:0] == first);
            assert (AHEAD != 0 || !lacks[1] || out_beat[3:2] == first);
        end

endmodule

`default_nettype wire
