// SPDX-License-Identifier: Apache-2.0
//
// samhw_skid of a scanner's references: each beat as what it becomes one level deeper.
//
//   Consumes    ref: stream of depth d.
//   Produces    DATA: a list to be filled, with its stop and the reference. Else no list: an
//               empty one or a NIL with its stop and hole; stop 0 is DONE.
//   Throughput  one beat per cycle.
//   Latency     none: a reference passes.
//   Boundary    as samhw_skid.
//   Parameters  REF_W (at least STOP_W), STOP_W.
//   Reset       valid bits.
`default_nettype none

module samhw_ref_skid #(
    parameter REF_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      ref_valid,
    output wire                      ref_ready,
    input  wire [2+STOP_W+REF_W-1:0] ref_beat,

    output wire                      out_valid,
    input  wire                      out_ready,
    output wire                      out_list,
    output wire [STOP_W-1:0]         out_stop,
    output wire [STOP_W-1:0]         out_hole,
    output wire [REF_W-1:0]          out_ref
);
    generate
        if (REF_W < 1 || STOP_W < 1 || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;

    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    samhw_skid #(.W(2+STOP_W+REF_W), .PASS(1)) u_ref (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat({kind, stop, out_ref})
    );

    wire [STOP_W-1:0] hole = kind == NIL ? out_ref[STOP_W-1:0] : NO_STOP;

    assign out_list = kind == DATA;
    assign out_stop = kind == DONE ? NO_STOP : stop + ONE_UP;
    assign out_hole = kind == DONE ? NO_STOP : hole + ONE_UP;

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && out_valid && out_ready && kind != DONE && stop == {STOP_W{1'b1}}) begin
            $display("samhw_ref_skid: the stop does not fit");
            $stop;
        end
`endif

endmodule

`default_nettype wire
