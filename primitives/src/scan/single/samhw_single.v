// SPDX-License-Identifier: Apache-2.0
//
// Single: each coordinate as a list that holds it alone.
//
//   Consumes    crd: coordinates of depth d, leaves DATA or EMPTY.
//   Produces    list: depth d+1; a DATA leaf is a list of itself, an EMPTY one an empty list.
//   Throughput  one beat per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W bits of a coordinate; STOP_W stop bits, at most CRD_W.
//   Reset       valid bits; payloads are not reset.
//   Source      computed indices; not in the SAM paper.
`default_nettype none

module samhw_single #(
    parameter CRD_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0] crd_beat,

    output reg                       list_valid,
    input  wire                      list_ready,
    output reg  [2+STOP_W+CRD_W-1:0] list_beat
);
    generate
        if (CRD_W < 1 || STOP_W < 1 || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;

    wire              step = !list_valid || list_ready;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [CRD_W-1:0]  s_crd;
    samhw_skid #(.W(2+STOP_W+CRD_W), .PASS(1)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(s_valid), .out_ready(step), .out_beat({s_kind, s_stop, s_crd})
    );

    // An empty leaf has payload 0, as DONE has: the hole of what is no coordinate is one more than what is there.
    wire                    done = s_kind == DONE;
    wire                    data = s_kind == DATA;
    wire [STOP_W-1:0]       up   = done ? NO_STOP : ONE_UP;
    wire [STOP_W-1:0]       hole = s_crd[STOP_W-1:0] + (done || data ? NO_STOP : ONE_UP);
    wire [CRD_W+STOP_W-1:0] wide = {{STOP_W{1'b0}}, s_crd};
    wire [CRD_W+STOP_W-1:0] high = {wide[STOP_W +: CRD_W], hole};

    always @(posedge clk) begin
        if (step)
            list_beat <= {s_kind[1] || s_kind[0], done, s_stop + up, high[CRD_W-1:0]};
        if (rst)
            list_valid <= 1'b0;
        else if (step)
            list_valid <= s_valid;
    end

    wire _unused_ok = &{1'b0, high, wide, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && s_valid && step && !done && s_stop == {STOP_W{1'b1}}) begin
            $display("samhw_single: the stop does not fit");
            $stop;
        end
`endif

endmodule

`default_nettype wire
