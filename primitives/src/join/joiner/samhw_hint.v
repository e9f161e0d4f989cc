// SPDX-License-Identifier: Apache-2.0
//
// Register of the hints to a scanner. Advice that may be lost: a hint that finds it full is dropped; nothing
// ever waits for it.
//
//   Consumes    send: a hint is to be sent {over, fiber, crd}.
//   Produces    {crd, over, fiber}.
//   Latency     1 cycle.
//   Parameters  CRD_W bits of a coordinate; TAG_W bits of a fiber's number.
//   Reset       the valid bit.
`default_nettype none

module samhw_hint #(
    parameter CRD_W = 16,
    parameter TAG_W = 6
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire                 send,
    input  wire                 over,
    input  wire [TAG_W-1:0]     fiber,
    input  wire [CRD_W-1:0]     crd,

    output wire                 valid,
    input  wire                 ready,
    output wire [CRD_W+TAG_W:0] beat
);
    generate
        if (CRD_W < 1 || TAG_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg             full;
    reg [TAG_W:0]   tag;
    reg [CRD_W-1:0] from;
    wire            free = !full || ready;
    always @(posedge clk) begin
        // What is not valid may be anything, so this need not wait for `send`.
        if (free) begin
            tag <= {over, fiber};
            from <= crd;
        end
        if (rst)
            full <= 1'b0;
        else if (free)
            full <= send;
    end
    assign valid = full;
    assign beat = {from, tag};

endmodule

`default_nettype wire
