// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal of a number of fixed point: to nearest, ties to even, then into range; of 0 it is 0.
//
//   Consumes    run, and x, which stays until the end of `run`.
//   Produces    last in the last cycle of `run`; y from the cycle after that until the next `run`.
//   Throughput  one value per FRAC + 1 cycles: two bits of 4^FRAC / x in each.
//   Parameters  W bits, SIGNED or not, FRAC of them after the point, at least 1 and less than W.
//   Reset       none: what `run` finds is set while it is 0.
`default_nettype none

module samhw_reciprocal #(
    parameter W      = 16,
    parameter SIGNED = 1,
    parameter FRAC   = 8
) (
    input  wire         clk,
    input  wire         run,
    input  wire [W-1:0] x,
    output wire         last,
    output wire [W-1:0] y
);
    generate
        if (W < 2 || SIGNED < 0 || SIGNED > 1 || FRAC < 1 || FRAC > W - 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam               LEFT_W = $clog2(FRAC + 1);
    localparam [LEFT_W-1:0]  NONE   = {LEFT_W{1'b0}};
    localparam [LEFT_W-1:0]  ONE    = {{(LEFT_W-1){1'b0}}, 1'b1};
    localparam [31:0]        ALL    = FRAC;

    wire         sign = SIGNED != 0 && x[W-1];
    wire [W-1:0] size = sign ? -x : x;

    reg  [LEFT_W-1:0] left;
    reg               begun;  // the dividend's one bit is in `rest`
    reg  [W-1:0]      rest;   // below the divisor
    reg  [W-1:0]      quotient;
    reg               over;   // the quotient has more bits than are there
    assign last = left == NONE;

    // The first pair of bits is 01, the others are 00.
    wire [W:0]   high   = {begun ? rest : {W{1'b0}}, 1'b0};
    wire [W:0]   high_d = high - {1'b0, size};
    wire         high_q = high >= {1'b0, size};
    wire [W-1:0] middle = high_q ? high_d[W-1:0] : high[W-1:0];
    wire [W:0]   low    = {middle, !begun};
    wire [W:0]   low_d  = low - {1'b0, size};
    wire         low_q  = low >= {1'b0, size};
    wire [W+1:0] next   = {quotient, high_q, low_q};

    always @(posedge clk)
        if (!run) begin
            left  <= ALL[LEFT_W-1:0];
            begun <= 1'b0;
        end else begin
            left     <= left - ONE;
            begun    <= 1'b1;
            rest     <= low_q ? low_d[W-1:0] : low[W-1:0];
            quotient <= begun ? next[W-1:0] : {{(W-1){1'b0}}, low_q};
            over     <= begun && (over || next[W+1:W] != 2'b00);
        end

    wire [W:0]   twice = {rest, 1'b0};
    wire         half  = twice == {1'b0, size};
    wire         more  = twice > {1'b0, size};
    wire [W-1:0] fitted;
    samhw_fit #(.M_W(W), .W(W), .SIGNED(SIGNED), .NEAREST(1), .WRAP(0)) u_fit (
        .sign(sign), .over(over), .units({quotient, more || half, more}), .y(fitted)
    );
    assign y = size == {W{1'b0}} ? {W{1'b0}} : fitted;

    wire _unused_ok = &{1'b0, high_d[W], low_d[W], 1'b0};

endmodule

`default_nettype wire
