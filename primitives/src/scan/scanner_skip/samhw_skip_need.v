// SPDX-License-Identifier: Apache-2.0
//
// Part of samhw_scanner_skip: what is needed of the fiber at hand.
//
//   Contract    Fibers are numbered modulo 2**TAG_W, from 0 on; `leave` is the end of the fiber at hand.
//               lowest, over, capped and cap say what the newest skip and the newest bound of its number
//               said, from the cycle after they came; a skip counts only if it comes while its fiber is at
//               hand, a bound also for the 2**AHEAD_LOG2 - 1 fibers that follow. Without: lowest 0, neither
//               over nor capped. No other hint has an effect.
//   Boundary    all that is out are registers; hints are always taken.
//   Parameters  CRD_W bits of a coordinate, TAG_W of a fiber's number, more than AHEAD_LOG2.
//   Reset       the number, what is needed; bounds that do not count are not reset.
`default_nettype none

module samhw_skip_need #(
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
    output reg  [CRD_W-1:0]          lowest,   // the smallest coordinate needed
    output reg                       over,     // none is
    output reg                       capped,   // there is a largest one
    output reg  [CRD_W-1:0]          cap
);
    generate
        if (CRD_W < 1 || AHEAD_LOG2 < 1 || TAG_W <= AHEAD_LOG2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam AHEAD = 1 << AHEAD_LOG2;
    localparam [TAG_W-1:0] NEXT = 1;

    wire [CRD_W-1:0] s_crd;
    wire             s_over;
    wire [TAG_W-1:0] s_tag;
    wire [CRD_W-1:0] l_crd;
    wire             l_over;
    wire [TAG_W-1:0] l_tag;
    assign {s_crd, s_over, s_tag} = skip_beat;
    assign {l_crd, l_over, l_tag} = bound_beat;

    reg  [TAG_W-1:0] at;
    reg  [TAG_W-1:0] at_next;  // at + 1
    reg  [AHEAD-1:0] bounded;  // bounds of fibers that follow
    reg  [CRD_W-1:0] bounds [0:AHEAD-1];
    wire [TAG_W-1:0] ahead    = l_tag - at;
    wire             near     = bound_valid && ahead[TAG_W-1:AHEAD_LOG2] == {(TAG_W-AHEAD_LOG2){1'b0}};
    wire             for_it   = near && l_tag == at;
    wire             for_next = near && l_tag == at_next;
    wire             hint     = skip_valid && s_tag == at;
    always @(posedge clk)
        if (near)
            bounds[l_tag[AHEAD_LOG2-1:0]] <= l_crd;

    always @(posedge clk) begin
        if (rst || leave)
            lowest <= {CRD_W{1'b0}};
        else if (hint)
            lowest <= s_crd & {CRD_W{!s_over}};
        if (leave)
            cap <= for_next ? l_crd : bounds[at_next[AHEAD_LOG2-1:0]];
        else if (for_it)
            cap <= l_crd;
        if (rst) begin
            at      <= {TAG_W{1'b0}};
            at_next <= NEXT;
            over    <= 1'b0;
            capped  <= 1'b0;
            bounded <= {AHEAD{1'b0}};
        end else begin
            if (leave)
                {at, at_next} <= {at_next, at_next + NEXT};
            if (leave)
                over <= 1'b0;
            else if (hint)
                over <= s_over;
            if (leave)
                capped <= for_next || bounded[at_next[AHEAD_LOG2-1:0]];
            else if (for_it)
                capped <= 1'b1;
            if (near)
                bounded[l_tag[AHEAD_LOG2-1:0]] <= 1'b1;
            if (leave)
                bounded[at[AHEAD_LOG2-1:0]] <= 1'b0;
        end
    end

    wire _unused_ok = &{1'b0, l_over, ahead, 1'b0};

endmodule

`default_nettype wire
