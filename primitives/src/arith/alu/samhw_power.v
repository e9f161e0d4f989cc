// SPDX-License-Identifier: Apache-2.0
//
// Power of whole numbers or fixed point, by squaring, the lowest bit of the exponent first.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with a to the power b, b rounded down, until `take`. Every product is one of the
//               type; 1 / a^-b where b is negative, of whole numbers rounded towards 0, else to nearest,
//               ties to even, and into range; 1 / 0 is 0.
//   Throughput  one value per run. A run takes 2 cycles, and for each bit of the exponent a product's: 1, 3
//               or 4 of up to 18, 36 or 64 bits, 3, 5, 7 or 8 of up to 18, 36, 54 or 64 where they
//               saturate. It ends early where what is squared is 0, 1 or the largest number, which it
//               stays. Where it wraps and has more than 18 bits, three products end it as soon as what is
//               squared is 1 + u and the third power of u is 0: (1 + u)^m = 1 + m u + m (m - 1) / 2 u u. Of
//               odd numbers that is so after W / 3 squares. The reciprocal of fixed point takes FRAC + 1
//               cycles.
//   Parameters  W bits, at least 2; SIGNED or not; SATURATE: products stay in range, else they wrap; FRAC:
//               bits after the point, so few that there is 1. If it is not 0, so is SATURATE.
//   Reset       state.
`default_nettype none

module samhw_power #(
    parameter W        = 16,
    parameter SIGNED   = 1,
    parameter SATURATE = 0,
    parameter FRAC     = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire         done,
    input  wire         take,
    output wire [W-1:0] y
);
    generate
        if (W < 2 || W > 64
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > W - 1 - SIGNED
            || (FRAC != 0 && SATURATE == 0)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // DEPTH of samhw_mul_full and samhw_mul, and the last cycle of a round.
    localparam        FULL = W <= 18 ? 0 : W <= 36 ? 2 : W <= 54 ? 4 : 5;
    localparam        LOW  = W <= 18 ? 0 : W <= 36 ? 2 : 3;
    localparam [31:0] LAST = SATURATE != 0 ? FULL + 2 : LOW;
    localparam [2:0]  END  = LAST[2:0];

    localparam [1:0]   IDLE = 2'd0, RUN = 2'd1, DIVIDE = 2'd2, DONE = 2'd3;
    localparam [W-1:0] ZERO = {W{1'b0}};
    localparam [W-1:0] ONE  = {{(W-1){1'b0}}, 1'b1} << FRAC;
    localparam [W-1:0] MOST = {SIGNED == 0, {(W-1){1'b1}}};

    // Numbers near 1 have the low bits of 1; their distance's third power wraps to 0.
    localparam         SERIES = SATURATE == 0 && W > 18;
    localparam         THIRD  = (W + 2) / 3;
    localparam [W-1:0] NEAR   = ~({W{1'b1}} << THIRD);

    reg  [1:0]   state;
    reg  [2:0]   at;      // cycle of a round
    reg  [W-1:0] base;
    reg  [W-1:0] result;
    reg  [W-1:0] left;    // what is left of the exponent
    reg          under;   // it is negative
    reg          first;   // the round gives m u: `base` is 1 + u, `left` is m
    reg          second;  // the round gives m u (m - 1) u / 2: `base` is m u, `left` is u

    // The squares of the largest number are that number, and what is multiplied by it saturates.
    wire         full = SATURATE != 0 && base == MOST;
    wire         over = !second && (left == ZERO || base == ZERO || base == ONE);
    wire         minus = SIGNED != 0 && b[W-1];
    wire [W-1:0] whole = FRAC == 0 ? b : minus ? ~(~b >> FRAC) : b >> FRAC;
    wire [W-1:0] size  = minus ? ZERO - whole : whole;
    wire         last  = state == RUN && at == 3'd0 && over;
    wire         ended;    // the reciprocal is there
    wire [W-1:0] inverse;
    wire [W-1:0] rest = base - left;
    wire [W-1:0] square;
    wire [W-1:0] product;
    generate
        if (SATURATE != 0) begin : g_saturate
            samhw_fixed_mul #(.W(W), .SIGNED(SIGNED), .FRAC(FRAC), .MUL(FULL)) u_square (
                .clk(clk), .en(1'b1), .a(base), .b(base), .y(square)
            );
            samhw_fixed_mul #(.W(W), .SIGNED(SIGNED), .FRAC(FRAC), .MUL(FULL)) u_product (
                .clk(clk), .en(1'b1), .a(result), .b(base), .y(product)
            );
        end else begin : g_wrap
            wire [W-1:0] x = first ? left : base;
            wire [W-1:0] z = first ? base ^ ONE : second ? rest >> 1 : base;
            samhw_mul #(.W(W), .DEPTH(LOW)) u_square (.clk(clk), .en(1'b1), .a(x), .b(z), .p(square));
            samhw_mul #(.W(W), .DEPTH(LOW)) u_product (.clk(clk), .en(1'b1), .a(result), .b(base), .p(product));
        end
    endgenerate

    wire _unused_ok = &{1'b0, rest, 1'b0};

    generate
        if (FRAC != 0) begin : g_reciprocal
            samhw_reciprocal #(.W(W), .SIGNED(SIGNED), .FRAC(FRAC)) u_reciprocal (
                .clk(clk), .run(state == DIVIDE), .x(result), .last(ended), .y(inverse)
            );
        end else begin : g_unit
            wire unit = result == ONE || (SIGNED != 0 && result == {W{1'b1}});
            assign ended   = 1'b1;
            assign inverse = unit ? result : ZERO;
        end
    endgenerate
    assign done = state == DONE;
    assign y    = under ? inverse : result;

    always @(posedge clk) begin
        if (state == IDLE) begin
            base   <= a;
            under  <= minus;
            left   <= size;
            result <= ONE;
            at     <= 3'd0;
            first  <= SERIES && (a & NEAR) == ONE && size >> 3 != ZERO;
            second <= 1'b0;
        end else if (last) begin
            if (left != ZERO && base == ZERO)
                result <= ZERO;
        end else if (state == RUN) begin
            at <= at == END ? 3'd0 : at + 3'd1;
            if (at == END && first) begin
                base   <= square;
                left   <= base ^ ONE;
                first  <= 1'b0;
                second <= 1'b1;
            end else if (at == END && second) begin
                base   <= ONE + base + square;
                left   <= ONE;
                second <= 1'b0;
            end else if (at == END) begin
                base  <= square;
                left  <= full ? ZERO : left >> 1;
                first <= SERIES && (square & NEAR) == ONE && left >> 4 != ZERO;
                if (left[0] || full)
                    result <= product;
            end
        end
        if (rst)
            state <= IDLE;
        else
            case (state)
                IDLE:    state <= start ? RUN : IDLE;
                RUN:     state <= !last ? RUN : FRAC != 0 && under ? DIVIDE : DONE;
                DIVIDE:  state <= ended ? DONE : DIVIDE;
                default: state <= take ? IDLE : DONE;
            endcase
    end

endmodule

`default_nettype wire
