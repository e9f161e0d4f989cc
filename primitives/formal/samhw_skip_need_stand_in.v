// SPDX-License-Identifier: Apache-2.0
//
// Stands for what the hints say in the proof of samhw_scanner_skip: any hints may have come, so that anything
// is needed, and in the cycle after a fiber left everything is. What the hints do say is proved in
// scanner_skip/formal_skip_need.v.
`default_nettype none

module samhw_skip_need_stand_in #(
    parameter CRD_W      = 16,
    parameter TAG_W      = 6,
    parameter AHEAD_LOG2 = 4
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      skip_valid,
    input  wire [CRD_W+1+TAG_W-1:0]  skip_beat,
    input  wire                      bound_valid,
    input  wire [CRD_W+1+TAG_W-1:0]  bound_beat,

    input  wire                      leave,
    output wire [CRD_W-1:0]          lowest,
    output wire                      over,
    output wire                      capped,
    output wire [CRD_W-1:0]          cap
);

    // Anything, in every cycle.
    (* anyseq *) reg [CRD_W-1:0] any_lowest;
    (* anyseq *) reg             any_over;
    (* anyseq *) reg             any_capped;
    (* anyseq *) reg [CRD_W-1:0] any_cap;

    reg fresh = 1'b1;
    always @(posedge clk)
        fresh <= rst || leave;
    assign lowest = fresh ? {CRD_W{1'b0}} : any_lowest;
    assign over   = !fresh && any_over;
    assign capped = any_capped;
    assign cap    = any_cap;

    wire _unused_ok = &{1'b0, skip_valid, skip_beat, bound_valid, bound_beat, AHEAD_LOG2 != 0, 1'b0};

endmodule

`default_nettype wire
