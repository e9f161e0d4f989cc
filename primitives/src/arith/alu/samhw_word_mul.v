// SPDX-License-Identifier: Apache-2.0
//
// Product of two words.
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   Parameters  W bits, SIGNED or not, FRAC of them after the point. SATURATE: to nearest, ties to even, then
//               into range, and DEPTH is that of samhw_mul_full and 2; else the low bits, and it is that of
//               samhw_mul and 1.
//   Reset       none.
`default_nettype none

module samhw_word_mul #(
    parameter W        = 16,
    parameter SIGNED   = 1,
    parameter SATURATE = 0,
    parameter FRAC     = 0,
    parameter DEPTH    = 1
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);
    generate
        if (W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || DEPTH < 1 || DEPTH > 7) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (SATURATE != 0) begin : g_saturate
            samhw_fixed_mul #(.W(W), .SIGNED(SIGNED), .FRAC(FRAC), .MUL(DEPTH > 1 ? DEPTH - 2 : 0)) u_mul (
                .clk(clk), .en(en), .a(a), .b(b), .y(y)
            );
        end else begin : g_wrap
            reg [W-1:0] a_1;
            reg [W-1:0] b_1;
            always @(posedge clk)
                if (en) begin
                    a_1 <= a;
                    b_1 <= b;
                end
            samhw_mul #(.W(W), .DEPTH(DEPTH-1)) u_mul (.clk(clk), .en(en), .a(a_1), .b(b_1), .p(y));
        end
    endgenerate

    // Modules that are not there take these.
    wire _unused_ok = &{1'b0, SIGNED == 0, FRAC == 0, DEPTH == 0, 1'b0};

endmodule

`default_nettype wire
