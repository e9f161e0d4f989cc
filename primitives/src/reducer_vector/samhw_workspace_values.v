// SPDX-License-Identifier: Apache-2.0
//
// The workspace's values, and the register its results leave by.
//
//   Consumes    acc: arrivals; a `fresh` one replaces the value at its address, others fold
//               with it. item: addresses to be read, or the notice of a list with none.
//   Produces    out: pairs (crd, val); the last of a list carries the list's end, a list with
//               none is NIL, or DONE.
//   Throughput  one arrival and one item per cycle, also at one address in a row; with OP 4 an arrival waits
//               until what is under way to its address, up to DEPTH + 2 cycles, is there.
//   Latency     item to out: 2 cycles.
//   Boundary    out_valid and out_beat are registers.
//   Parameters  OP 0 add, 1 min, 2 max, 3 what UNIT, EXP, MAN and TRUE say of samhw_fold; 4 what UNIT, DEPTH,
//               EXP, MAN, MUL, SATURATE say of samhw_pipelined_op, TRUE its identity; SIGNED values; ADDR_W address bits; CRD_W >= ADDR_W,
//               VAL_W, STOP_W bits of a beat; BANK_W log2 of the banks; WORDS per bank.
//   Reset       valid bits and full; values are not reset.
`default_nettype none

module samhw_workspace_values #(
    parameter OP     = 0,
    parameter SIGNED = 1,
    parameter ADDR_W = 8,
    parameter CRD_W  = 8,
    parameter VAL_W  = 16,
    parameter STOP_W = 3,
    parameter BANK_W = 1,
    parameter WORDS  = 256,
    parameter UNIT   = 0,
    parameter EXP    = 0,
    parameter MAN    = 0,
    parameter [VAL_W-1:0] TRUE = {{(VAL_W-1){1'b0}}, 1'b1},
    parameter DEPTH    = 0,
    parameter MUL      = 0,
    parameter SATURATE = 0
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            acc_valid,
    output wire                            acc_ready,
    input  wire [BANK_W-1:0]               acc_bank,
    input  wire [ADDR_W-1:0]               acc_addr,
    input  wire                            acc_update,
    input  wire                            acc_fresh,
    input  wire                            acc_last,
    input  wire [VAL_W+2*STOP_W-1:0]       acc_tail,

    input  wire                            item_valid,
    output wire                            item_ready,
    input  wire [BANK_W-1:0]               item_bank,
    input  wire [ADDR_W-1:0]               item_word,
    input  wire                            item_none,
    input  wire                            item_last,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+VAL_W+CRD_W-1:0] out_beat
);

    localparam [1:0] DATA = 2'd0;
    localparam [1:0] NIL  = 2'd2;
    localparam [1:0] DONE = 2'd3;

    localparam BANKS  = 2**BANK_W;
    localparam END_W  = 2*STOP_W;
    localparam BEAT_W = 2 + STOP_W + VAL_W + CRD_W;

    reg  [BANKS-1:0]       full;
    wire [BANKS*VAL_W-1:0] bank_val;
    wire [BANKS*END_W-1:0] bank_end;

    // Way in: stage 1 addresses the RAM, stage 2 has its answer, stage 3 folds and, with an operator of one
    // cycle, writes. So what the RAM does not know yet are the writes of the two arrivals before.
    reg              s1_valid;
    reg [BANK_W-1:0] s1_bank;
    reg [ADDR_W-1:0] s1_addr;
    reg              s1_update;
    reg              s1_fresh;
    reg              s1_last;
    reg [VAL_W-1:0]  s1_val;
    reg [END_W-1:0]  s1_end;
    reg              s2_we;
    reg              s2_fresh;
    reg [BANK_W-1:0] s2_bank;
    reg [ADDR_W-1:0] s2_addr;
    reg [VAL_W-1:0]  s2_val;

    // With OP 4: writes under way to the address, and banks whose last ones are under way.
    wire             busy;
    wire [BANKS-1:0] closing;
    wire s1_go = s1_valid && !full[s1_bank] && !closing[s1_bank] && !busy;
    assign acc_ready = !s1_valid || s1_go;

    wire [VAL_W-1:0] s2_read = bank_val[s2_bank*VAL_W +: VAL_W];

    // Operands of the fold, and its result.
    wire [VAL_W-1:0] old;
    wire [VAL_W-1:0] add;
    wire [VAL_W-1:0] folded;

    // What is written, and which lists are complete.
    wire              w_we;
    wire [BANK_W-1:0] w_bank;
    wire [ADDR_W-1:0] w_addr;
    wire [VAL_W-1:0]  w_val;
    wire [BANKS-1:0]  arrived;
    wire [BANKS-1:0]  complete;

    // The value of an item's address, which may be on its way to the RAM.
    reg  [BANK_W-1:0] f_bank;
    wire [VAL_W-1:0]  f_read = bank_val[f_bank*VAL_W +: VAL_W];
    wire [VAL_W-1:0]  f_val;

    generate
        if (DEPTH == 0) begin : g_now
            reg              s3_we;
            reg              s3_fresh;
            reg [BANK_W-1:0] s3_bank;
            reg [ADDR_W-1:0] s3_addr;
            reg [VAL_W-1:0]  s3_old;
            reg [VAL_W-1:0]  s3_val;
            // The write of one cycle ago, and to whose address it or the one of this cycle goes.
            reg [VAL_W-1:0]  written;
            reg              s2_next;
            reg              s2_past;
            reg              f_next;
            reg              f_past;
            wire [BANK_W+ADDR_W-1:0] at_1    = {s1_bank, s1_addr};
            wire [BANK_W+ADDR_W-1:0] at_2    = {s2_bank, s2_addr};
            wire [BANK_W+ADDR_W-1:0] at_3    = {s3_bank, s3_addr};
            wire [BANK_W+ADDR_W-1:0] at_item = {item_bank, item_word};
            wire [VAL_W-1:0]         s3_new  = s3_fresh ? s3_val : folded;
            always @(posedge clk) begin
                s3_bank  <= s2_bank;
                s3_addr  <= s2_addr;
                s3_fresh <= s2_fresh;
                s3_val   <= s2_val;
                s3_old   <= s2_next ? s3_new : s2_past ? written : s2_read;
                written  <= s3_new;
                s2_next  <= s2_we && at_2 == at_1;
                s2_past  <= s3_we && at_3 == at_1;
                f_next   <= s2_we && at_2 == at_item;
                f_past   <= s3_we && at_3 == at_item;
                s3_we    <= s2_we && !rst;
            end
            assign f_val    = f_next ? s3_new : f_past ? written : f_read;
            assign old      = s3_old;
            assign add      = s3_val;
            assign w_we     = s3_we;
            assign w_bank   = s3_bank;
            assign w_addr   = s3_addr;
            assign w_val    = s3_new;
            assign busy     = 1'b0;
            assign closing  = {BANKS{1'b0}};
            assign complete = arrived;
        end else begin : g_later
            // Cycles from stage 2 to the write: the operands' register, and the operator's own.
            localparam LATE = DEPTH + 1;
            localparam AT_W = BANK_W + ADDR_W;
            reg  [VAL_W-1:0]            s3_old;
            reg  [VAL_W-1:0]            s3_val;
            reg  [LATE-1:0]             wes;
            reg  [LATE*AT_W-1:0]        ats;
            reg  [(LATE+1)*BANKS-1:0]   ends;
            wire [LATE:0]               wes_in  = {wes, s2_we};
            wire [(LATE+1)*AT_W-1:0]    ats_in  = {ats, s2_bank, s2_addr};
            wire [(LATE+2)*BANKS-1:0]   ends_in = {ends, arrived};
            wire [LATE:0]               same;
            reg  [BANKS-1:0]            closing_now;
            integer i;
            always @* begin
                closing_now = {BANKS{1'b0}};
                for (i = 0; i <= LATE; i = i + 1)
                    closing_now = closing_now | ends[i*BANKS +: BANKS];
            end
            always @(posedge clk) begin
                ats    <= ats_in[LATE*AT_W-1:0];
                s3_old <= s2_fresh ? TRUE : s2_read;
                s3_val <= s2_val;
                if (rst) begin
                    wes  <= {LATE{1'b0}};
                    ends <= {((LATE+1)*BANKS){1'b0}};
                end else begin
                    wes  <= wes_in[LATE-1:0];
                    ends <= ends_in[(LATE+1)*BANKS-1:0];
                end
            end
            genvar p;
            for (p = 0; p <= LATE; p = p + 1) begin : g_busy
                assign same[p] = wes_in[p] && ats_in[p*AT_W +: AT_W] == {s1_bank, s1_addr};
            end
            assign busy     = s1_update && !s1_fresh && |same;
            assign closing  = closing_now;
            assign complete = ends_in[(LATE+1)*BANKS +: BANKS];
            assign {w_we, w_bank, w_addr} = {wes_in[LATE], ats_in[LATE*AT_W +: AT_W]};
            assign old   = s3_old;
            assign add   = s3_val;
            assign w_val = folded;
            assign f_val = f_read;
        end
    endgenerate

    generate
        if (OP == 0) begin : g_add
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
            samhw_fold #(.OP(UNIT), .W(VAL_W), .EXP(EXP), .MAN(MAN), .ONE(TRUE)) u_fold (
                .a(old), .b(add), .y(folded)
            );
        end else begin : g_pipelined
            samhw_pipelined_op #(
                .OP(UNIT), .DEPTH(DEPTH), .W(VAL_W), .SIGNED(SIGNED), .SATURATE(SATURATE), .EXP(EXP), .MAN(MAN), .MUL(MUL)
            ) u_op (.clk(clk), .en(1'b1), .a(old), .b(add), .y(folded));
        end
    endgenerate

    // Way out: a read, the output register, and a beat behind it.
    reg              f_valid;
    reg              f_none;
    reg              f_last;
    reg [ADDR_W-1:0] f_addr;
    reg              n_valid;
    reg [BEAT_W-1:0] n_beat;

    wire [STOP_W-1:0] end_hole;
    wire [STOP_W-1:0] end_stop;
    wire              end_done = end_hole == {STOP_W{1'b0}};
    assign {end_hole, end_stop} = bank_end[f_bank*END_W +: END_W];

    wire [BEAT_W-1:0] f_beat =
        f_none ? {end_done ? DONE : NIL, end_stop, {(VAL_W+CRD_W-STOP_W){1'b0}}, end_hole}
               : {DATA, f_last ? end_stop : {STOP_W{1'b0}}, f_val, {(CRD_W-ADDR_W){1'b0}}, f_addr};

    wire pop  = out_valid && out_ready;
    wire room = n_valid ? pop : !(f_valid && out_valid && !pop);
    wire f_go = item_valid && full[item_bank] && room;
    assign item_ready = full[item_bank] && room;

    assign arrived = {{(BANKS-1){1'b0}}, s1_go && s1_last} << s1_bank;
    wire [BANKS-1:0] left = {{(BANKS-1){1'b0}}, f_go && item_last} << item_bank;

    always @(posedge clk) begin
        if (acc_ready) begin
            s1_bank   <= acc_bank;
            s1_addr   <= acc_addr;
            s1_update <= acc_update;
            s1_fresh  <= acc_fresh;
            s1_last   <= acc_last;
            {s1_end, s1_val} <= acc_tail;
        end
        s2_bank  <= s1_bank;
        s2_addr  <= s1_addr;
        s2_fresh <= s1_fresh;
        s2_val   <= s1_val;

        f_none <= item_none;
        f_last <= item_last;
        f_bank <= item_bank;
        f_addr <= item_word;
        if (pop || !out_valid)
            out_beat <= n_valid ? n_beat : f_beat;
        if (!n_valid)
            n_beat <= f_beat;

        if (rst) begin
            s1_valid  <= 1'b0;
            s2_we     <= 1'b0;
            f_valid   <= 1'b0;
            n_valid   <= 1'b0;
            out_valid <= 1'b0;
            full      <= {BANKS{1'b0}};
        end else begin
            s1_valid  <= acc_valid || !acc_ready;
            s2_we     <= s1_go && s1_update;
            f_valid   <= f_go;
            out_valid <= n_valid || f_valid || (out_valid && !pop);
            n_valid   <= out_valid && !pop && (n_valid || f_valid);
            full      <= (full | complete) & ~left;
        end
    end

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_bank
            localparam [BANK_W-1:0] K = k;
            samhw_workspace_ram #(.W(VAL_W), .DEPTH(WORDS), .ADDR_W(ADDR_W)) u_ram (
                .clk(clk),
                .we(w_we && w_bank == K), .waddr(w_addr), .wdata(w_val),
                .raddr(full[k] ? item_word : s1_addr), .rdata(bank_val[k*VAL_W +: VAL_W])
            );
            reg [END_W-1:0] at_end;
            always @(posedge clk)
                if (arrived[k])
                    at_end <= s1_end;
            assign bank_end[k*END_W +: END_W] = at_end;
        end
    endgenerate

endmodule

`default_nettype wire
