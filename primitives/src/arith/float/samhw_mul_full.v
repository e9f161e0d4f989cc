// SPDX-License-Identifier: Apache-2.0
//
// Pipelined multiplier: all 2W bits of the product of two numbers without sign.
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last sum is combinational, for the user's register.
//   Parameters  W; DEPTH 0: one product, W <= 18. DEPTH 2: two 18-bit limbs, W <= 36:
//               products | cross sum | total. DEPTH 4: three limbs, 36 < W <= 54: products | sums by
//               weight | pairs | low pairs | total. DEPTH 5: four limbs, 54 < W <= 72.
//               Operands should come from registers.
//   Reset       none.
`default_nettype none

module samhw_mul_full #(
    parameter W     = 24,
    parameter DEPTH = 2
) (
    input  wire           clk,
    input  wire           en,
    input  wire [W-1:0]   a,
    input  wire [W-1:0]   b,
    output wire [2*W-1:0] p
);
    generate
        if (W < 1
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 4 && DEPTH != 5)
            || (DEPTH == 2 && (W <= 18 || W > 36))
            || (DEPTH == 4 && (W <= 36 || W > 54))
            || (DEPTH == 5 && (W <= 54 || W > 72))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (DEPTH == 0) begin : g_one
            assign p = {{W{1'b0}}, a} * {{W{1'b0}}, b};
            wire _unused_ok = &{1'b0, clk, en, 1'b0};
        end else if (DEPTH == 2) begin : g_two
            localparam H = W - 18;
            reg  [35:0]    p00, low;
            reg  [W-1:0]   p01, p10;
            reg  [2*H-1:0] p11, high;
            reg  [W:0]     mid;
            always @(posedge clk)
                if (en) begin
                    p00  <= {18'd0, a[17:0]} * {18'd0, b[17:0]};
                    p01  <= {{H{1'b0}}, a[17:0]} * {18'd0, b[W-1:18]};
                    p10  <= {18'd0, a[W-1:18]} * {{H{1'b0}}, b[17:0]};
                    p11  <= {{H{1'b0}}, a[W-1:18]} * {{H{1'b0}}, b[W-1:18]};
                    low  <= p00;
                    mid  <= {1'b0, p01} + {1'b0, p10};
                    high <= p11;
                end
            // The cross sum lies over the upper half of the low product and all of the high one.
            wire [2*W-19:0] top = {high, low[35:18]};
            wire [2*W-18:0] sum = {1'b0, top} + {{(W-18){1'b0}}, mid};
            assign p = {sum[2*W-19:0], low[17:0]};
            wire _unused_ok = &{1'b0, sum[2*W-18], 1'b0};
        end else begin : g_more
            localparam L = DEPTH == 4 ? 3 : 4;
            localparam T = 36 * L;
            wire [18*L-1:0] x = {{(18*L-W){1'b0}}, a};
            wire [18*L-1:0] z = {{(18*L-W){1'b0}}, b};
            reg  [36*L*L-1:0]     products;
            reg  [38*(2*L-1)-1:0] weights;
            reg  [T-1:0]          pair0, pair1, pair2, pair3;
            reg  [T-1:0]          lower, upper;
            integer i;
            integer j;
            integer k;
            reg [38*(2*L-1)-1:0] sums;
            always @* begin
                sums = {(38*(2*L-1)){1'b0}};
                for (i = 0; i < L; i = i + 1)
                    for (j = 0; j < L; j = j + 1)
                        sums[38*(i+j) +: 38] = sums[38*(i+j) +: 38] + {2'd0, products[36*(L*i+j) +: 36]};
            end
            always @(posedge clk)
                if (en) begin
                    for (k = 0; k < L*L; k = k + 1)
                        products[36*k +: 36] <= {18'd0, x[18*(k/L) +: 18]} * {18'd0, z[18*(k%L) +: 18]};
                    weights <= sums;
                    pair0 <= {{(T-38){1'b0}}, weights[0 +: 38]} + {{(T-56){1'b0}}, weights[38 +: 38], 18'd0};
                    pair1 <= {{(T-74){1'b0}}, weights[76 +: 38], 36'd0} + {{(T-92){1'b0}}, weights[114 +: 38], 54'd0};
                    lower <= pair0 + pair1;
                    upper <= pair2 + pair3;
                end
            if (DEPTH == 4) begin : g_three
                always @(posedge clk)
                    if (en) begin
                        pair2 <= {weights[152 +: 36], 72'd0};
                        pair3 <= {T{1'b0}};
                    end
                wire _unused_ok = &{1'b0, weights[189:188], 1'b0};
            end else begin : g_four
                always @(posedge clk)
                    if (en) begin
                        pair2 <= {{(T-110){1'b0}}, weights[152 +: 38], 72'd0}
                                 + {{(T-128){1'b0}}, weights[190 +: 38], 90'd0};
                        pair3 <= {weights[228 +: 36], 108'd0};
                    end
                wire _unused_ok = &{1'b0, weights[265:264], 1'b0};
            end
            wire [T-1:0] total = lower + upper;
            if (DEPTH == 4) begin : g_comb
                assign p = total[2*W-1:0];
            end else begin : g_reg
                reg [T-1:0] total_1;
                always @(posedge clk)
                    if (en)
                        total_1 <= total;
                assign p = total_1[2*W-1:0];
            end
            wire _unused_ok = &{1'b0, total, 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
