// SPDX-License-Identifier: Apache-2.0
//
// Pipelined multiplier: the low W bits of a * b (the same for signed and unsigned numbers).
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last sum is combinational, for the user's register.
//   Parameters  W; DEPTH 0: one product, W <= 18 for the rated clock. DEPTH 2: two 18-bit limbs,
//               W <= 36: products | cross sum | total. DEPTH 3: four limbs, 36 < W <= 64:
//               products | sums by weight | pairs of weights | total.
//               Operands should come from registers.
//   Reset       none.
`default_nettype none

module samhw_mul #(
    parameter W     = 16,
    parameter DEPTH = 0
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] p
);
    generate
        if (W < 1
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)
            || (DEPTH == 2 && (W <= 18 || W > 36))
            || (DEPTH == 3 && (W <= 36 || W > 64))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (DEPTH == 0) begin : g_one
            assign p = a * b;
            wire _unused_ok = &{1'b0, clk, en, 1'b0};
        end else if (DEPTH == 2) begin : g_two
            localparam H = W - 18;
            reg [35:0]  low;
            reg [35:0]  low_2;
            reg [H-1:0] mid_a;
            reg [H-1:0] mid_b;
            reg [H-1:0] mid;
            always @(posedge clk)
                if (en) begin
                    low     <= {18'd0, a[17:0]} * {18'd0, b[17:0]};
                    mid_a   <= a[W-1:18] * b[H-1:0];
                    mid_b   <= a[H-1:0] * b[W-1:18];
                    low_2   <= low;
                    mid     <= mid_a + mid_b;
                end
            assign p = {low_2[W-1:18] + mid, low_2[17:0]};
            wire _unused_ok = &{1'b0, low_2, 1'b0};
        end else begin : g_four
            wire [71:0] x = {{(72-W){1'b0}}, a};
            wire [71:0] y = {{(72-W){1'b0}}, b};
            // Products by weight: 0, 18, 36 (low 36 bits count) and 54 (low 18 bits count).
            reg [35:0] p00, p01, p10, p02, p11, p20;
            reg [17:0] p03, p12, p21, p30;
            reg [35:0] w0, w2;
            reg [36:0] w1;
            reg [17:0] w3;
            reg [55:0] low;
            reg [35:0] high;
            always @(posedge clk)
                if (en) begin
                    p00  <= {18'd0, x[17:0]} * {18'd0, y[17:0]};
                    p01  <= {18'd0, x[17:0]} * {18'd0, y[35:18]};
                    p10  <= {18'd0, x[35:18]} * {18'd0, y[17:0]};
                    p02  <= {18'd0, x[17:0]} * {18'd0, y[53:36]};
                    p11  <= {18'd0, x[35:18]} * {18'd0, y[35:18]};
                    p20  <= {18'd0, x[53:36]} * {18'd0, y[17:0]};
                    p03  <= x[17:0] * y[71:54];
                    p12  <= x[35:18] * y[53:36];
                    p21  <= x[53:36] * y[35:18];
                    p30  <= x[71:54] * y[17:0];
                    w0   <= p00;
                    w1   <= {1'b0, p01} + {1'b0, p10};
                    w2   <= p02 + p11 + p20;
                    w3   <= (p03 + p12) + (p21 + p30);
                    low  <= {20'd0, w0} + {1'b0, w1, 18'd0};
                    high <= w2 + {w3, 18'd0};
                end
            wire [71:0] total = {{16'd0, low[55:36]} + high, low[35:0]};
            assign p = total[W-1:0];
            wire _unused_ok = &{1'b0, total, 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
