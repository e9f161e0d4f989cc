// SPDX-License-Identifier: Apache-2.0
//
// Product of two signed numbers in a word that may be wider or narrower: its low bits, or with its sign in front.
//
//   Throughput  one product per cycle with en = 1; with en = 0 nothing moves.
//   Latency     DEPTH cycles; the last step is combinational, for the user's register.
//   How         Limbs of 18 bits with a sign, one to a multiplier: numbers of up to 18 bits are one, others
//               the 17 low bits, which have none, and the rest.
//   Parameters  A_W, B_W: bits of the numbers, at most 35; W bits of y; DEPTH: 1 if both have up to 18 bits, 2 if
//               one has, else 3.
//   Reset       none.
`default_nettype none

module samhw_narrow_mul #(
    parameter A_W   = 16,
    parameter B_W   = 16,
    parameter W     = 32,
    parameter DEPTH = 1
) (
    input  wire           clk,
    input  wire           en,
    input  wire [A_W-1:0] a,
    input  wire [B_W-1:0] b,
    output wire [W-1:0]   y
);
    generate
        if (A_W < 1 || A_W > 35
            || B_W < 1 || B_W > 35
            || W < 1
            || (DEPTH != (A_W > 18 ? 2 : 1) + (B_W > 18 ? 1 : 0))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Of both orders the one in which the first number is not the longer one.
    localparam X_W = A_W < B_W ? A_W : B_W;
    localparam Z_W = A_W < B_W ? B_W : A_W;

    reg [X_W-1:0] x;
    reg [Z_W-1:0] z;
    generate
        if (A_W < B_W) begin : g_longer
            always @(posedge clk)
                if (en) begin
                    x <= a;
                    z <= b;
                end
        end else begin : g_shorter
            always @(posedge clk)
                if (en) begin
                    x <= b;
                    z <= a;
                end
        end
    endgenerate

    // Numbers with their signs in front, and the product.
    wire [35:0] x_all = {{(36-X_W){x[X_W-1]}}, x};
    wire [35:0] z_all = {{(36-Z_W){z[Z_W-1]}}, z};
    wire signed [17:0] z_low  = {1'b0, z_all[16:0]};
    wire signed [17:0] z_high = z_all[34:17];
    wire        [71:0] product;

    generate
        if (DEPTH == 1) begin : g_one
            wire signed [X_W-1:0]     first  = x;
            wire signed [Z_W-1:0]     second = z;
            wire signed [X_W+Z_W-1:0] exact  = first * second;
            assign product = {{(72-X_W-Z_W){exact[X_W+Z_W-1]}}, exact};
        end else if (DEPTH == 2) begin : g_two
            wire signed [17:0] first = x_all[17:0];
            reg  signed [35:0] low;
            reg  signed [35:0] high;
            always @(posedge clk)
                if (en) begin
                    low  <= first * z_low;
                    high <= first * z_high;
                end
            wire [36:0] upper = {{18{low[35]}}, low[35:17]} + {high[35], high};
            assign product = {{18{upper[36]}}, upper, low[16:0]};
        end else begin : g_four
            wire signed [17:0] x_low  = {1'b0, x_all[16:0]};
            wire signed [17:0] x_high = x_all[34:17];
            reg  signed [35:0] low;
            reg  signed [35:0] mixed;
            reg  signed [35:0] other;
            reg  signed [35:0] high;
            reg         [69:0] ends;
            reg         [36:0] middle;
            // The lowest product has no sign and 34 bits.
            always @(posedge clk)
                if (en) begin
                    low    <= x_low * z_low;
                    mixed  <= x_low * z_high;
                    other  <= x_high * z_low;
                    high   <= x_high * z_high;
                    ends   <= {high, low[33:0]};
                    middle <= {mixed[35], mixed} + {other[35], other};
                end
            wire [52:0] upper = ends[69:17] + {{16{middle[36]}}, middle};
            assign product = {{2{upper[52]}}, upper, ends[16:0]};
            wire _unused_ok = &{1'b0, low[35:34], 1'b0};
        end
        if (W <= 72) begin : g_low
            assign y = product[W-1:0];
        end else begin : g_more
            assign y = {{(W-72){product[71]}}, product};
        end
    endgenerate

    wire _unused_ok = &{1'b0, x_all, z_all, z_low, z_high, product, 1'b0};

endmodule

`default_nettype wire
