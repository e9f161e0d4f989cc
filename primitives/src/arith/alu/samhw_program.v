// SPDX-License-Identifier: Apache-2.0
//
// Runs a program on 64-bit words: a function that takes many cycles.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with the result y, until `take`.
//   Throughput  one value per run. A run takes 1 cycle and 4 per instruction; a shift takes 1 more, a product 3, a
//               rounding 4, a fused multiply-add 13, a power of floats 37, a division 64.
//   Parameters  PROG: LINES instructions {op 6, d 6, a 6, b 6, c 6} in 32 bits each, b and c also one number n;
//               CONSTS: WORDS constants. Ops: 0 d = argument n, 1 constant n, 2 a+b, 3 a-b, 4 a&b, 5 a|b,
//               6 a^b, 7 a<<b, 8 a>>b, 9 the same with signs, 10 a<b, 11 the same with signs, 12 a==b,
//               13 a ? b : c, 14 leading zeros of a, 15 a*b, 16 {c,a}/b, 17 what that left; of doubles
//               18 a*b+c, 19 a * 2^b, negative if c is odd; 20 the same of format EXP, MAN; 21 go to n if a
//               is 0, 22 go to n, 23 end with a; 24 a to the power b of format EXP, MAN.
//               LINES and WORDS are at most 4096. ARGS arguments, 1 to 4, of ARG_W bits, at most 64;
//               HAS: a bit for each op below 24 that PROG uses.
//   Reset       state.
`default_nettype none

module samhw_program #(
    parameter                LINES  = 2,
    parameter [32*LINES-1:0] PROG   = {32'h17000000, 32'h00000000},
    parameter                WORDS  = 1,
    parameter [64*WORDS-1:0] CONSTS = {(64*WORDS){1'b0}},
    parameter                ARGS   = 1,
    parameter                ARG_W  = 16,
    parameter                EXP    = 8,
    parameter                MAN    = 23,
    parameter [23:0]        HAS    = 24'h000000
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  start,
    input  wire [ARGS*ARG_W-1:0] args,
    output wire                  done,
    input  wire                  take,
    output reg  [63:0]           y
);
    generate
        if (LINES < 1 || LINES > 4096
            || WORDS < 1 || WORDS > 4096
            || ARGS < 1 || ARGS > 4
            || ARG_W < 1 || ARG_W > 64
            || EXP < 3 || MAN < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // Of an instruction: READ its operands, LOAD them into registers, RUN a unit, PICK its result and fetch
    // the next line.
    localparam [2:0] IDLE = 3'd0, FETCH = 3'd1, READ = 3'd2, LOAD = 3'd3, RUN = 3'd4, PICK = 3'd5, DONE = 3'd6;
    localparam PC_W = LINES > 1 ? $clog2(LINES) : 1;
    localparam N_W  = WORDS > 1 ? $clog2(WORDS) : 1;

    // Does PROG have powers of floats?
    function powers(input [31:0] lines_used);
        integer k;
        begin
            powers = 1'b0;
            for (k = 0; k < lines_used; k = k + 1)
                if (PROG[32*k+24 +: 6] == 6'd24)
                    powers = 1'b1;
        end
    endfunction
    localparam POWERS = powers(LINES);

    reg [31:0] lines [0:LINES-1];
    reg [63:0] words [0:WORDS-1];
    reg [63:0] regs  [0:63];
    integer i;
    initial begin
        for (i = 0; i < LINES; i = i + 1)
            lines[i] = PROG[32*i +: 32];
        for (i = 0; i < WORDS; i = i + 1)
            words[i] = CONSTS[64*i +: 64];
    end

    reg  [2:0]      state;
    reg  [PC_W-1:0] pc;
    reg  [31:0]     line;
    reg  [6:0]      left;
    reg  [63:0]     read_a;  // answers of the registers, which come late in their cycle
    reg  [63:0]     read_b;
    reg  [63:0]     read_c;
    reg  [63:0]     a;
    reg  [63:0]     b;
    reg  [63:0]     c;
    reg  [63:0]     given;   // the argument or constant

    // What the unit does, from LOAD on.
    reg             minus;
    reg             is_signed;
    reg             is_equal;
    reg             is_up;
    reg  [2:0]      logic_op;  // both, one of them, what is given; all but the last: either
    reg  [11:0]     pick;      // which result counts

    wire [5:0]  op   = line[29:24];
    wire [11:0] n    = line[11:0];
    wire        last = state == RUN && left == 7'd0;
    assign done = state == DONE;

    // Arguments, zeros above.
    wire [63:0] arg [0:3];
    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : g_arg
            if (k < ARGS) begin : g_some
                wire [64:0] wide = {{(65-ARG_W){1'b0}}, args[k*ARG_W +: ARG_W]};
                assign arg[k] = wide[63:0];
                wire _unused_ok = &{1'b0, wide[64], 1'b0};
            end else begin : g_none
                assign arg[k] = 64'd0;
            end
        end
    endgenerate

    // Sums and comparisons: a - b for all but a + b.
    wire [64:0] sum   = {1'b0, a} + {1'b0, b ^ {64{minus}}} + {64'd0, minus};
    wire        below = !sum[64];
    wire        order = is_signed && a[63] != b[63] ? a[63] : below;
    reg  [63:0] sum_1;
    reg  [63:0] simple_1;
    reg         truth_1;
    reg         zero_1;
    always @(posedge clk) begin
        sum_1    <= sum[63:0];
        simple_1 <= {64{logic_op[0]}} & a & b | {64{logic_op[1]}} & (a ^ b) | {64{logic_op[2]}} & given;
        truth_1  <= HAS[12] && is_equal ? a == b : order;
        zero_1   <= a == 64'd0;
    end

    // Units of several cycles; their operands stay while they run. What they make is there a cycle after RUN.
    wire [63:0] shifted;
    wire [5:0]  zeros;
    wire [63:0] product;
    wire [63:0] quotient;
    wire [63:0] rest;
    wire [63:0] fused;
    wire [63:0] rounded;
    wire [63:0] own;
    wire [63:0] power;
    genvar r;
    generate
        if (|HAS[9:7]) begin : g_shift
            // Down by whole bytes, then by bits; up is down the other way round.
            wire        up   = HAS[7] && is_up;
            wire        fill = HAS[9] && is_signed && a[63];
            wire [63:0] turned;
            reg  [63:0] coarse;
            wire [71:0] fine = {{8{fill}}, coarse} >> b[2:0];
            wire [63:0] back;
            for (r = 0; r < 64; r = r + 1) begin : g_turn
                assign turned[r] = up ? a[63-r] : a[r];
                assign back[r]   = up ? fine[63-r] : fine[r];
            end
            wire [127:0] wide = {{64{fill}}, turned} >> {b[5:3], 3'd0};
            reg  [63:0]  shifted_1;
            always @(posedge clk) begin
                coarse    <= wide[63:0];
                shifted_1 <= back;
            end
            assign shifted = shifted_1;
            wire _unused_ok = &{1'b0, fine[71:64], wide[127:64], 1'b0};
        end else begin : g_no_shift
            assign shifted = 64'd0;
        end
        if (HAS[14]) begin : g_zeros
            wire [5:0] count;
            reg  [5:0] zeros_1;
            samhw_leading_zeros #(.W(64), .N_W(6)) u_zeros (.x(a), .n(count));
            always @(posedge clk)
                zeros_1 <= count;
            assign zeros = zeros_1;
        end else begin : g_no_zeros
            assign zeros = 6'd0;
        end
        if (HAS[15]) begin : g_mul
            wire [63:0] p;
            reg  [63:0] product_1;
            samhw_mul #(.W(64), .DEPTH(3)) u_mul (.clk(clk), .en(1'b1), .a(a), .b(b), .p(p));
            always @(posedge clk)
                product_1 <= p;
            assign product = product_1;
        end else begin : g_no_mul
            assign product = 64'd0;
        end
        if (HAS[16]) begin : g_div
            reg  [63:0] upper;
            reg  [63:0] lower;
            wire [64:0] next  = {upper, lower[63]};
            wire [65:0] less  = {1'b0, next} - {2'b00, b};
            wire        fits  = !less[65];
            reg         first;
            always @(posedge clk) begin
                first <= state == LOAD;
                if (state == RUN && pick[7]) begin
                    upper <= first ? c : fits ? less[63:0] : next[63:0];
                    lower <= first ? a : {lower[62:0], fits};
                end
            end
            assign quotient = lower;
            assign rest     = upper;
            wire _unused_ok = &{1'b0, less[64], 1'b0};
        end else begin : g_no_div
            assign quotient = 64'd0;
            assign rest     = 64'd0;
        end
        if (HAS[18]) begin : g_fma
            wire [63:0] value;
            reg  [63:0] fused_1;
            samhw_float_fma #(.EXP(11), .MAN(52), .DEPTH(4)) u_fma (
                .clk(clk), .en(1'b1), .a(a), .b(b), .c(c), .y(value)
            );
            always @(posedge clk)
                fused_1 <= value;
            assign fused = fused_1;
        end else begin : g_no_fma
            assign fused = 64'd0;
        end
        if (HAS[19]) begin : g_round
            // The highest bit of a is worth 2^(b+63).
            wire [63:0] value;
            reg  [63:0] rounded_1;
            samhw_float_round #(.EXP(11), .MAN(52), .W(64), .E_W(14), .RIGHT(1)) u_round (
                .clk(clk), .en(1'b1), .nan(1'b0), .inf(1'b0), .sign(c[0]),
                .exp(b[13:0] + 14'd1086), .man(a), .y(value)
            );
            always @(posedge clk)
                rounded_1 <= value;
            assign rounded = rounded_1;
        end else begin : g_no_round
            assign rounded = 64'd0;
        end
        if (HAS[20]) begin : g_own
            localparam [31:0] BIAS = (1 << (EXP-1)) + 62;
            wire [EXP+MAN:0]  value;
            wire [64:0]       wide = {{(64-EXP-MAN){1'b0}}, value};
            reg  [63:0]       own_1;
            samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(64), .E_W(14), .RIGHT(1)) u_own (
                .clk(clk), .en(1'b1), .nan(1'b0), .inf(1'b0), .sign(c[0]),
                .exp(b[13:0] + BIAS[13:0]), .man(a), .y(value)
            );
            always @(posedge clk)
                own_1 <= wide[63:0];
            assign own = own_1;
            wire _unused_ok = &{1'b0, wide[64], BIAS, 1'b0};
        end else begin : g_no_own
            assign own = 64'd0;
        end
        if (POWERS) begin : g_power
            wire [EXP+MAN:0]  value;
            wire [64:0]       wide = {{(64-EXP-MAN){1'b0}}, value};
            reg  [63:0]       power_1;
            samhw_float_pow #(.EXP(EXP), .MAN(MAN)) u_pow (
                .clk(clk), .en(1'b1), .a(a[EXP+MAN:0]), .b(b[EXP+MAN:0]), .y(value)
            );
            always @(posedge clk)
                power_1 <= wide[63:0];
            assign power = power_1;
            wire _unused_ok = &{1'b0, wide[64], 1'b0};
        end else begin : g_no_power
            assign power = 64'd0;
        end
    endgenerate

    // All results but the one that is picked count as 0.
    wire [63:0] d = {64{pick[0]}} & simple_1 | {64{pick[1]}} & sum_1 | {64{pick[2]}} & shifted
                  | {63'd0, pick[3] && truth_1} | {64{pick[4]}} & (zero_1 ? c : b)
                  | {57'd0, pick[5] && zero_1, {6{pick[5] && !zero_1}} & zeros}
                  | {64{pick[6]}} & product | {64{pick[7]}} & quotient | {64{pick[8]}} & rest
                  | {64{pick[9]}} & fused | {64{pick[10]}} & (HAS[19] && (op == 6'd19 || !HAS[20]) ? rounded : own)
                  | {64{pick[11]}} & power;
    reg         writes;

    always @(posedge clk) begin
        if (state == FETCH || state == PICK)
            line <= lines[pc];
        if (state == READ) begin
            read_a <= regs[line[17:12]];
            read_b <= regs[line[11:6]];
            read_c <= regs[line[5:0]];
            given  <= op == 6'd0 ? arg[n[1:0]] : words[n[N_W-1:0]];
        end
        if (state == LOAD) begin
            a         <= read_a;
            b         <= read_b;
            c         <= read_c;
            left      <= op >= 6'd7 && op <= 6'd9 ? 7'd1 : op == 6'd15 ? 7'd3 : op == 6'd16 ? 7'd64
                         : op == 6'd18 ? 7'd13
                    : op == 6'd19 || op == 6'd20 ? 7'd4 : op == 6'd24 ? 7'd37 : 7'd0;
            pick      <= {
                POWERS && op == 6'd24, |HAS[20:19] && (op == 6'd19 || op == 6'd20), HAS[18] && op == 6'd18,
                HAS[17] && op == 6'd17,
                HAS[16] && op == 6'd16, HAS[15] && op == 6'd15, HAS[14] && op == 6'd14, HAS[13] && op == 6'd13,
                |HAS[12:10] && op >= 6'd10 && op <= 6'd12, |HAS[9:7] && op >= 6'd7 && op <= 6'd9,
                |HAS[3:2] && (op == 6'd2 || op == 6'd3), op <= 6'd1 || (|HAS[6:4] && op >= 6'd4 && op <= 6'd6)
            };
            writes    <= op < 6'd21 || (POWERS && op == 6'd24);
            minus     <= op != 6'd2;
            is_signed <= op == 6'd9 || op == 6'd11;
            is_equal  <= op == 6'd12;
            is_up     <= op == 6'd7;
            logic_op  <= {op <= 6'd1, op == 6'd5 || op == 6'd6, op == 6'd4 || op == 6'd5};
        end else
            left <= left - 7'd1;
        if (state == PICK && writes)
            regs[line[23:18]] <= d;
        if (last)
            y <= a;
        if (rst) begin
            state <= IDLE;
            pc    <= {PC_W{1'b0}};
        end else
            case (state)
                IDLE:    state <= start ? FETCH : IDLE;
                FETCH: begin
                    state <= READ;
                    pc    <= pc + {{(PC_W-1){1'b0}}, 1'b1};
                end
                READ:    state <= LOAD;
                LOAD:    state <= RUN;
                RUN:
                    if (left == 7'd0) begin
                        state <= op == 6'd23 ? DONE : PICK;
                        if (op == 6'd22 || (op == 6'd21 && a == 64'd0))
                            pc <= n[PC_W-1:0];
                    end
                PICK: begin
                    state <= READ;
                    pc    <= pc + {{(PC_W-1){1'b0}}, 1'b1};
                end
                default: begin
                    pc <= {PC_W{1'b0}};
                    if (take)
                        state <= IDLE;
                end
            endcase
    end

    wire _unused_ok = &{1'b0, line, n, HAS, is_up, is_signed, 1'b0};

endmodule

`default_nettype wire
