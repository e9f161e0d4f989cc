// SPDX-License-Identifier: Apache-2.0
//
// Scanner of what is the same at every coordinate: one interval for each reference.
//
//   Consumes    ref: stream of depth d, leaves DATA or EMPTY; dim: 0 .. 2**CRD_W, stable during a
//               run.
//   Produces    out {interval {last, first}, ref}: depth d+1, a list of the one interval 0 .. dim-1
//               for each leaf, with its ref. dim 0 and an EMPTY leaf give an empty list.
//   Throughput  one beat per cycle, whatever the size.
//   Latency     one cycle.
//   Parameters  REF_W bits of the references, CRD_W of coordinates, STOP_W stop bits (at most REF_W
//               and CRD_W).
//   Reset       valid bits; payloads are not reset.
//   Source      "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_scanner_whole #(
    parameter REF_W  = 16,
    parameter CRD_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire [CRD_W:0]                    dim,

    input  wire                              ref_valid,
    output wire                              ref_ready,
    input  wire [2+STOP_W+REF_W-1:0]         ref_beat,

    output reg                               out_valid,
    input  wire                              out_ready,
    output reg  [2+STOP_W+REF_W+2*CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || STOP_W > REF_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE_UP  = 1;
    localparam [CRD_W-1:0]  ONE_ON  = 1;

    wire              step = !out_valid || out_ready;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [REF_W-1:0]  s_ref;
    samhw_skid #(.W(2+STOP_W+REF_W), .PASS(1)) u_ref (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
        .out_valid(s_valid), .out_ready(step), .out_beat({s_kind, s_stop, s_ref})
    );

    // dim is stable during a run, and there a cycle before.
    reg             no_fiber;
    reg [CRD_W-1:0] last;
    always @(posedge clk) begin
        no_fiber <= dim == {(CRD_W+1){1'b0}};
        last     <= dim[CRD_W-1:0] - ONE_ON;
    end

    wire                      done = s_kind == DONE;
    wire                      list = s_kind == DATA && !no_fiber;
    wire [STOP_W-1:0]         hole = (s_kind[1] ? s_ref[STOP_W-1:0] : NO_STOP) + ONE_UP;
    wire [2*CRD_W-1:0]        none = {{(2*CRD_W-STOP_W){1'b0}}, done ? NO_STOP : hole};

    always @(posedge clk) begin
        if (step)
            out_beat <= {!list, done, done ? NO_STOP : s_stop + ONE_UP, list ? s_ref : {REF_W{1'b0}},
                         list ? {last, {CRD_W{1'b0}}} : none};
        if (rst)
            out_valid <= 1'b0;
        else if (step)
            out_valid <= s_valid;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && s_valid && step && !done && s_stop == {STOP_W{1'b1}}) begin
            $display("samhw_scanner_whole: the stop does not fit");
            $stop;
        end
`endif

endmodule

`default_nettype wire
