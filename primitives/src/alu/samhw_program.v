// SPDX-License-Identifier: Apache-2.0
//
// Runs a program on 64-bit words: a function that takes many cycles.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with the result y, until `take`.
//   Throughput  one value per run. A run takes 1 cycle and 3 per instruction; a product takes 3 more, a
//               rounding 4, a fused multiply-add 12, a division 65.
//   Parameters  PROG: LINES instructions {op 6, d 6, a 6, b 6, c 6} in 32 bits each, b and c also one number n;
//               CONSTS: WORDS constants. Ops: 0 d = argument n, 1 constant n, 2 a+b, 3 a-b, 4 a&b, 5 a|b,
//               6 a^b, 7 a<<b, 8 a>>b, 9 the same with signs, 10 a<b, 11 the same with signs, 12 a==b,
//               13 a ? b : c, 14 leading zeros of a, 15 a*b, 16 {c,a}/b, 17 what that left; of doubles
//               18 a*b+c, 19 a * 2^b, negative if c is odd; 20 the same of format EXP, MAN; 21 go to n if a
//               is 0, 22 go to n, 23 end with a.
//               ARGS arguments of ARG_W bits; HAS: bits for ops 15, 16, 18, 19, 20 that PROG uses.
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
    parameter [4:0]          HAS    = 5'b00000
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  start,
    input  wire [ARGS*ARG_W-1:0] args,
    output wire                  done,
    input  wire                  take,
    output reg  [63:0]           y
);

    localparam [2:0] IDLE = 3'd0, FETCH = 3'd1, READ = 3'd2, RUN = 3'd3, DONE = 3'd4;
    localparam PC_W = LINES > 1 ? $clog2(LINES) : 1;
    localparam N_W  = WORDS > 1 ? $clog2(WORDS) : 1;

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
    reg  [63:0]     a;
    reg  [63:0]     b;
    reg  [63:0]     c;
    reg  [63:0]     given;   // the argument or constant

    wire [5:0]  op   = line[29:24];
    wire [5:0]  at_d = line[23:18];
    wire [5:0]  at_b = line[11:6];
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

    // Units of several cycles; their operands stay while they run.
    wire [63:0] product;
    wire [63:0] fused;
    wire [63:0] rounded;
    wire [63:0] own;
    reg  [63:0] quotient;
    reg  [63:0] rest;
    generate
        if (HAS[0]) begin : g_mul
            samhw_mul #(.W(64), .DEPTH(3)) u_mul (.clk(clk), .en(1'b1), .a(a), .b(b), .p(product));
        end else begin : g_no_mul
            assign product = 64'd0;
        end
        if (HAS[1]) begin : g_div
            wire [64:0] next  = {rest, quotient[63]};
            wire [64:0] less  = next - {1'b0, b};
            wire        fits  = next >= {1'b0, b};
            wire        first = state == RUN && op == 6'd16 && left == 7'd65;
            wire        step  = state == RUN && op == 6'd16 && left != 7'd0;
            always @(posedge clk)
                if (first) begin
                    rest     <= c;
                    quotient <= a;
                end else if (step) begin
                    rest     <= fits ? less[63:0] : next[63:0];
                    quotient <= {quotient[62:0], fits};
                end
            wire _unused_ok = &{1'b0, less[64], 1'b0};
        end else begin : g_no_div
            always @(posedge clk) begin
                rest     <= 64'd0;
                quotient <= 64'd0;
            end
        end
        if (HAS[2]) begin : g_fma
            samhw_float_fma #(.EXP(11), .MAN(52), .DEPTH(4)) u_fma (.clk(clk), .en(1'b1), .a(a), .b(b), .c(c), .y(fused));
        end else begin : g_no_fma
            assign fused = 64'd0;
        end
        if (HAS[3]) begin : g_round
            // The highest bit of a is worth 2^(b+63).
            samhw_float_round #(.EXP(11), .MAN(52), .W(64), .E_W(14), .RIGHT(1)) u_round (
                .clk(clk), .en(1'b1), .nan(1'b0), .inf(1'b0), .sign(c[0]),
                .exp(b[13:0] + 14'd1086), .man(a), .y(rounded)
            );
        end else begin : g_no_round
            assign rounded = 64'd0;
        end
        if (HAS[4]) begin : g_own
            localparam [31:0] BIAS = (1 << (EXP-1)) + 62;
            wire [EXP+MAN:0]  value;
            samhw_float_round #(.EXP(EXP), .MAN(MAN), .W(64), .E_W(14), .RIGHT(1)) u_own (
                .clk(clk), .en(1'b1), .nan(1'b0), .inf(1'b0), .sign(c[0]),
                .exp(b[13:0] + BIAS[13:0]), .man(a), .y(value)
            );
            wire [64:0] wide = {{(64-EXP-MAN){1'b0}}, value};
            assign own = wide[63:0];
            wire _unused_ok = &{1'b0, wide[64], BIAS, 1'b0};
        end else begin : g_no_own
            assign own = 64'd0;
        end
    endgenerate

    wire [5:0]  zeros;
    samhw_leading_zeros #(.W(64), .N_W(6)) u_zeros (.x(a), .n(zeros));

    wire [127:0] signs = {{64{a[63]}}, a} >> b[5:0];
    wire [63:0]  flip  = 64'h8000_0000_0000_0000;
    reg  [63:0]  d;
    always @*
        case (op)
            6'd0, 6'd1: d = given;
            6'd2:       d = a + b;
            6'd3:       d = a - b;
            6'd4:       d = a & b;
            6'd5:       d = a | b;
            6'd6:       d = a ^ b;
            6'd7:       d = a << b[5:0];
            6'd8:       d = a >> b[5:0];
            6'd9:       d = signs[63:0];
            6'd10:      d = {63'd0, a < b};
            6'd11:      d = {63'd0, (a ^ flip) < (b ^ flip)};
            6'd12:      d = {63'd0, a == b};
            6'd13:      d = a != 64'd0 ? b : c;
            6'd14:      d = {57'd0, a == 64'd0 ? 7'd64 : {1'b0, zeros}};
            6'd15:      d = product;
            6'd16:      d = quotient;
            6'd17:      d = rest;
            6'd18:      d = fused;
            6'd19:      d = rounded;
            default:    d = own;
        endcase

    always @(posedge clk) begin
        if (state == FETCH)
            line <= lines[pc];
        if (state == READ) begin
            a     <= regs[line[17:12]];
            b     <= regs[at_b];
            c     <= regs[line[5:0]];
            given <= op == 6'd0 ? arg[n[1:0]] : words[n[N_W-1:0]];
            left  <= op == 6'd15 ? 7'd3 : op == 6'd16 ? 7'd65 : op == 6'd18 ? 7'd13 : op == 6'd19 || op == 6'd20 ? 7'd4 : 7'd0;
        end else
            left <= left - 7'd1;
        if (last && op < 6'd21)
            regs[at_d] <= d;
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
                READ:    state <= RUN;
                RUN:
                    if (left == 7'd0) begin
                        state <= op == 6'd23 ? DONE : FETCH;
                        if (op == 6'd22 || (op == 6'd21 && a == 64'd0))
                            pc <= n[PC_W-1:0];
                    end
                default: begin
                    pc <= {PC_W{1'b0}};
                    if (take)
                        state <= IDLE;
                end
            endcase
    end

    wire _unused_ok = &{1'b0, line, n, signs, 1'b0};

endmodule

`default_nettype wire
