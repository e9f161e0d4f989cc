// SPDX-License-Identifier: Apache-2.0
//
// Proof: a skid buffer that passes, and one for beats that come late, is a queue of one whose head is the
// beat that arrives, while it holds none. It takes a beat unless it holds one: none is lost, repeated or
// overtaken, and each leaves as soon as it is wanted.
// with: samhw_skid
// with: samhw_skid_late
// case pass: LATE=0
// case late: LATE=1
// mutant of pass samhw_skid: assign out_beat  = full ? kept : in_beat; => assign out_beat  = in_beat;
// mutant of pass samhw_skid: full <= !rst && out_valid && !out_ready; => full <= !rst && in_valid && !out_ready;
// mutant of pass samhw_skid: assign in_ready  = !full; => assign in_ready  = 1'b1;
// mutant of late samhw_skid_late: assign out_beat  = full ? kept : in_beat; => assign out_beat  = in_beat;
// mutant of late samhw_skid_late: full <= !rst && out_valid && !out_ready; => full <= !rst && in_valid && !out_ready;
// mutant of late samhw_skid_late: if (in_valid && !full) => if (in_valid)
`default_nettype none

module formal_skid_pass #(
    parameter LATE = 0
) (
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
    generate
        if (LATE != 0) begin : g_late
            samhw_skid_late #(.W(3)) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end else begin : g_pass
            samhw_skid #(.W(3), .PASS(1)) dut (
                .clk(clk), .rst(rst),
                .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
            );
        end
    endgenerate

    reg        holds = 1'b0;
    reg  [2:0] first;
    wire       push = in_valid && in_ready;
    wire       pop  = out_valid && out_ready;

    always @(posedge clk)
        if (started) begin
            holds <= (holds || push) && !pop;
            if (push)
                first <= in_beat;
        end

    always @*
        if (started) begin
            assert (in_ready == !holds);
            assert (out_valid == (holds || in_valid));
            assert (!out_valid || out_beat == (holds ? first : in_beat));
        end

endmodule

`default_nettype wire
