// SPDX-License-Identifier: Apache-2.0
//
// Proof: a buffer that shows both of its beats is a queue of two, also if only the top bits of a beat are
// looked at and the rest is in registers of its own. What it offers is the oldest beat it took and has not
// given, whole, and behind it it shows the top bits of the next.
// by: reachability
// with: samhw_skid_ahead
// mutant samhw_skid_ahead: from <= from ^ pop; => from <= from ^ out_ready;
// mutant samhw_skid_ahead: to   <= to ^ push; => to   <= to ^ in_valid;
// mutant samhw_skid_ahead: if (!tail_full && to) => if (to)
// mutant samhw_skid_ahead: head <= tail_full ? tail : => head <=
`default_nettype none

module formal_skid_ahead (
    input wire       clk,
    input wire       in_valid,
    input wire [2:0] in_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       in_ready;
    wire       out_valid;
    wire [2:0] out_beat;
    wire       next_valid;
    wire [0:0] next_beat;
    samhw_skid_ahead #(.W(3), .SHOWN(1)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat),
        .next_valid(next_valid), .next_beat(next_beat)
    );

    reg  [1:0] count = 2'd0;
    reg  [2:0] first = 3'd0;
    reg  [2:0] second = 3'd0;
    wire       push = in_valid && in_ready;
    wire       pop  = out_valid && out_ready;

    always @(posedge clk)
        if (started) begin
            count <= count + {1'b0, push} - {1'b0, pop};
            if (pop || count == 2'd0)
                first <= count == 2'd2 ? second : in_beat;
            if (push)
                second <= in_beat;
        end

    always @*
        if (started) begin
            assert (count <= 2'd2);
            assert (out_valid == (count != 2'd0));
            assert (in_ready == (count != 2'd2));
            assert (!out_valid || out_beat == first);
            assert (next_valid == (count == 2'd2));
            assert (!next_valid || next_beat == second[2]);
        end

endmodule

`default_nettype wire
