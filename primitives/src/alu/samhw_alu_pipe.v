// SPDX-License-Identifier: Apache-2.0
//
// The pipeline of an ALU, its output register included; stalls as a whole.
//
//   Consumes    kind, stop, hole and operands a, b of a beat, where valid and step.
//   Produces    out: kind and stop unchanged; DATA with f(a, b), EMPTY and DONE with 0, NIL with
//               its hole.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  FUN 0 a+b, 1 a-b, 2 a*b, 3 -a, 4 min, 5 max, 6 a, 7 b; VAL_W; SIGNED of min
//               and max; STOP_W; STAGES: 1, or for FUN 2 DEPTH of samhw_mul + 2.
//   Reset       valid bits.
`default_nettype none

module samhw_alu_pipe #(
    parameter FUN    = 0,
    parameter VAL_W  = 16,
    parameter SIGNED = 1,
    parameter STOP_W = 3,
    parameter STAGES = 1
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      valid,
    output wire                      step,
    input  wire [1:0]                kind,
    input  wire [STOP_W-1:0]         stop,
    input  wire [STOP_W-1:0]         hole,
    input  wire [VAL_W-1:0]          a,
    input  wire [VAL_W-1:0]          b,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+VAL_W-1:0] out_beat
);

    localparam [1:0] DATA = 2'd0;
    localparam [1:0] NIL  = 2'd2;
    localparam       META = 2 + 2 * STOP_W;

    assign step = !out_valid || out_ready;

    // What enters the output register.
    wire              y_valid;
    wire [1:0]        y_kind;
    wire [STOP_W-1:0] y_stop;
    wire [STOP_W-1:0] y_hole;
    wire [VAL_W-1:0]  y;

    generate
        if (STAGES == 1) begin : g_direct
            assign y_valid = valid;
            assign {y_kind, y_stop, y_hole} = {kind, stop, hole};
        end else begin : g_delay
            localparam N = STAGES - 1;
            reg  [N-1:0]        valids;
            reg  [N*META-1:0]   metas;
            wire [N:0]          valids_in = {valids, valid};
            wire [N*META+META-1:0] metas_in = {metas, kind, stop, hole};
            always @(posedge clk) begin
                if (step)
                    metas <= metas_in[N*META-1:0];
                if (rst)
                    valids <= {N{1'b0}};
                else if (step)
                    valids <= valids_in[N-1:0];
            end
            assign y_valid = valids_in[N];
            assign {y_kind, y_stop, y_hole} = metas_in[N*META +: META];
        end

        if (FUN == 0) begin : g_add
            assign y = a + b;
        end else if (FUN == 1) begin : g_sub
            assign y = a - b;
        end else if (FUN == 2) begin : g_mul
            reg [VAL_W-1:0] a_1;
            reg [VAL_W-1:0] b_1;
            always @(posedge clk)
                if (step) begin
                    a_1 <= a;
                    b_1 <= b;
                end
            samhw_mul #(.W(VAL_W), .DEPTH(STAGES-2)) u_mul (.clk(clk), .en(step), .a(a_1), .b(b_1), .p(y));
        end else if (FUN == 3) begin : g_neg
            assign y = -a;
        end else if (FUN == 4 || FUN == 5) begin : g_select
            wire below;
            if (SIGNED != 0) begin : g_signed
                assign below = $signed(a) < $signed(b);
            end else begin : g_unsigned
                assign below = a < b;
            end
            assign y = below == (FUN == 4) ? a : b;
        end else if (FUN == 6) begin : g_first
            assign y = a;
        end else begin : g_second
            assign y = b;
        end
    endgenerate

    always @(posedge clk) begin
        if (step)
            out_beat <= {y_kind, y_stop,
                         y & {VAL_W{y_kind == DATA}} | {{(VAL_W-STOP_W){1'b0}}, y_hole & {STOP_W{y_kind == NIL}}}};
        if (rst)
            out_valid <= 1'b0;
        else if (step)
            out_valid <= y_valid;
    end

    wire _unused_ok = &{1'b0, a, b, 1'b0};

endmodule

`default_nettype wire
