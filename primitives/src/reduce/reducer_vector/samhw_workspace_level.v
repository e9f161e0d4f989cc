// SPDX-License-Identifier: Apache-2.0
//
// One level of the workspace's occupancy bitmap that lives in RAM.
//
//   Consumes    acc: arrivals on their way down; each sets the bit of its address in the word
//               of its address above (PRE_W bits). item: words to be read on the way out.
//   Produces    below: the arrivals, `fresh` if the bit was not set before. walk: one item for
//               every bit set of every word, lowest first; a `none` item passes as it is.
//   Throughput  one arrival and one item per cycle, also for words with a single bit.
//   Latency     3 cycles on either way, so that a list's walk follows its last arrival.
//   Boundary    item_ready is a register.
//   Banks       a bank is written while its list arrives and read once all of it has (full).
//   Clearing    none: a word is stale unless the bit above it was set before (fresh).
//   Parameters  ADDR_W bits of an address, PRE_W of it above this level's BIT_W, at most 5, BANK_W log2 of
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

    // Way down: stage 1 addresses the RAM, stage 2 has the word and writes it back. If stage 2 has to wait it has
    // written already, and keeps only what it found out. It waits for a buffer, so that no level depends on
    // those below.
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
    wire [BANK_W-1:0] s2_bank;
    wire [ADDR_W-1:0] s2_addr;
    wire              s2_update;
    wire              s2_last;
    wire [TAIL_W-1:0] s2_tail;
    assign {s1_tail, s1_last, s1_update, s1_addr, s1_bank} = s1;
    assign {s2_tail, s2_last, s2_update, s2_addr, s2_bank} = s2;

    wire [PRE_W-1:0] s1_pre = s1_addr[ADDR_W-1 -: PRE_W];
    wire [PRE_W-1:0] s2_pre = s2_addr[ADDR_W-1 -: PRE_W];
    wire [BIT_W-1:0] s2_bit = s2_addr[LOW +: BIT_W];

    wire s2_ready;
    wire s1_go = s1_valid && !full[s1_bank] && (!s2_valid || s2_ready);
    assign acc_ready = !s1_valid || s1_go;

    // What stage 2 wrote in the cycle in which a read was issued is not in the RAM's answer.
    reg  [N-1:0] written;
    wire [N-1:0] s2_old  = s2_hit ? written : bank_word[s2_bank*N +: N];
    wire [N-1:0] s2_kept = s2_fresh ? {N{1'b0}} : s2_old;
    wire [N-1:0] s2_word = s2_kept | ({{(N-1){1'b0}}, 1'b1} << s2_bit);
    wire         s2_we   = s2_valid && s2_new && s2_update;
    wire         found   = s2_fresh || (s2_new && !s2_old[s2_bit]);
    samhw_skid #(.W(ACC_W+1)) u_below (
        .clk(clk), .rst(rst),
        .in_valid(s2_valid), .in_ready(s2_ready), .in_beat({s2, found}),
        .out_valid(below_valid), .out_ready(below_ready),
        .out_beat({below_tail, below_last, below_update, below_addr, below_bank, below_fresh})
    );

    // Way out: an item, which waits here rather than above, so that nothing above depends on the words; a read (f), a
    // word behind the one that is walked over (n).
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
    reg [TAG_W-1:0]  f_tag;
    reg              n_valid;
    reg [TAG_W-1:0]  n_tag;
    reg [WALK_W-1:0] n_word;

    wire [BANK_W-1:0] f_bank   = f_tag[TAG_W-1 -: BANK_W];
    wire [N-1:0]      f_bits   = f_hit ? written : bank_word[f_bank*N +: N];
    wire [N/4-1:0]    f_any;
    wire [N/4-1:0]    f_many;
    wire [3:0]        f_halves;
    samhw_word_groups #(.IDX_W(BIT_W)) u_groups (.bits(f_bits), .any(f_any), .many(f_many));
    samhw_word_halves #(.GROUPS(N/4)) u_halves (.any(f_any), .halves(f_halves));
    wire [WALK_W-1:0] f_word = {{f_halves, f_many, f_any} & {(N/2+4){!f_tag[1]}}, f_bits};
    wire [WALK_W-1:0] w_word = n_valid ? n_word : f_word;
    wire [TAG_W-1:0]  w_tag  = n_valid ? n_tag : f_tag;

    wire             w_ready;
    wire [PRE_W-1:0] walk_pre;
    wire [BIT_W-1:0] walk_index;
    wire             walk_over;
    wire             walk_ends;
    samhw_word_walk #(.IDX_W(BIT_W), .TAG_W(TAG_W)) u_walk (
        .clk(clk), .rst(rst),
        .in_valid(n_valid || f_valid), .in_ready(w_ready), .in_word(w_word), .in_tag(w_tag),
        .out_valid(walk_valid), .out_ready(walk_ready), .out_index(walk_index), .out_over(walk_over),
        .out_tag({walk_bank, walk_pre, walk_none, walk_ends})
    );
    assign walk_word = {walk_pre, walk_index};
    assign walk_last = walk_ends && walk_over;

    // What a read brings is walked over next, or waits behind; nothing is read while something waits.
    wire room = w_ready || !(n_valid || f_valid);
    assign i_ready = full[i_bank] && room;
    wire f_go = i_valid && i_ready;

    // Masked behind the shift: by a bank that no beat has set yet, zeros are shifted to X.
    wire [BANKS-1:0] arrived = {BANKS{s1_go && s1_last}} & (BANK_0 << s1_bank);
    wire [BANKS-1:0] left    = {BANKS{f_go && i_last}} & (BANK_0 << i_bank);

    always @(posedge clk) begin
        if (acc_ready) begin
            s1       <= {acc_tail, acc_last, acc_update, acc_addr, acc_bank};
            s1_fresh <= acc_fresh;
        end
        if (s1_go) begin
            s2       <= s1;
            s2_fresh <= s1_fresh;
        end else
            s2_fresh <= found;
        s2_new <= s1_go;
        s2_hit <= s2_we && s2_bank == s1_bank && s2_pre == s1_pre;
        if (s2_we)
            written <= s2_word;

        f_hit <= s2_we && s2_bank == i_bank && s2_pre == i_word;
        f_tag <= {i_bank, i_word, i_none, i_last};
        if (!n_valid) begin
            n_tag  <= f_tag;
            n_word <= f_word;
        end

        if (rst) begin
            s1_valid <= 1'b0;
            s2_valid <= 1'b0;
            f_valid  <= 1'b0;
            n_valid  <= 1'b0;
            full     <= {BANKS{1'b0}};
        end else begin
            s1_valid <= acc_valid || !acc_ready;
            s2_valid <= s1_go || (s2_valid && !s2_ready);
            f_valid  <= f_go;
            n_valid  <= !w_ready && (n_valid || f_valid);
            full     <= (full | arrived) & ~left;
        end
    end

    wire _unused_ok = &{1'b0, s1_addr, s1_update, s1_tail, s2_addr, s2_last, s2_tail, 1'b0};

    genvar k;
    generate
        for (k = 0; k < BANKS; k = k + 1) begin : g_bank
            localparam [BANK_W-1:0] K = k;
            samhw_workspace_ram #(.W(N), .DEPTH(DEPTH), .ADDR_W(PRE_W)) u_ram (
                .clk(clk),
                .we(s2_we && s2_bank == K), .waddr(s2_pre), .wdata(s2_word),
                .raddr(full[k] ? i_word : s1_pre), .rdata(bank_word[k*N +: N])
            );
        end
    endgenerate

endmodule

`default_nettype wire
