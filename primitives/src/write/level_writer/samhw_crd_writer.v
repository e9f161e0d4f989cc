// SPDX-License-Identifier: Apache-2.0
//
// samhw_level_writer without the seg array: the coordinates of a COO level.
`default_nettype none

module samhw_crd_writer #(
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire [REF_W-1:0]          crd_capacity,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0] crd_beat,

    output wire                      crd_write_valid,
    input  wire                      crd_write_ready,
    output wire [CRD_W+REF_W-1:0]    crd_write_beat,

    output wire                      finished_valid,
    input  wire                      finished_ready,
    output wire                      finished_beat,

    output wire [REF_W-1:0]          count,
    output wire                      overflow
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    samhw_value_writer #(.VAL_W(CRD_W), .ADDR_W(REF_W), .STOP_W(STOP_W)) u_writer (
        .clk(clk), .rst(rst), .capacity(crd_capacity), .fill({CRD_W{1'b0}}),
        .val_valid(crd_valid), .val_ready(crd_ready), .val_beat(crd_beat),
        .write_valid(crd_write_valid), .write_ready(crd_write_ready), .write_beat(crd_write_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );

endmodule

`default_nettype wire
