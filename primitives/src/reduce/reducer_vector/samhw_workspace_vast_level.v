// SPDX-License-Identifier: Apache-2.0
//
// A level of the workspace's occupancy bitmap, as samhw_workspace_level, whose words are in block RAM. That
// answers late in its cycle, so the answer is a register before anything is chosen.
//
//   Consumes    acc: arrivals on their way down; each sets the bit of its address in the word
//               of its address above (PRE_W bits). item: words to be read on the way out.
//   Produces    below: the arrivals, `fresh` if the bit was not set before. walk: one item for
//               every bit set of every word, lowest first; a `none` item passes as it is.
//   Throughput  one arrival and one item per cycle, also for words with a single bit.
//   Latency     4 cycles on either way, so that a list's walk follows its last arrival.
//   Boundary    item_ready is a register.
//   Banks       a bank is written while its list arrives and read once all of it has (full).
//   Clearing    none: a word is stale unless the bit above it was set before (fresh).
//   Parameters  ADDR_W bits of an address, PRE_W of it above this level's BIT_W, at most 5, BANK_W log2 of
//               the banks, DEPTH words per bank, TAIL_W bits that arrivals carry along.
//   Reset       valid bits and full.
`default_nettype none

module samhw_workspace_vast_level #(
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
    generate
        if (PRE_W < 1 || BANK_W < 1 || DEPTH < 1 || TAIL_W < 1
            || BIT_W < 1 || BIT_W > 5
            || ADDR_W < PRE_W + BIT_W
            || (PRE_W < 31 && DEPTH > 1 << PRE_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BANKS = 2**BANK_W;
    localparam [BANKS-1:0] BANK_0 = 1;
    localparam N     = 2**BIT_W;
    localparam LOW   = ADDR_W - PRE_W - BIT_W;
    localparam ACC_W = BANK_W + ADDR_W + 2 + TAIL_W;
    localparam TAG_W = BANK_W + PRE_W + 2;
    localparam WALK_W = N + N/2 + 4;

    reg  [BANKS-1:0]   full;
    wire [BANKS*N-1:0] bank_word;
    reg  [BANKS*N-1:0] answer;

    // Way down: stage 1 addresses the RAM, which answers in stage 2. The arrival that was new there has its
    // word a cycle later, in w, and writes it back, whether or not it could go on to stage 3; what it found
    // out is kept where it is. Stage 3 waits for a buffer, so that no level depends on those below.
    reg              s1_valid;
    reg              s1_fresh;
    reg  [ACC_W-1:0] s1;
    reg              s2_valid;
    reg              s2_new;
    reg              s2_fresh;
    reg              s2_hit;
    reg              s2_past;
    reg  [ACC_W-1:0] s2;
    reg              s3_valid;
    reg              s3_new;
    reg              s3_fresh;
    reg  [ACC_W-1:0] s3;
    reg              w_valid;
    reg              w_hit;
    reg              w_past;
    reg  [2+BANK_W+PRE_W+BIT_W-1:0] w;

    wire [BANK_W-1:0] s1_bank;
    wire [ADDR_W-1:0] s1_addr;
    wire              s1_update;
    wire              s1_last;
    wire [TAIL_W-1:0] s1_tail;
    wire [BANK_W-1:0] s2_bank;
    wire [ADDR_W-1:0] s2_addr;
    wire              s2_update;
    assign {s1_tail, s1_last, s1_update, s1_addr, s1_bank} = s1;
    assign {s2_update, s2_addr, s2_bank} = s2[BANK_W+ADDR_W:0];

    wire [PRE_W-1:0] s1_pre = s1_addr[ADDR_W-1 -: PRE_W];
    wire [PRE_W-1:0] s2_pre = s2_addr[ADDR_W-1 -: PRE_W];
    wire [BIT_W-1:0] s2_bit = s2_addr[LOW +: BIT_W];

    wire s3_ready;
    wire s2_go = s2_valid && (!s3_valid || s3_ready);
    wire s1_go = s1_valid && !full[s1_bank] && (!s2_valid || s2_go);
    assign acc_ready = !s1_valid || s1_go;

    // What was written in the cycle in which a read was issued, and in the one after, is not in the answer;
    // the younger of both counts.
    wire              w_update;
    wire              w_fresh;
    wire [BANK_W-1:0] w_bank;
    wire [PRE_W-1:0]  w_pre;
    wire [BIT_W-1:0]  w_bit;
    assign {w_update, w_fresh, w_bank, w_pre, w_bit} = w;
    reg  [N-1:0] written;
    reg  [N-1:0] past;
    wire [N-1:0] w_old  = w_hit ? written : w_past ? past : answer[w_bank*N +: N];
    wire [N-1:0] w_kept = w_fresh ? {N{1'b0}} : w_old;
    wire [N-1:0] w_word = w_kept | ({{(N-1){1'b0}}, 1'b1} << w_bit);
    wire         w_we   = w_valid && w_update;
    wire         absent = !w_old[w_bit];
    wire         s2_we    = s2_valid && s2_new && s2_update;
    wire         s2_found = s2_fresh || (w_valid && !s3_new && absent);
    wire         found    = s3_fresh || (s3_new && absent);
    samhw_skid #(.W(ACC_W+1)) u_below (
        .clk(clk), .rst(rst),
        .in_valid(s3_valid), .in_ready(s3_ready), .in_beat({s3, found}),
        .out_valid(below_valid), .out_ready(below_ready),
        .out_beat({below_tail, below_last, below_update, below_addr, below_bank, below_fresh})
    );

    // Way out: an item, which waits here rather than above, so that nothing above depends on the words; a
    // read (f), its word a cycle later (g), one behind the one that is walked over (n), and another one (m).
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
    reg               f_valid;
    reg               f_hit;
    reg               f_past;
    reg  [TAG_W-1:0]  f_tag;
    reg               g_valid;
    reg               g_hit;
    reg               g_past;
    reg  [TAG_W-1:0]  g_tag;
    reg               n_valid;
    reg  [TAG_W-1:0]  n_tag;
    reg  [WALK_W-1:0] n_word;
    reg               m_valid;
    reg  [TAG_W-1:0]  m_tag;
    reg  [WALK_W-1:0] m_word;

    wire [BANK_W-1:0] g_bank = g_tag[TAG_W-1 -: BANK_W];
    wire [N-1:0]      g_bits = g_hit ? written : g_past ? past : answer[g_bank*N +: N];
    wire [N/4-1:0]    g_any;
    wire [N/4-1:0]    g_many;
    wire [3:0]        g_halves;
    samhw_word_groups #(.IDX_W(BIT_W)) u_groups (.bits(g_bits), .any(g_any), .many(g_many));
    samhw_word_halves #(.GROUPS(N/4)) u_halves (.any(g_any), .halves(g_halves));
    wire [WALK_W-1:0] g_word = {{g_halves, g_many, g_any} & {(N/2+4){!g_tag[1]}}, g_bits};
    wire              waits  = n_valid || g_valid;

    wire             w_ready;
    wire [PRE_W-1:0] walk_pre;
    wire [BIT_W-1:0] walk_index;
    wire             walk_over;
    wire             walk_ends;
    samhw_word_walk #(.IDX_W(BIT_W), .TAG_W(TAG_W)) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(waits), .in_ready(w_ready), .in_word(n_valid ? n_word : g_word), .in_tag(n_valid ? n_tag : g_tag),
        .out_valid(walk_valid), .out_ready(walk_ready), .out_index(walk_index), .out_over(walk_over),
        .out_tag({walk_bank, walk_pre, walk_none, walk_ends})
    );
    assign walk_word = {walk_pre, walk_index};
    assign walk_last = walk_ends && walk_over;

    // An answer does not wait: two words at most are read or wait.
    reg  two;
    wire keeps  = n_valid && (m_valid || g_valid);
    wire leaves = w_ready && waits;
    assign i_ready = full[i_bank] && (!two || w_ready);
    wire f_go = i_valid && i_ready;

    // Masked behind the shift: by a bank that no beat has set yet, zeros are shifted to X.
    wire [BANKS-1:0] arrived = {BANKS{s1_go && s1_last}} & (BANK_0 << s1_bank);
    wire [BANKS-1:0] left    = {BANKS{f_go && i_last}} & (BANK_0 << i_bank);

    always @(posedge clk) begin
        answer <= bank_word;
        past   <= written;
        if (w_we)
            written <= w_word;

        if (acc_ready) begin
            s1       <= {acc_tail, acc_last, acc_update, acc_addr, acc_bank};
            s1_fresh <= acc_fresh;
        end
        if (s1_go) begin
            s2       <= s1;
            s2_fresh <= s1_fresh;
        end else
            s2_fresh <= s2_found;
        s2_new  <= s1_go;
        s2_hit  <= s2_we && s2_bank == s1_bank && s2_pre == s1_pre;
        s2_past <= w_we && w_bank == s1_bank && w_pre == s1_pre;
        w       <= {s2_update, s2_fresh, s2_bank, s2_pre, s2_bit};
        w_hit   <= s2_hit;
        w_past  <= s2_past;
        if (s2_go) begin
            s3       <= s2;
            s3_fresh <= s2_found;
        end else
            s3_fresh <= found;
        s3_new <= s2_go && s2_new;

        f_hit  <= s2_we && s2_bank == i_bank && s2_pre == i_word;
        f_past <= w_we && w_bank == i_bank && w_pre == i_word;
        f_tag  <= {i_bank, i_word, i_none, i_last};
        g_hit  <= f_hit;
        g_past <= f_past;
        g_tag  <= f_tag;
        if (!n_valid || w_ready) begin
            n_tag  <= m_valid ? m_tag : g_tag;
            n_word <= m_valid ? m_word : g_word;
        end
        if (!m_valid) begin
            m_tag  <= g_tag;
            m_word <= g_word;
        end

        if (rst) begin
            s1_valid <= 1'b0;
            s2_valid <= 1'b0;
            s3_valid <= 1'b0;
            w_valid  <= 1'b0;
            f_valid  <= 1'b0;
            g_valid  <= 1'b0;
            n_valid  <= 1'b0;
            m_valid  <= 1'b0;
            two      <= 1'b0;
            full     <= {BANKS{1'b0}};
        end else begin
            s1_valid <= acc_valid || !acc_ready;
            s2_valid <= s1_go || (s2_valid && !s2_go);
            s3_valid <= s2_go || (s3_valid && !s3_ready);
            w_valid  <= s2_valid && s2_new;
            f_valid  <= f_go;
            g_valid  <= f_valid;
            n_valid  <= w_ready ? keeps : waits;
            m_valid  <= keeps && !w_ready;
            two      <= two ? !leaves || f_go : f_go && !leaves && (f_valid || waits);
            full     <= (full | arrived) & ~left;
        end
    end

    wire _unused_ok = &{1'b0, s1_addr, s1_update, s1_tail, s2_addr, 1'b0};

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_words
            localparam [BANK_W-1:0] K = k;
            samhw_workspace_ram #(.W(N), .DEPTH(DEPTH), .ADDR_W(PRE_W)) u_ram (
                .clk(clk),
                .we(w_we && w_bank == K), .waddr(w_pre), .wdata(w_word),
                .raddr(full[k] ? i_word : s1_pre), .rdata(bank_word[k*N +: N])
            );
        end
    endgenerate

endmodule

`default_nettype wire
