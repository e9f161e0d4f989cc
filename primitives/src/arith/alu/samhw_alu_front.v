// SPDX-License-Identifier: Apache-2.0
//
// Front of an ALU: takes a beat of every stream at once and makes the arguments of the function.
//
//   Consumes    in[k]: STREAMS streams, aligned leaf by leaf.
//   Produces    the beat's kind, stop and hole, and ARGS arguments: of argument k, field k of
//               VALUES if it is FIXED, else what stream FROM[k] carries, or VALUES if that is
//               EMPTY. With P the set of streams whose leaf is DATA, a leaf is EMPTY where bit P
//               of EMIT is 0.
//   Throughput  one beat per cycle with step; the input buffers' contents otherwise wait.
//   Latency     one cycle; none with PASS.
//   Parameters  STREAMS 1 to 4; ARGS 1 to 4; IN_W widest payload; STOP_W; FROM 2 bits each, FIXED
//               one bit each, VALUES IN_W bits each; EMIT by set of streams; PASS as in
//               samhw_skid.
//   Reset       valid bits.
`default_nettype none

module samhw_alu_front #(
    parameter                         STREAMS = 2,
    parameter                         ARGS    = 2,
    parameter                         IN_W    = 16,
    parameter                         STOP_W  = 3,
    parameter [2*ARGS-1:0]            FROM    = 4'b0100,
    parameter [ARGS-1:0]              FIXED   = {ARGS{1'b0}},
    parameter [ARGS*IN_W-1:0]         VALUES  = {(ARGS*IN_W){1'b0}},
    parameter [(1<<STREAMS)-1:0]      EMIT    = {{((1<<STREAMS)-1){1'b1}}, 1'b0},
    parameter                         PASS    = 0
) (
    input  wire                                  clk,
    input  wire                                  rst,

    input  wire [STREAMS-1:0]                    in_valid,
    output wire [STREAMS-1:0]                    in_ready,
    input  wire [STREAMS*(2+STOP_W+IN_W)-1:0]    in_beat,

    output wire                                  valid,
    input  wire                                  step,
    output wire [1:0]                            kind,
    output wire [STOP_W-1:0]                     stop,
    output wire [STOP_W-1:0]                     hole,
    output wire [ARGS*IN_W-1:0]                  args
);
    generate
        if (STREAMS < 1 || STREAMS > 4
            || ARGS < 1 || ARGS > 4
            || IN_W < 1 || STOP_W < 1
            || STOP_W > IN_W
            || PASS < 0 || PASS > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BEAT_W = 2 + STOP_W + IN_W;

    wire [STREAMS-1:0]        h_valid;
    wire [2*STREAMS-1:0]      h_kind;
    wire [STREAMS-1:0]        h_empty;
    wire [STREAMS*IN_W-1:0]   h_val;
    wire [(1<<STREAMS)-1:0]   emit = EMIT;

    assign valid = &h_valid;

    genvar k;
    generate
        for (k = 0; k < STREAMS; k = k + 1) begin : g_stream
            assign h_empty[k] = h_kind[2*k];
            if (k == 0) begin : g_first
                samhw_skid #(.W(BEAT_W), .PASS(PASS)) u_skid (
                    .clk(clk), .rst(rst),
                    .in_valid(in_valid[0]), .in_ready(in_ready[0]), .in_beat(in_beat[BEAT_W-1:0]),
                    .out_valid(h_valid[0]), .out_ready(step && valid),
                    .out_beat({h_kind[1:0], stop, h_val[IN_W-1:0]})
                );
            end else begin : g_other
                // The shape is that of the first.
                samhw_skid #(.W(2+IN_W), .PASS(PASS)) u_skid (
                    .clk(clk), .rst(rst),
                    .in_valid(in_valid[k]), .in_ready(in_ready[k]),
                    .in_beat({in_beat[k*BEAT_W+IN_W+STOP_W +: 2], in_beat[k*BEAT_W +: IN_W]}),
                    .out_valid(h_valid[k]), .out_ready(step && valid),
                    .out_beat({h_kind[2*k +: 2], h_val[k*IN_W +: IN_W]})
                );
                wire _unused_ok = &{1'b0, in_beat[k*BEAT_W+IN_W +: STOP_W], 1'b0};
`ifdef SAMHW_ASSERT
                always @(posedge clk)
                    if (!rst && valid && (h_kind[2*k+1] != h_kind[1]
                                          || (h_kind[1] && (h_kind[2*k] != h_kind[0]
                                                            || h_val[k*IN_W +: STOP_W] != hole)))) begin
                        $display("samhw_alu_front: the streams are not aligned");
                        $stop;
                    end
`endif
            end
        end
        for (k = 0; k < ARGS; k = k + 1) begin : g_arg
            localparam SOURCE = (FROM[2*k+1] ? 2 : 0) + (FROM[2*k] ? 1 : 0);
            if (FIXED[k]) begin : g_fixed
                assign args[k*IN_W +: IN_W] = VALUES[k*IN_W +: IN_W];
            end else begin : g_stream
                assign args[k*IN_W +: IN_W] =
                    h_empty[SOURCE] ? VALUES[k*IN_W +: IN_W] : h_val[SOURCE*IN_W +: IN_W];
            end
        end
    endgenerate

    assign hole = h_val[STOP_W-1:0];
    assign kind = h_kind[1] ? h_kind[1:0] : {1'b0, !emit[~h_empty]};

    // A stream that only gives the structure.
    wire _unused_ok = &{1'b0, h_val, h_kind, 1'b0};

endmodule

`default_nettype wire
