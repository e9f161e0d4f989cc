// SPDX-License-Identifier: Apache-2.0
//
// A power of words with a constant exponent, from 1 to 65535: by squaring, the lowest bit of the exponent first.
//
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     LEVELS * MUL cycles, LEVELS as below; the last step is combinational, for the user's register.
//   Parameters  EXPONENT; W bits, SIGNED or not, FRAC of them after the point; SATURATE as in samhw_word_mul,
//               MUL its DEPTH. UNIT: a product with 1 leaves what it is with; else (1 is out of range, and
//               ONE, the largest number, stands for it) the first product is one with ONE.
//   Reset       none.
`default_nettype none

module samhw_word_pow #(
    parameter         EXPONENT = 3,
    parameter         W        = 16,
    parameter         SIGNED   = 1,
    parameter         SATURATE = 0,
    parameter         FRAC     = 0,
    parameter         UNIT     = 1,
    parameter [W-1:0] ONE      = {{(W-1){1'b0}}, 1'b1},
    parameter         MUL      = 1
) (
    input  wire         clk,
    input  wire         en,
    input  wire [W-1:0] a,
    output wire [W-1:0] y
);
    generate
        if (EXPONENT < 1 || EXPONENT > 65535
            || W < 1
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W
            || UNIT < 0 || UNIT > 1
            || MUL < 1 || MUL > 7) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // The exponent's highest bit, and whether there is just that.
    localparam TOP    = $clog2(EXPONENT + 1) - 1;
    localparam SINGLE = UNIT != 0 && EXPONENT == 1 << TOP;
    localparam LEVELS = SINGLE ? TOP : TOP + 1;

    genvar k;
    generate
        if (LEVELS == 0) begin : g_same
            assign y = a;
            wire _unused_ok = &{1'b0, clk, en, 1'b0};
        end else begin : g_chain
            for (k = 0; k < LEVELS; k = k + 1) begin : g_level
                // Products so far: those of the bits below k, and a to the power 2^k.
                wire [W-1:0]  base;
                wire [W-1:0]  product;
                wire [W-1:0]  square;
                wire [W-1:0]  result;
                localparam BELOW = EXPONENT % (1 << k);
                localparam BIT   = (EXPONENT >> k) % 2;
                if (k == 0) begin : g_first
                    assign base    = a;
                    assign product = ONE;
                end else begin : g_next
                    assign base    = g_level[k-1].square;
                    assign product = g_level[k-1].result;
                end
                if (k < TOP) begin : g_square
                    samhw_word_mul #(.W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .DEPTH(MUL)) u_square (
                        .clk(clk), .en(en), .a(base), .b(base), .y(square)
                    );
                end else begin : g_last
                    assign square = {W{1'b0}};
                end
                if (SINGLE) begin : g_power
                    // Squares only.
                    assign result = square;
                end else if (BIT != 0 && (UNIT == 0 || BELOW != 0)) begin : g_product
                    samhw_word_mul #(.W(W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .DEPTH(MUL)) u_product (
                        .clk(clk), .en(en), .a(product), .b(base), .y(result)
                    );
                end else if (BIT != 0 || BELOW != 0) begin : g_late
                    samhw_delay #(.W(W), .N(MUL)) u_late (
                        .clk(clk), .en(en), .x(BIT != 0 ? base : product), .y(result)
                    );
                end else begin : g_none
                    assign result = ONE;
                end
                wire _unused_ok = &{1'b0, product, square, 1'b0};
            end
            assign y = g_level[LEVELS-1].result;
        end
    endgenerate

    wire _unused_ok = &{1'b0, ONE, 1'b0};

    // Modules that are not there take these.
    wire _unused_parameters = &{1'b0, SIGNED == 0, SATURATE == 0, FRAC == 0, MUL == 0, 1'b0};

endmodule

`default_nettype wire
