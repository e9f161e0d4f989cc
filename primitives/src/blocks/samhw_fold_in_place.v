// SPDX-License-Identifier: Apache-2.0
//
// Folds arrivals into words of a RAM, at any addresses in any order: the later stages of a read, a fold and a write.
//
//   Consumes    an arrival of the RAM's user in two stages. Stage 1 addresses the RAM: next_at, mark (lists
//               whose last arrival leaves stage 1 now). Stage 2, a cycle after: we, fresh (val replaces the
//               word), at, val. Stage 3, a cycle after: read, the RAM's answer as a register. While `busy`
//               stays what stage 1 has, or AHEAD what comes to it next: wait_at, wait_folds (the word there is
//               an operand).
//   Produces    w_we, w_at, w_val: the RAM's write. closing: marks under way; complete: marks whose writes,
//               and all before, have been made or are made in the next two cycles.
//   look        the word at look_at two cycles after it was addressed with it, for that cycle, where look_read
//               is the RAM's answer as a register. With OP 4 nothing may be under way to it.
//   Throughput  one arrival per cycle, also at one address in a row; with OP 4 an arrival follows the one
//               before at its address after DEPTH + 1 cycles; with OP 5 it waits until all that is under way
//               is there: 3 cycles for a fresh value, else a run of the program and 3.
//   Stages      a RAM answers late in its cycle and takes its address early, so there are registers around
//               it: stage 3 folds, and with an operator of one cycle stage 4 writes. What the RAM does not
//               know yet are the writes of the three arrivals before; with OP 4 those of this cycle and the
//               next.
//   Parameters  AT_W address bits; VAL_W; MARKS; EARLY: fresh comes early in its cycle; AHEAD; FOLD, of
//               FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits.
`default_nettype none

module samhw_fold_in_place #(
    parameter              AT_W   = 8,
    parameter              VAL_W  = 16,
    parameter              MARKS  = 1,
    parameter              EARLY  = 1,
    parameter              AHEAD  = 0,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire             clk,
    input  wire             rst,

    input  wire [AT_W-1:0]  wait_at,
    input  wire             wait_folds,
    input  wire [AT_W-1:0]  next_at,
    input  wire [MARKS-1:0] mark,
    output wire             busy,
    output wire [MARKS-1:0] closing,
    output wire [MARKS-1:0] complete,

    input  wire             we,
    input  wire             fresh,
    input  wire [AT_W-1:0]  at,
    input  wire [VAL_W-1:0] val,
    input  wire [VAL_W-1:0] read,

    output wire             w_we,
    output wire [AT_W-1:0]  w_at,
    output wire [VAL_W-1:0] w_val,

    input  wire [AT_W-1:0]  look_at,
    input  wire [VAL_W-1:0] look_read,
    output wire [VAL_W-1:0] look
);
    generate
        if (AT_W < 1 || VAL_W < 1 || MARKS < 1 || FOLD_W < 128
            || EARLY < 0 || EARLY > 1 || AHEAD < 0 || AHEAD > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_fold.vh"

    // Operands of the fold, and its result.
    wire [VAL_W-1:0] old;
    wire [VAL_W-1:0] add;
    wire [VAL_W-1:0] folded;

    // The program's state, with OP 5.
    wire             starts;
    wire             ran;

    generate
        if (OP == 5) begin : g_alone
            reg             s3_we;
            reg             s3_new;
            reg             s3_fresh;
            reg [AT_W-1:0]  s3_at;
            reg [VAL_W-1:0] s3_kept;
            reg [VAL_W-1:0] s3_val;
            reg [MARKS-1:0] ends;
            wire            written = s3_we && (s3_fresh || ran);
            always @(posedge clk) begin
                if (we) begin
                    s3_fresh <= fresh;
                    s3_at    <= at;
                    s3_val   <= val;
                end
                s3_new  <= we;
                s3_kept <= old;
                if (rst) begin
                    s3_we <= 1'b0;
                    ends  <= {MARKS{1'b0}};
                end else begin
                    s3_we <= we || (s3_we && !written);
                    ends  <= (ends & ~complete) | mark;
                end
            end
            assign starts   = s3_we && !s3_fresh;
            assign busy     = we || s3_we;
            assign closing  = ends;
            assign complete = ends & {MARKS{!we && (!s3_we || written)}};
            assign w_we     = written;
            assign w_at     = s3_at;
            assign w_val    = s3_fresh ? s3_val : folded;
            // The program's argument stays, the answer does not.
            assign old      = s3_new ? read : s3_kept;
            assign add      = s3_val;
            assign look     = look_read;
            wire _unused_ok = &{1'b0, wait_at, wait_folds, next_at, look_at, 1'b0};
        end
        if (OP != 5 && DEPTH == 0) begin : g_now
            assign starts = 1'b0;
            reg              s3_we;
            reg              s3_fresh;
            reg [AT_W-1:0]   s3_at;
            reg [VAL_W-1:0]  s3_val;
            // Stage 4 writes; what it wrote a cycle ago.
            reg              s4_we;
            reg [AT_W-1:0]   s4_at;
            reg [VAL_W-1:0]  written;
            reg [VAL_W-1:0]  past;
            // To whose address the writes of stages 2, 3 and 4 went when it was read.
            reg              s2_next;
            reg              s2_past;
            reg              s2_late;
            reg              f_next;
            reg              f_past;
            reg              f_late;
            // What stands instead of the answer: what stage 4 writes now, or what was sent along; 0 if it was nothing.
            reg              s3_next;
            reg              s3_known;
            reg [VAL_W-1:0]  s3_sent;
            reg              g_next;
            reg              g_known;
            reg [VAL_W-1:0]  g_sent;
            // Where a value is fresh the other is 0, from this stage or from the next. A sum of both is the
            // value itself.
            wire             blank = EARLY != 0 && fresh;
            wire [VAL_W-1:0] keep  = {VAL_W{EARLY != 0 || !s3_fresh}};
            wire [VAL_W-1:0] s3_new = s3_fresh && OP != 0 ? s3_val : folded;
            always @(posedge clk) begin
                s3_at    <= at;
                s3_fresh <= fresh;
                s3_val   <= val;
                s4_at    <= s3_at;
                written  <= s3_new;
                past     <= written;
                s2_next  <= we && at == next_at;
                s2_past  <= s3_we && s3_at == next_at;
                s2_late  <= s4_we && s4_at == next_at;
                f_next   <= we && at == look_at;
                f_past   <= s3_we && s3_at == look_at;
                f_late   <= s4_we && s4_at == look_at;
                s3_next  <= s2_next && !blank;
                s3_known <= s2_next || s2_past || s2_late || blank;
                s3_sent  <= blank ? {VAL_W{1'b0}} : s2_past ? written : past & {VAL_W{s2_late}};
                g_next   <= f_next;
                g_known  <= f_next || f_past || f_late;
                g_sent   <= f_past ? written : past & {VAL_W{f_late}};
                s3_we    <= we && !rst;
                s4_we    <= s3_we && !rst;
            end
            assign look     = (g_next ? written : g_sent) | (look_read & {VAL_W{!g_known}});
            assign old      = keep & ((s3_next ? written : s3_sent) | (read & {VAL_W{!s3_known}}));
            assign add      = s3_val;
            assign w_we     = s4_we;
            assign w_at     = s4_at;
            assign w_val    = written;
            assign busy     = 1'b0;
            assign closing  = {MARKS{1'b0}};
            assign complete = mark;
            wire _unused_ok = &{1'b0, wait_at, wait_folds, 1'b0};
        end
        if (OP != 5 && DEPTH != 0) begin : g_later
            // Cycles from stage 2 to the write: the operands' register, and the operator's own.
            localparam LATE = DEPTH + 1;
            assign starts = 1'b0;
            reg                       s3_fresh;
            reg  [VAL_W-1:0]          s3_val;
            reg  [LATE-1:0]           wes;
            reg  [LATE*AT_W-1:0]      ats;
            reg  [(LATE+1)*MARKS-1:0] ends;
            wire [LATE:0]             wes_in  = {wes, we};
            wire [(LATE+1)*AT_W-1:0]  ats_in  = {ats, at};
            wire [(LATE+2)*MARKS-1:0] ends_in = {ends, mark};
            wire [LATE-1:0]           under_way;
            // What was written a cycle ago. What stands instead of the answer: that, or what was sent
            // along; 0 if it was nothing.
            reg  [VAL_W-1:0]          written;
            reg                       s2_next;
            reg                       s2_past;
            reg                       s3_next;
            reg                       s3_known;
            reg  [VAL_W-1:0]          s3_sent;
            wire                      blank = EARLY != 0 && fresh;
            wire [VAL_W-1:0]          found = (s3_next ? written : s3_sent) | (read & {VAL_W{!s3_known}});
            reg  [MARKS-1:0]          closing_now;
            integer i;
            always @* begin
                closing_now = {MARKS{1'b0}};
                for (i = 0; i <= LATE; i = i + 1)
                    closing_now = closing_now | ends[i*MARKS +: MARKS];
            end
            always @(posedge clk) begin
                ats      <= ats_in[LATE*AT_W-1:0];
                s3_fresh <= fresh;
                s3_val   <= val;
                written  <= folded;
                s2_next  <= wes_in[LATE-1] && ats_in[(LATE-1)*AT_W +: AT_W] == next_at;
                s2_past  <= wes_in[LATE] && ats_in[LATE*AT_W +: AT_W] == next_at;
                s3_next  <= s2_next && !blank;
                s3_known <= s2_next || s2_past || blank;
                s3_sent  <= blank ? TRUE[VAL_W-1:0] : written & {VAL_W{s2_past}};
                if (rst) begin
                    wes  <= {LATE{1'b0}};
                    ends <= {((LATE+1)*MARKS){1'b0}};
                end else begin
                    wes  <= wes_in[LATE-1:0];
                    ends <= ends_in[(LATE+1)*MARKS-1:0];
                end
            end
            genvar p;
            for (p = 0; p < LATE; p = p + 1) begin : g_under_way
                assign under_way[p] = p + AHEAD < DEPTH && wes_in[p] && ats_in[p*AT_W +: AT_W] == wait_at;
            end
            assign busy     = wait_folds && |under_way;
            assign closing  = closing_now;
            assign complete = ends_in[(LATE+1)*MARKS +: MARKS];
            assign w_we     = wes_in[LATE];
            assign w_at     = ats_in[LATE*AT_W +: AT_W];
            assign old      = EARLY == 0 && s3_fresh ? TRUE[VAL_W-1:0] : found;
            assign add      = s3_val;
            assign w_val    = folded;
            assign look     = look_read;
            wire _unused_ok = &{1'b0, look_at, s3_fresh, 1'b0};
        end
    endgenerate

    generate
        if (OP != 5) begin : g_no_program
            assign ran = 1'b0;
            wire _unused_ok = &{1'b0, starts, ran, 1'b0};
        end
        if (OP == 5) begin : g_program
            `include "samhw_fold_program.vh"
            wire [63:0] y;
            samhw_routine #(
                .LINES(LINES), .PROG(PROG), .WORDS(WORDS), .CONSTS(CONSTS), .ARGS(2), .ARG_W(VAL_W),
                .EXP(EXP), .MAN(MAN), .HAS(HAS)
            ) u_program (
                .clk(clk), .rst(rst), .start(starts), .args({add, old}), .done(ran), .take(1'b1), .y(y)
            );
            assign folded = y[VAL_W-1:0] & TRUE[VAL_W-1:0];
            wire _unused_ok = &{1'b0, y, 1'b0};
        end else if (OP == 0) begin : g_add
            assign folded = old + add;
        end else if (OP <= 2) begin : g_order
            wire less;
            if (SIGNED != 0) begin : g_signed
                assign less = $signed(add) < $signed(old);
            end else begin : g_unsigned
                assign less = add < old;
            end
            assign folded = (less == (OP == 1)) ? add : old;
        end else if (OP == 3) begin : g_unit
            samhw_fold #(.OP(UNIT), .W(VAL_W), .EXP(EXP), .MAN(MAN), .ONE(TRUE[VAL_W-1:0])) u_fold (
                .a(old), .b(add), .y(folded)
            );
        end else begin : g_pipelined
            samhw_pipelined_op #(
                .OP(UNIT), .DEPTH(DEPTH), .W(VAL_W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP),
                .MAN(MAN), .MUL(MUL)
            ) u_op (.clk(clk), .en(1'b1), .a(old), .b(add), .y(folded));
        end
    endgenerate

    // Modules that are not there take these.
    wire _unused_ok = &{
        1'b0, UNIT == 0, EXP == 0, MAN == 0, MUL == 0, SATURATE == 0, FRAC == 0, SIGNED == 0, TRUE[0], 1'b0
    };

endmodule

`default_nettype wire
