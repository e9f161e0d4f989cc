// SPDX-License-Identifier: Apache-2.0
//
// Within: computed values as coordinates of a level; those outside are absent.
//
//   Consumes    val: whole numbers of any depth, leaves DATA or EMPTY.
//   Produces    crd: their shape; a leaf is the value where 0 <= value < dim, else EMPTY.
//   Throughput  one beat per cycle.
//   Latency     one cycle.
//   Parameters  VAL_W bits of a value, two's complement if SIGNED; CRD_W: dim is at most 2**CRD_W; OUT_W bits of a
//               coordinate (a larger one is cut); STOP_W stop bits, at most VAL_W and OUT_W.
//   Reset       valid bits; payloads are not reset.
//   Source      computed indices; not in the SAM paper.
`default_nettype none

module samhw_within #(
    parameter VAL_W  = 16,
    parameter SIGNED = 1,
    parameter CRD_W  = 16,
    parameter OUT_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire [CRD_W:0]            dim,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       crd_valid,
    input  wire                      crd_ready,
    output reg  [2+STOP_W+OUT_W-1:0] crd_beat
);
    generate
        if (VAL_W < 1 || CRD_W < 1 || OUT_W < 1 || STOP_W < 1
            || STOP_W > VAL_W || STOP_W > OUT_W
            || SIGNED < 0 || SIGNED > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = VAL_W > CRD_W ? VAL_W : CRD_W + 1;

    wire              step = !crd_valid || crd_ready;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [VAL_W-1:0]  s_val;
    samhw_skid #(.W(2+STOP_W+VAL_W), .PASS(1)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(s_valid), .out_ready(step), .out_beat({s_kind, s_stop, s_val})
    );

    // Negative values are above any dim. What is no DATA leaf has nothing in its payload but a hole.
    wire [W-1:0]           value  = {{(W-VAL_W){SIGNED != 0 && s_val[VAL_W-1]}}, s_val};
    wire                   beyond = !s_kind[1] && value >= {{(W-CRD_W-1){1'b0}}, dim};
    wire [VAL_W+OUT_W-1:0] wide   = {{OUT_W{1'b0}}, s_val};

    always @(posedge clk) begin
        if (step)
            crd_beat <= {s_kind[1], s_kind[0] || beyond, s_stop, wide[OUT_W-1:0] & {OUT_W{!beyond}}};
        if (rst)
            crd_valid <= 1'b0;
        else if (step)
            crd_valid <= s_valid;
    end

    wire _unused_ok = &{1'b0, wide, 1'b0};

endmodule

`default_nettype wire
