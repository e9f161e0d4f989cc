// SPDX-License-Identifier: Apache-2.0
//
// The workspace's values, and the register its results leave by.
//
//   Consumes    acc: arrivals; a `fresh` one replaces the value at its address, others fold
//               with it. item: addresses to be read, or the notice of a list with none.
//   Produces    out: pairs (crd, val); the last of a list carries the list's end, a list with
//               none is NIL, or DONE.
//   Throughput  one arrival and one item per cycle, also at one address in a row; with OP 4 an arrival is
//               folded at least DEPTH + 1 cycles after the one before at its address, and others pass it.
//   Latency     item to out: 3 cycles.
//   Boundary    out_valid and out_beat are registers.
//   Parameters  ADDR_W address bits; CRD_W >= ADDR_W, VAL_W, STOP_W bits of a beat; BANK_W log2 of the banks;
//               WORDS per bank; FOLD, of FOLD_W bits: what folds (samhw_fold.vh).
//   Reset       valid bits and full; values are not reset.
`default_nettype none

module samhw_workspace_values #(
    parameter              ADDR_W = 8,
    parameter              CRD_W  = 8,
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              BANK_W = 1,
    parameter              WORDS  = 256,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
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
    generate
        if (ADDR_W < 1 || VAL_W < 1 || STOP_W < 1 || BANK_W < 1 || WORDS < 1
            || CRD_W < ADDR_W || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    `include "samhw_fold.vh"

    localparam BANKS  = 2**BANK_W;
    localparam [BANKS-1:0] BANK_0 = 1;
    localparam END_W  = 2*STOP_W;
    localparam BEAT_W = 2 + STOP_W + VAL_W + CRD_W;

    reg  [BANKS-1:0]       full;
    wire [BANKS*VAL_W-1:0] bank_val;
    wire [BANKS*END_W-1:0] bank_end;

    // Way in: stage 1 addresses the RAM, stage 2 has its answer; what follows is samhw_fold_in_place.
    wire              s1_go;
    wire [BANK_W-1:0] s1_bank;
    wire [ADDR_W-1:0] s1_addr;
    wire              s1_update;
    wire              s1_fresh;
    wire [VAL_W-1:0]  s1_val;
    // What is written, and which lists are complete: those that end now, how, and those whose last fold leaves stage 1.
    wire              w_we;
    wire [BANK_W-1:0] w_bank;
    wire [ADDR_W-1:0] w_addr;
    wire [VAL_W-1:0]  w_val;
    wire [BANKS-1:0]  ended;
    wire [END_W-1:0]  ending;
    wire [BANKS-1:0]  arrived;
    wire [BANKS-1:0]  complete;
    wire              busy;
    wire [BANKS-1:0]  closing;

    generate
        if (OP == 4) begin : g_issue
            samhw_workspace_issue #(
                .ADDR_W(ADDR_W), .BANK_W(BANK_W), .VAL_W(VAL_W), .END_W(END_W), .LATE(DEPTH)
            ) u_issue (
                .clk(clk), .rst(rst),
                .acc_valid(acc_valid), .acc_ready(acc_ready), .acc_bank(acc_bank), .acc_addr(acc_addr),
                .acc_update(acc_update), .acc_fresh(acc_fresh), .acc_last(acc_last), .acc_tail(acc_tail),
                .full(full), .complete(complete),
                .s1_valid(s1_go), .s1_bank(s1_bank), .s1_addr(s1_addr), .s1_update(s1_update),
                .s1_fresh(s1_fresh), .s1_val(s1_val), .mark(arrived), .ended(ended), .ending(ending)
            );
            wire _unused_ok = &{1'b0, busy, closing, 1'b0};
        end else begin : g_wait
            reg              valid;
            reg [BANK_W-1:0] bank;
            reg [ADDR_W-1:0] addr;
            reg              update;
            reg              fresh;
            reg              last;
            reg [VAL_W-1:0]  val;
            reg [END_W-1:0]  at_end;
            // With OP 5: a program runs, and banks whose last one it is.
            assign s1_go     = valid && !full[bank] && !closing[bank] && !busy;
            assign acc_ready = !valid || s1_go;
            assign s1_bank   = bank;
            assign s1_addr   = addr;
            assign s1_update = update;
            assign s1_fresh  = fresh;
            assign s1_val    = val;
            // Masked behind the shift: by a bank that no beat has set yet, zeros are shifted to X.
            assign arrived   = {BANKS{s1_go && last}} & (BANK_0 << bank);
            assign ended     = arrived;
            assign ending    = at_end;
            always @(posedge clk) begin
                if (acc_ready) begin
                    bank   <= acc_bank;
                    addr   <= acc_addr;
                    update <= acc_update;
                    fresh  <= acc_fresh;
                    last   <= acc_last;
                    {at_end, val} <= acc_tail;
                end
                valid <= !rst && (acc_valid || !acc_ready);
            end
            wire _unused_ok = &{1'b0, DEPTH == 0, 1'b0};
        end
    endgenerate

    reg              s2_we;
    reg              s2_fresh;
    reg [BANK_W-1:0] s2_bank;
    reg [ADDR_W-1:0] s2_addr;
    reg [VAL_W-1:0]  s2_val;

    reg  [BANK_W-1:0] s3_bank;
    wire [VAL_W-1:0]  s3_read = bank_val[s3_bank*VAL_W +: VAL_W];

    // Way out: an item, which waits here rather than above, so that nothing above depends on what becomes of its value.
    wire              i_valid;
    wire              i_ready;
    wire [BANK_W-1:0] i_bank;
    wire [ADDR_W-1:0] i_word;
    wire              i_none;
    wire              i_last;
    samhw_skid #(.W(BANK_W+ADDR_W+2), .PASS(1)) u_items (
        .clk(clk), .rst(rst),
        .in_valid(item_valid), .in_ready(item_ready), .in_beat({item_bank, item_word, item_none, item_last}),
        .out_valid(i_valid), .out_ready(i_ready), .out_beat({i_bank, i_word, i_none, i_last})
    );

    // The value at an item's address, which may be on its way to the RAM.
    reg  [BANK_W-1:0] g_bank;
    wire [VAL_W-1:0]  g_read = bank_val[g_bank*VAL_W +: VAL_W];
    wire [VAL_W-1:0]  g_val;

    samhw_fold_in_place #(
        .AT_W(BANK_W+ADDR_W), .VAL_W(VAL_W), .MARKS(BANKS), .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_fold (
        .clk(clk), .rst(rst),
        .wait_at({s1_bank, s1_addr}), .wait_folds(s1_update && !s1_fresh), .next_at({s1_bank, s1_addr}), .mark(arrived),
        .busy(busy), .closing(closing), .complete(complete),
        .we(s2_we), .fresh(s2_fresh), .at({s2_bank, s2_addr}), .val(s2_val), .read(s3_read),
        .w_we(w_we), .w_at({w_bank, w_addr}), .w_val(w_val),
        .look_at({i_bank, i_word}), .look_read(g_read), .look(g_val)
    );

    // A read (f), its answer as a register (g), the output register, and two beats behind it.
    reg              f_valid;
    reg              f_none;
    reg              f_last;
    reg [BANK_W-1:0] f_bank;
    reg [ADDR_W-1:0] f_addr;
    reg              g_valid;
    reg              g_none;
    reg [ADDR_W-1:0] g_addr;
    reg [END_W-1:0]  g_end;
    reg              n_valid;
    reg [BEAT_W-1:0] n_beat;
    reg              m_valid;
    reg [BEAT_W-1:0] m_beat;

    wire [STOP_W-1:0] end_hole;
    wire [STOP_W-1:0] end_stop;
    wire              end_done = end_hole == {STOP_W{1'b0}};
    assign {end_hole, end_stop} = g_end;

    wire [BEAT_W-1:0] g_beat =
        g_none ? {end_done ? DONE : NIL, end_stop, {(VAL_W+CRD_W-STOP_W){1'b0}}, end_hole}
               : {DATA, end_stop, g_val, {(CRD_W-ADDR_W){1'b0}}, g_addr};

    // An answer does not wait. Of three places two are taken at most after this cycle, so there is one for
    // what a read brings.
    wire pop   = out_valid && out_ready;
    reg  three;
    assign i_ready = full[i_bank] && (!three || pop);
    wire f_go  = i_valid && i_ready;
    wire go    = pop || !out_valid;

    wire [BANKS-1:0] left = {BANKS{f_go && i_last}} & (BANK_0 << i_bank);

    // What is held after this cycle, in order: out, n, m; what is read comes behind it.
    wire out_next = g_valid || n_valid || !go;
    wire n_next   = go ? (n_valid && g_valid) || m_valid : n_valid || g_valid;
    wire m_next   = go ? m_valid && g_valid : m_valid || (n_valid && g_valid);

    always @(posedge clk) begin
        s2_bank  <= s1_bank;
        s2_addr  <= s1_addr;
        s2_fresh <= s1_fresh;
        s2_val   <= s1_val;
        s3_bank  <= s2_bank;

        f_none <= i_none;
        f_last <= i_last;
        f_bank <= i_bank;
        f_addr <= i_word;
        g_none <= f_none;
        g_bank <= f_bank;
        g_addr <= f_addr;
        g_end  <= f_none || f_last ? bank_end[f_bank*END_W +: END_W] : {END_W{1'b0}};
        if (go)
            out_beat <= n_valid ? n_beat : g_beat;
        if (go || !n_valid)
            n_beat <= m_valid ? m_beat : g_beat;
        if (go || !m_valid)
            m_beat <= g_beat;

        if (rst) begin
            s2_we     <= 1'b0;
            f_valid   <= 1'b0;
            g_valid   <= 1'b0;
            out_valid <= 1'b0;
            n_valid   <= 1'b0;
            m_valid   <= 1'b0;
            three     <= 1'b0;
            full      <= {BANKS{1'b0}};
        end else begin
            s2_we     <= s1_go && s1_update;
            f_valid   <= f_go;
            g_valid   <= f_valid;
            out_valid <= out_next;
            n_valid   <= n_next;
            m_valid   <= m_next;
            three     <= m_next || (n_next && (f_go || f_valid)) || (out_next && f_go && f_valid);
            full      <= (full | complete) & ~left;
        end
    end

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_values
            localparam [BANK_W-1:0] K = k;
            // A RAM answers late in its cycle: its answer is a register before anything is chosen.
            wire [VAL_W-1:0] read;
            reg  [VAL_W-1:0] answer;
            samhw_workspace_ram #(.W(VAL_W), .DEPTH(WORDS), .ADDR_W(ADDR_W)) u_ram (
                .clk(clk),
                .we(w_we && w_bank == K), .waddr(w_addr), .wdata(w_val),
                .raddr(full[k] ? i_word : s1_addr), .rdata(read)
            );
            always @(posedge clk)
                answer <= read;
            assign bank_val[k*VAL_W +: VAL_W] = answer;
            reg [END_W-1:0] at_end;
            always @(posedge clk)
                if (ended[k])
                    at_end <= ending;
            assign bank_end[k*END_W +: END_W] = at_end;
        end
    endgenerate

endmodule

`default_nettype wire
