// SPDX-License-Identifier: Apache-2.0
//
// Proof: a skid buffer is a queue of two. What it offers is the oldest beat it took and has not given, it offers it
// as soon as it has it, and it takes a beat unless it holds two: none is lost, repeated or overtaken, and each leaves
// when those before it have.
// with: samhw_skid
// with: samhw_skid_ahead
// mutant samhw_skid_ahead: head <= tail_full ? tail : => head <=
// mutant samhw_skid_ahead: (push && head_full && !pop) => (push && head_full)
// mutant samhw_skid_ahead: tail_full ? !pop : => tail_full ? 1'b1 :
// mutant samhw_skid_ahead: wire load = out_ready || !head_full; => wire load = out_ready;
`default_nettype none

module formal_skid (
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
    samhw_skid #(.W(3)) dut (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    reg  [1:0] count = 2'd0;
    reg  [2:0] first;
    reg  [2:0] second;
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
        end

endmodule

`default_nettype wire
