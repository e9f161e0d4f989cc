// SPDX-License-Identifier: Apache-2.0
//
// Pipelined multiplier of a narrow number and a wide one, without signs: the low bits of the product, as many as the
// wide one has.
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     3 cycles: products of limbs | sums of those side by side | total.
//   Parameters  A_W bits of a, at most 36; LIMBS of b, of 18 bits each, at least 2.
//               Operands should come from registers.
//   Reset       none.
`default_nettype none

module samhw_mul_low #(
    parameter A_W   = 24,
    parameter LIMBS = 5
) (
    input  wire                clk,
    input  wire                en,
    input  wire [A_W-1:0]      a,
    input  wire [18*LIMBS-1:0] b,
    output reg  [18*LIMBS-1:0] p
);
    generate
        if (A_W < 1 || A_W > 36 || LIMBS < 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam W = 18 * LIMBS;

    // A limb's product has two limbs: those of even and of odd limbs stand side by side.
    wire [35:0]   wide = {{(36-A_W){1'b0}}, a};
    reg  [36*LIMBS-1:0] low;
    reg  [36*LIMBS-1:0] high;
    reg  [W-1:0]  low_even, low_odd, high_even, high_odd;
    reg  [W-1:0]  low_sum, high_sum;
    integer i;
    integer k;

    always @* begin
        low_even  = {W{1'b0}};
        low_odd   = {W{1'b0}};
        high_even = {W{1'b0}};
        high_odd  = {W{1'b0}};
        for (i = 0; i < LIMBS; i = i + 1) begin
            if (i % 2 == 0)
                low_even[18*i +: 18] = low[36*i +: 18];
            else
                low_odd[18*i +: 18] = low[36*i +: 18];
            if (i + 1 < LIMBS) begin
                if (i % 2 == 0) begin
                    low_even[18*((i+1) % LIMBS) +: 18]  = low[36*i+18 +: 18];
                    high_even[18*((i+1) % LIMBS) +: 18] = high[36*i +: 18];
                end else begin
                    low_odd[18*((i+1) % LIMBS) +: 18]  = low[36*i+18 +: 18];
                    high_odd[18*((i+1) % LIMBS) +: 18] = high[36*i +: 18];
                end
            end
            if (i + 2 < LIMBS) begin
                if (i % 2 == 0)
                    high_even[18*((i+2) % LIMBS) +: 18] = high[36*i+18 +: 18];
                else
                    high_odd[18*((i+2) % LIMBS) +: 18] = high[36*i+18 +: 18];
            end
        end
    end

    always @(posedge clk)
        if (en) begin
            for (k = 0; k < LIMBS; k = k + 1) begin
                low[36*k +: 36]  <= {18'd0, wide[17:0]} * {18'd0, b[18*k +: 18]};
                high[36*k +: 36] <= {18'd0, wide[35:18]} * {18'd0, b[18*k +: 18]};
            end
            low_sum  <= low_even + low_odd;
            high_sum <= high_even + high_odd;
            p        <= low_sum + high_sum;
        end

    wire _unused_ok = &{1'b0, low, high, 1'b0};

endmodule

`default_nettype wire
