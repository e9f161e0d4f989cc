// SPDX-License-Identifier: Apache-2.0
//
// One level of the workspace's occupancy bitmap that lives in RAM.
//
//   Consumes    acc: arrivals on their way down; each sets the bit of its address in the word
//               of its address above (PRE_W bits). item: words to be read on the way out.
//   Produces    below: the arrivals, `fresh` if the bit was not set before. walk: one item for
//               every bit set of every word, lowest first; a `none` item passes as it is.
//   Throughput  one arrival and one item per cycle, also for words with a single bit.
//   Latency     2 cycles on either way, so that a list's walk follows its last arrival.
//   Boundary    item_ready is a register.
//   Banks       a bank is written while its list arrives and read once all of it has (full).
//   Clearing    none: a word is stale unless the bit above it was set before (fresh).
//   Parameters  ADDR_W bits of an address, PRE_W of it above this level's BIT_W, BANK_W log2 of
//               the banks, DEPTH words per bank, TAIL_W bits that arrivals carry along.
//   Reset       valid bits and full.
`default_nettype none

module samhw_workspace_level #(
    parameter ADDR_W = 10,
    parameter PRE_W  = 5,
    parameter BIT_W  = 5,
    parameter BANK_W = 1,
    parameter DEPTH  = 32,
    parameter TAIL_W = 16
) (
    input  wire                   clk,
    input  wire                   rst,

    input  wire                   acc_valid,
    output wire                   acc_ready,
    input  wire [BANK_W-1:0]      acc_bank,
    input  wire [ADDR_W-1:0]      acc_addr,
    input  wire                   acc_update,
    input  wire                   acc_fresh,
    input  wire                   acc_last,
    input  wire [TAIL_W-1:0]      acc_tail,

    output wire                   below_valid,
    input  wire                   below_ready,
    output wire [BANK_W-1:0]      below_bank,
    output wire [ADDR_W-1:0]      below_addr,
    output wire                   below_update,
    output wire                   below_fresh,
    output wire                   below_last,
    output wire [TAIL_W-1:0]      below_tail,

    input  wire                   item_valid,
    output wire                   item_ready,
    input  wire [BANK_W-1:0]      item_bank,
    input  wire [PRE_W-1:0]       item_word,
    input  wire                   item_none,
    input  wire                   item_last,

    output wire                   walk_valid,
    input  wire                   walk_ready,
    output wire [BANK_W-1:0]      walk_bank,
    output wire [PRE_W+BIT_W-1:0] walk_word,
    output wire                   walk_none,
    output wire                   walk_last
);

    localparam BANKS = 2**BANK_W;
    localparam N     = 2**BIT_W;
    localparam LOW   = ADDR_W - PRE_W - BIT_W;
    localparam ACC_W = BANK_W + ADDR_W + 2 + TAIL_W;

    reg  [BANKS-1:0]   full;
    wire [BANKS*N-1:0] bank_word;

    // Way down: stage 1 addresses the RAM, stage 2 has the word and writes it back. If stage 2
    // has to wait it has written already, and keeps only what it found out.
    reg              s1_valid;
    reg              s1_fresh;
    reg  [ACC_W-1:0] s1;
    reg              s2_valid;
    reg              s2_new;
    reg              s2_fresh;
    reg              s2_hit;
    reg  [ACC_W-1:0] s2;

    wire [BANK_W-1:0] s1_bank;
    wire [ADDR_W-1:0] s1_addr;
    wire              s1_update;
    wire              s1_last;
    wire [TAIL_W-1:0] s1_tail;
    assign {s1_tail, s1_last, s1_update, s1_addr, s1_bank} = s1;
    assign {below_tail, below_last, below_update, below_addr, below_bank} = s2;

    wire [PRE_W-1:0] s1_pre = s1_addr[ADDR_W-1 -: PRE_W];
    wire [PRE_W-1:0] s2_pre = below_addr[ADDR_W-1 -: PRE_W];
    wire [BIT_W-1:0] s2_bit = below_addr[LOW +: BIT_W];

    wire s1_go = s1_valid && !full[s1_bank] && (!s2_valid || below_ready);
    assign acc_ready   = !s1_valid || s1_go;
    assign below_valid = s2_valid;

    // What stage 2 wrote in the cycle in which a read was issued is not in the RAM's answer.
    reg  [N-1:0] written;
    wire [N-1:0] s2_old  = s2_hit ? written : bank_word[below_bank*N +: N];
    wire [N-1:0] s2_kept = s2_fresh ? {N{1'b0}} : s2_old;
    wire [N-1:0] s2_word = s2_kept | ({{(N-1){1'b0}}, 1'b1} << s2_bit);
    wire         s2_we   = s2_valid && s2_new && below_update;
    assign below_fresh = s2_fresh || (s2_new && !s2_old[s2_bit]);

    // Way out: an item, which waits here rather than above, so that nothing above depends on the words; a read, a
    // word that is walked, and one behind it.
    wire              i_valid;
    wire              i_ready;
    wire [BANK_W-1:0] i_bank;
    wire [PRE_W-1:0]  i_word;
    wire              i_none;
    wire              i_last;
    samhw_skid #(.W(BANK_W+PRE_W+2), .PASS(1)) u_items (
        .clk(clk), .rst(rst),
        .in_valid(item_valid), .in_ready(item_ready), .in_beat({item_bank, item_word, item_none, item_last}),
        .out_valid(i_valid), .out_ready(i_ready), .out_beat({i_bank, i_word, i_none, i_last})
    );
    reg              f_valid;
    reg              f_hit;
    reg              f_none;
    reg              f_last;
    reg [BANK_W-1:0] f_bank;
    reg [PRE_W-1:0]  f_pre;
    reg              c_valid;
    reg              c_none;
    reg              c_last;
    reg [BANK_W-1:0] c_bank;
    reg [PRE_W-1:0]  c_pre;
    reg [N-1:0]      c_bits;
    reg              n_valid;
    reg              n_none;
    reg              n_last;
    reg [BANK_W-1:0] n_bank;
    reg [PRE_W-1:0]  n_pre;
    reg [N-1:0]      n_bits;

    wire [N-1:0]     f_bits = f_hit ? written : bank_word[f_bank*N +: N];
    wire [BIT_W-1:0] c_index;
    wire [N-1:0]     c_rest;
    samhw_lowest_bit #(.IDX_W(BIT_W)) u_lowest (.bits(c_bits), .index(c_index), .rest(c_rest));

    // Whether a word has but one bit to emit is found out a cycle before it matters.
    reg  c_one;
    reg  n_one;
    wire f_more;
    wire c_three;
    wire _unused_three;
    wire _unused_two;
    samhw_bits_set #(.IDX_W(BIT_W)) u_fetched (.bits(f_bits), .two(f_more), .three(_unused_three));
    samhw_bits_set #(.IDX_W(BIT_W)) u_current (.bits(c_bits), .two(_unused_two), .three(c_three));
    wire f_one = f_none || !f_more;

    assign walk_valid = c_valid;
    assign walk_bank  = c_bank;
    assign walk_word  = {c_pre, c_index};
    assign walk_none  = c_none;
    assign walk_last  = c_last && c_one;

    wire c_go  = c_valid && walk_ready;
    wire c_pop = c_go && c_one;
    // After this cycle at most one word is held, so there is a place for what a read brings.
    wire room  = n_valid ? c_pop : !(f_valid && c_valid && !c_pop);
    assign i_ready = full[i_bank] && room;
    wire f_go = i_valid && i_ready;

    wire [BANKS-1:0] arrived = {{(BANKS-1){1'b0}}, s1_go && s1_last} << s1_bank;
    wire [BANKS-1:0] left    = {{(BANKS-1){1'b0}}, f_go && i_last} << i_bank;

    always @(posedge clk) begin
        if (acc_ready) begin
            s1       <= {acc_tail, acc_last, acc_update, acc_addr, acc_bank};
            s1_fresh <= acc_fresh;
        end
        if (s1_go) begin
            s2       <= s1;
            s2_fresh <= s1_fresh;
        end else
            s2_fresh <= below_fresh;
        s2_new <= s1_go;
        s2_hit <= s2_we && below_bank == s1_bank && s2_pre == s1_pre;
        if (s2_we)
            written <= s2_word;

        f_hit  <= s2_we && below_bank == i_bank && s2_pre == i_word;
        f_none <= i_none;
        f_last <= i_last;
        f_bank <= i_bank;
        f_pre  <= i_word;
        if (c_pop || !c_valid) begin
            {c_one, c_none, c_last, c_bank, c_pre, c_bits} <= n_valid ? {n_one, n_none, n_last, n_bank, n_pre, n_bits}
                                                                      : {f_one, f_none, f_last, f_bank, f_pre, f_bits};
        end else if (c_go) begin
            c_one  <= !c_three;
            c_bits <= c_rest;
        end
        if (!n_valid)
            {n_one, n_none, n_last, n_bank, n_pre, n_bits} <= {f_one, f_none, f_last, f_bank, f_pre, f_bits};

        if (rst) begin
            s1_valid <= 1'b0;
            s2_valid <= 1'b0;
            f_valid  <= 1'b0;
            c_valid  <= 1'b0;
            n_valid  <= 1'b0;
            full     <= {BANKS{1'b0}};
        end else begin
            s1_valid <= acc_valid || !acc_ready;
            s2_valid <= s1_go || (s2_valid && !below_ready);
            f_valid  <= f_go;
            c_valid  <= n_valid || f_valid || (c_valid && !c_pop);
            n_valid  <= c_valid && !c_pop && (n_valid || f_valid);
            full     <= (full | arrived) & ~left;
        end
    end

    wire _unused_ok = &{1'b0, s1_addr, s1_update, s1_tail, 1'b0};

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_bank
            localparam [BANK_W-1:0] K = k;
            samhw_workspace_ram #(.W(N), .DEPTH(DEPTH), .ADDR_W(PRE_W)) u_ram (
                .clk(clk),
                .we(s2_we && below_bank == K), .waddr(s2_pre), .wdata(s2_word),
                .raddr(full[k] ? i_word : s1_pre), .rdata(bank_word[k*N +: N])
            );
        end
    endgenerate

endmodule

`default_nettype wire
