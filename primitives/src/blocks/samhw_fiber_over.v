// SPDX-License-Identifier: Apache-2.0
//
// Whether hints of an early exit said that nothing more of the fiber at hand is needed.
//
//   Consumes    skip: hints {crd, over, fiber}, in any cycle with skip_valid; fibers are counted modulo
//               2**TAG_W. leaves: the last beat of the fiber at hand leaves.
//   Produces    over, from the cycle after the hint on until the fiber leaves. No other hint has an effect.
//   Parameters  TAG_W bits of a fiber's number; CRD_W of a coordinate in the hints.
//   Reset       the fiber's number, over.
`default_nettype none

module samhw_fiber_over #(
    parameter TAG_W = 12,
    parameter CRD_W = 16
) (
    input  wire                   clk,
    input  wire                   rst,

    input  wire                   skip_valid,
    input  wire [CRD_W+TAG_W:0]   skip_beat,

    input  wire                   leaves,
    output reg                    over
);
    generate
        if (TAG_W < 1 || CRD_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [TAG_W-1:0] NEXT = 1;

    reg  [TAG_W-1:0] fiber;
    wire             told = skip_valid && skip_beat[TAG_W] && skip_beat[TAG_W-1:0] == fiber;
    always @(posedge clk)
        if (rst) begin
            fiber <= {TAG_W{1'b0}};
            over  <= 1'b0;
        end else begin
            over <= !leaves && (over || told);
            if (leaves)
                fiber <= fiber + NEXT;
        end

    wire _unused_ok = &{1'b0, skip_beat, 1'b0};

endmodule

`default_nettype wire
