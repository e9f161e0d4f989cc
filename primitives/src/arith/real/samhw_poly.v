// SPDX-License-Identifier: Apache-2.0
//
// A function in pieces, on each a polynomial of second degree: y = c0 +- (c1 +- c2 x) x in fixed point, each
// product rounded down.
//
//   Consumes    piece; x: the place in it, X bits after the point.
//   Throughput  one per cycle with en = 1; with en = 0 nothing moves.
//   Latency     MUL + 6 cycles: 2 for the coefficients | c2 x | slope | MUL of samhw_mul_full | product | sum.
//   Parameters  PIECES; PIECE_W bits to name one; C0, C1, C2: their coefficients, of W0, W1, W2 bits, the first
//               piece's lowest; FALLS: what stands in brackets is subtracted; BENDS: c2 x is. Y_W bits of y, more
//               than W0. MUL: DEPTH of samhw_mul_full for the wider one of W1 + 1 and X bits.
//   Reset       none.
`default_nettype none

module samhw_poly #(
    parameter                 X       = 8,
    parameter                 PIECES  = 2,
    parameter                 PIECE_W = 1,
    parameter                 W0      = 8,
    parameter                 W1      = 8,
    parameter                 W2      = 8,
    parameter [PIECES*W0-1:0] C0      = {(PIECES*W0){1'b0}},
    parameter [PIECES*W1-1:0] C1      = {(PIECES*W1){1'b0}},
    parameter [PIECES*W2-1:0] C2      = {(PIECES*W2){1'b0}},
    parameter                 FALLS   = 0,
    parameter                 BENDS   = 0,
    parameter                 Y_W     = 10,
    parameter                 MUL     = 0
) (
    input  wire               clk,
    input  wire               en,
    input  wire [PIECE_W-1:0] piece,
    input  wire [X-1:0]       x,
    output reg  [Y_W-1:0]     y
);
    generate
        if (X < 1 || PIECES < 1 || PIECE_W < 1 || W0 < 1 || W1 < 1 || W2 < 1
            || PIECES > 1 << PIECE_W
            || FALLS < 0 || FALLS > 1 || BENDS < 0 || BENDS > 1
            || Y_W <= W0
            || (MUL != 0 && MUL != 2 && MUL != 4 && MUL != 5)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam FEW = X < 18 ? X : 18;              // bits of x that multiply c2: one multiplier's
    localparam S_W = W1 + 1;
    localparam M_W = S_W > X ? S_W : X;

    wire [W0-1:0] c0;
    wire [W1-1:0] c1;
    wire [W2-1:0] c2;
    samhw_rom #(.W(W0), .LINES(PIECES), .ADDR_W(PIECE_W), .DATA(C0)) u_c0 (.clk(clk), .en(en), .addr(piece), .q(c0));
    samhw_rom #(.W(W1), .LINES(PIECES), .ADDR_W(PIECE_W), .DATA(C1)) u_c1 (.clk(clk), .en(en), .addr(piece), .q(c1));
    samhw_rom #(.W(W2), .LINES(PIECES), .ADDR_W(PIECE_W), .DATA(C2)) u_c2 (.clk(clk), .en(en), .addr(piece), .q(c2));

    wire [X-1:0]        x_1;
    reg  [X-1:0]        x_2;
    reg  [W1-1:0]       c1_2;
    reg  [W2+FEW-1:0]   bend_2;
    reg  [X-1:0]        x_3;
    reg  [S_W-1:0]      slope_3;
    wire [2*M_W-1:0]    product;
    reg  [2*M_W-1:0]    product_4;
    wire [W0-1:0]       c0_4;

    wire [S_W+W2-1:0]   bend = {{S_W{1'b0}}, bend_2[W2+FEW-1:FEW]};
    wire [M_W:0]        wide_x     = {{(M_W+1-X){1'b0}}, x_3};
    wire [M_W:0]        wide_slope = {{(M_W+1-S_W){1'b0}}, slope_3};
    samhw_mul_full #(.W(M_W), .DEPTH(MUL)) u_mul (
        .clk(clk), .en(en), .a(wide_slope[M_W-1:0]), .b(wide_x[M_W-1:0]), .p(product)
    );
    samhw_delay #(.W(X), .N(2)) u_x (.clk(clk), .en(en), .x(x), .y(x_1));
    samhw_delay #(.W(W0), .N(MUL+3)) u_c0_late (.clk(clk), .en(en), .x(c0), .y(c0_4));

    wire [2*M_W+Y_W-X-1:0] step  = {{Y_W{1'b0}}, product_4[2*M_W-1:X]};
    wire [Y_W-1:0]         start = {{(Y_W-W0){1'b0}}, c0_4};

    always @(posedge clk)
        if (en) begin
            x_2       <= x_1;
            c1_2      <= c1;
            bend_2    <= {{FEW{1'b0}}, c2} * {{W2{1'b0}}, x_1[X-1 -: FEW]};
            x_3       <= x_2;
            slope_3   <= BENDS != 0 ? {1'b0, c1_2} - bend[S_W-1:0] : {1'b0, c1_2} + bend[S_W-1:0];
            product_4 <= product;
            y         <= FALLS != 0 ? start - step[Y_W-1:0] : start + step[Y_W-1:0];
        end

    wire _unused_ok = &{1'b0, bend, bend_2[FEW-1:0], wide_x[M_W], wide_slope[M_W], product_4[X-1:0], step, 1'b0};

endmodule

`default_nettype wire
