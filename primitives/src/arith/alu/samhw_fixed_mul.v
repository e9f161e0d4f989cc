// SPDX-License-Identifier: Apache-2.0
//
// Product of fixed-point numbers (and of integers that saturate): to nearest, ties to even, then into range.
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MUL + 2 cycles; the last step is combinational, for the user's register.
//   Parameters  W bits, SIGNED or not, FRAC of them after the point; MUL: DEPTH of samhw_mul_full for W bits.
//   Reset       none.
`default_nettype none

module samhw_fixed_mul #(
    parameter W      = 16,
    parameter SIGNED = 1,
    parameter FRAC   = 8,
    parameter MUL    = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);
    generate
        if (W < 1
            || SIGNED < 0 || SIGNED > 1
            || FRAC < 0 || FRAC > W
            || (MUL != 0 && MUL != 2 && MUL != 4 && MUL != 5)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire a_sign = SIGNED != 0 && a[W-1];
    wire b_sign = SIGNED != 0 && b[W-1];

    reg  [W-1:0]     a_1;
    reg  [W-1:0]     b_1;
    reg  [MUL+1:0]   signs;
    wire [MUL+2:0]   signs_in = {signs, a_sign ^ b_sign};
    wire [2*W-1:0]   product;
    reg  [2*W-1:0]   product_2;
    samhw_mul_full #(.W(W), .DEPTH(MUL)) u_mul (.clk(clk), .en(en), .a(a_1), .b(b_1), .p(product));

    always @(posedge clk)
        if (en) begin
            a_1       <= a_sign ? -a : a;
            b_1       <= b_sign ? -b : b;
            signs     <= signs_in[MUL+1:0];
            product_2 <= product;
        end

    // Whole units, the half, and whether there is anything below.
    wire [2*W+2:0] raised = {1'b0, product_2, 2'b00};
    samhw_fit #(.M_W(2*W-FRAC), .W(W), .SIGNED(SIGNED), .NEAREST(1), .WRAP(0)) u_fit (
        .sign(signs[MUL+1]), .over(1'b0), .units({raised[2*W+1:FRAC+1], |raised[FRAC:0]}), .y(y)
    );

    wire _unused_ok = &{1'b0, raised[2*W+2], signs_in[MUL+2], 1'b0};

endmodule

`default_nettype wire
