// SPDX-License-Identifier: Apache-2.0
//
// Intersection of two operands that come in groups of coordinates (samhw_scanner_wide): compares all of one
// group with all of another.
//
//   Consumes, produces, throughput, latency, parameters, reset, source: as samhw_joiner_wide_skip, which this
//   is without hints.
`default_nettype none

module samhw_joiner_wide #(
    parameter CRD_W     = 16,
    parameter REF_W     = 16,
    parameter STOP_W    = 3,
    parameter WIDE_LOG2 = 1,
    parameter [2:0] USED = 3'b111
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire [1:0]                    in_valid,
    output wire [1:0]                    in_ready,
    input  wire [2*(2+STOP_W+REF_W+WIDE_LOG2+(CRD_W<<WIDE_LOG2))-1:0] in_beat,

    output wire                          crd_valid,
    input  wire                          crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]     crd_beat,

    output wire [1:0]                    ref_valid,
    input  wire [1:0]                    ref_ready,
    output wire [2*(2+STOP_W+REF_W)-1:0] ref_beat
);
    generate
        if (CRD_W < 1 || REF_W < 1 || STOP_W < 1 || WIDE_LOG2 < 1
            || STOP_W > CRD_W || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [1:0]             skip_valid;
    wire [2*(CRD_W+2)-1:0] skip_beat;
    samhw_joiner_wide_skip #(
        .CRD_W(CRD_W), .REF_W(REF_W), .STOP_W(STOP_W), .WIDE_LOG2(WIDE_LOG2), .USED(USED), .TAG_W(1), .SKIPS(2'b00)
    ) u_join (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .skip_valid(skip_valid), .skip_ready(2'b11), .skip_beat(skip_beat)
    );
    wire _unused_ok = &{1'b0, skip_valid, skip_beat, 1'b0};

endmodule

`default_nettype wire
