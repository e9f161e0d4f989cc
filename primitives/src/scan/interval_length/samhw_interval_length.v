// SPDX-License-Identifier: Apache-2.0
//
// Lengths of intervals: how many coordinates each one has, or which is its first.
//
//   Consumes    in: intervals {last, first} of any depth, leaves DATA, first at most last.
//   Produces    val: their shape; a leaf is last - first + 1, or first, its low VAL_W bits.
//   Throughput  one beat per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W bits of a coordinate; VAL_W of a length (a larger one is cut); OUT_W of the
//               payload of val, the greater of VAL_W and STOP_W; FIRST 1 gives first coordinates;
//               STOP_W stop bits, at most CRD_W.
//   Reset       valid bits; payloads are not reset.
//   Source      "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_interval_length #(
    parameter CRD_W  = 16,
    parameter VAL_W  = 16,
    parameter OUT_W  = 16,
    parameter FIRST  = 0,
    parameter STOP_W = 3
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire                        in_valid,
    output wire                        in_ready,
    input  wire [2+STOP_W+2*CRD_W-1:0] in_beat,

    output reg                         val_valid,
    input  wire                        val_ready,
    output reg  [2+STOP_W+OUT_W-1:0]   val_beat
);
    generate
        if (CRD_W < 1 || VAL_W < 1 || STOP_W < 1
            || OUT_W < VAL_W || OUT_W < STOP_W
            || STOP_W > CRD_W
            || FIRST < 0 || FIRST > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [CRD_W:0] ONE = 1;

    wire               step = !val_valid || val_ready;
    wire               s_valid;
    wire [1:0]         s_kind;
    wire [STOP_W-1:0]  s_stop;
    wire [CRD_W-1:0]   s_last;
    wire [CRD_W-1:0]   s_first;
    samhw_skid #(.W(2+STOP_W+2*CRD_W), .PASS(1)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(step), .out_beat({s_kind, s_stop, s_last, s_first})
    );

    // What is no interval has a hole in its low bits.
    wire [CRD_W:0]         length = FIRST ? {1'b0, s_first} : {1'b0, s_last} - {1'b0, s_first} + ONE;
    wire [CRD_W+VAL_W:0]   wide   = {{VAL_W{1'b0}}, length};
    wire [OUT_W+VAL_W-1:0] number = {{OUT_W{1'b0}}, wide[VAL_W-1:0]};
    wire [OUT_W+CRD_W-1:0] hole   = {{OUT_W{1'b0}}, s_first};

    always @(posedge clk) begin
        if (step)
            val_beat <= {s_kind, s_stop, s_kind[1] ? hole[OUT_W-1:0] : number[OUT_W-1:0]};
        if (rst)
            val_valid <= 1'b0;
        else if (step)
            val_valid <= s_valid;
    end

    wire _unused_ok = &{1'b0, wide, number, hole, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && step && s_valid && !s_kind[1] && s_last < s_first) begin
            $display("samhw_interval_length: an interval ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
