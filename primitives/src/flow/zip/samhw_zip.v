// SPDX-License-Identifier: Apache-2.0
//
// Zip: two streams of one shape become one stream of pairs.
//
//   Consumes    first: leaves DATA; second: the same shape, leaves DATA or EMPTY.
//   Produces    out: pairs {second, first}, EMPTY where second is.
//   Throughput  one beat per cycle.
//   Latency     2 cycles.
//   Parameters  FIRST_W, SECOND_W payload bits; STOP_W stop bits, no more than either.
//   Reset       valid bits.
`default_nettype none

module samhw_zip #(
    parameter FIRST_W  = 16,
    parameter SECOND_W = 16,
    parameter STOP_W   = 3
) (
    input  wire                                 clk,
    input  wire                                 rst,

    input  wire                                 first_valid,
    output wire                                 first_ready,
    input  wire [2+STOP_W+FIRST_W-1:0]          first_beat,

    input  wire                                 second_valid,
    output wire                                 second_ready,
    input  wire [2+STOP_W+SECOND_W-1:0]         second_beat,

    output reg                                  out_valid,
    input  wire                                 out_ready,
    output reg  [2+STOP_W+SECOND_W+FIRST_W-1:0] out_beat
);
    generate
        if (FIRST_W < 1 || SECOND_W < 1 || STOP_W < 1
            || STOP_W > FIRST_W || STOP_W > SECOND_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    wire                a_valid;
    wire [1:0]          a_kind;
    wire [STOP_W-1:0]   a_stop;
    wire [FIRST_W-1:0]  a_data;
    wire                b_valid;
    wire [1:0]          b_kind;
    wire [STOP_W-1:0]   b_stop;
    wire [SECOND_W-1:0] b_data;

    wire go = a_valid && b_valid && (!out_valid || out_ready);

    samhw_skid #(.W(2+STOP_W+FIRST_W)) u_first (
        .clk(clk), .rst(rst),
        .in_valid(first_valid), .in_ready(first_ready), .in_beat(first_beat),
        .out_valid(a_valid), .out_ready(go), .out_beat({a_kind, a_stop, a_data})
    );
    samhw_skid #(.W(2+STOP_W+SECOND_W)) u_second (
        .clk(clk), .rst(rst),
        .in_valid(second_valid), .in_ready(second_ready), .in_beat(second_beat),
        .out_valid(b_valid), .out_ready(go), .out_beat({b_kind, b_stop, b_data})
    );

    always @(posedge clk) begin
        if (go)
            out_beat <= {b_kind, a_stop, b_kind == DATA ? b_data : {SECOND_W{1'b0}}, a_data};
        if (rst)
            out_valid <= 1'b0;
        else if (go || out_ready)
            out_valid <= go;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && (a_stop != b_stop || a_kind[1] != b_kind[1])) begin
            $display("samhw_zip: first and second are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, a_kind, b_stop, 1'b0};

endmodule

`default_nettype wire
