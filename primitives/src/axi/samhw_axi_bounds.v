// SPDX-License-Identifier: Apache-2.0
//
// Watches the segments that a core reads: every fiber ends where it begins or later, and within the array it lies in.
//
//   Consumes    told, bounds {end, begin}: the answer of a pair of segments is taken; limit: words of the array.
//   Produces    wrong: two cycles after the first pair that goes back or leads beyond limit, until reset.
//   Parameters  DATA_W bits of a segment, LIMIT_W of limit.
//   Reset       all state. limit is stable in between.
`default_nettype none

module samhw_axi_bounds #(
    parameter DATA_W  = 16,
    parameter LIMIT_W = 17
) (
    input  wire                clk,
    input  wire                rst,

    input  wire [LIMIT_W-1:0]  limit,

    input  wire                told,
    input  wire [2*DATA_W-1:0] bounds,

    output reg                 wrong
);
    generate
        if (DATA_W < 1 || LIMIT_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = DATA_W > LIMIT_W ? DATA_W : LIMIT_W;

    reg               s_valid;
    reg  [DATA_W-1:0] s_begin;
    reg  [DATA_W-1:0] s_end;
    wire [W:0]        wide_end   = {{(W+1-DATA_W){1'b0}}, s_end};
    wire [W:0]        wide_limit = {{(W+1-LIMIT_W){1'b0}}, limit};

    always @(posedge clk) begin
        if (told)
            {s_end, s_begin} <= bounds;
        if (rst) begin
            s_valid <= 1'b0;
            wrong   <= 1'b0;
        end else begin
            s_valid <= told;
            wrong   <= wrong || (s_valid && (s_end < s_begin || wide_end > wide_limit));
        end
    end

endmodule

`default_nettype wire
