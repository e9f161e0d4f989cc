// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that folds what the core writes into what it holds, at any addresses in any order; the host
// reads it. A dense result into which sums are scattered.
//
//   Consumes    write {data, mark, addr}: data is folded into the word at addr, the first one of a run replaces it.
//               mark 1, addr 0: a run begins, and data is what words have that nothing is folded into. mark
//               1, addr 1: it ends.
//   Produces    settled: a token per run, when all its words are there.
//   Throughput  one write per cycle, also at one address in a row; with OP 4 one follows the one before at
//               its address after DEPTH + 1 cycles.
//   Clearing    none: a bit per word says whether it was written in this run. The bits lie in words of a RAM,
//               and these count only where the bit above them is set; the topmost are registers.
//   Stages      the bit below the topmost is looked up and set in stage 2, within the cycle in which its RAM
//               answers: at most 32 words, so of lookup tables. Where there are levels below, they may be in
//               block RAM: they are looked up and set in a stage 3, from registers.
//   Host        host_rdata is the word at host_addr two cycles after host_read, and holds; not while a run is going on.
//   Latency     from the mark that ends a run to settled: 4 cycles, with OP 4 DEPTH + 6; with a stage 3 one more.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram; LEVEL_W: words of bits have 2^LEVEL_W bits at most;
//               FOLD, of FOLD_W bits: what folds (samhw_fold.vh), OP 0 to 4 of it.
//   Reset       valid bits, and the topmost bits.
`default_nettype none

module samhw_mem_fold #(
    parameter              ADDR_W  = 8,
    parameter              DATA_W  = 16,
    parameter              WORDS   = 256,
    parameter              LEVEL_W = 5,
    parameter              FOLD_W  = 128,
    parameter [FOLD_W-1:0] FOLD    = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                   clk,
    input  wire                   rst,

    input  wire                   write_valid,
    output wire                   write_ready,
    input  wire [ADDR_W+DATA_W:0] write_beat,

    output reg                    settled_valid,
    input  wire                   settled_ready,
    output wire                   settled_beat,

    input  wire                   host_read,
    input  wire [ADDR_W-1:0]      host_addr,
    output wire [DATA_W-1:0]      host_rdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || LEVEL_W < 1 || FOLD_W < 128
            || FOLD % 256 > 4) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_fold.vh"

    // All levels of bits but the topmost (RAMS) live in RAM. Words are wider above, since those of stage 3
    // take registers.
    localparam INDEX_W = WORDS > 2 ? $clog2(WORDS) : 1;
    localparam RAMS    = (INDEX_W + LEVEL_W - 1) / LEVEL_W - 1;
    localparam TOP_W   = (INDEX_W + RAMS) / (RAMS + 1);
    localparam [31:0] LIMIT = WORDS;

    // Stage 1 addresses the RAMs of bits, stage 2 has their answers; what follows the last stage here is
    // samhw_fold_in_place.
    reg               s1_valid;
    reg               s1_mark;
    reg [ADDR_W-1:0]  s1_addr;
    reg [DATA_W-1:0]  s1_val;
    reg               s2_begin;
    reg               s2_we;
    reg [INDEX_W-1:0] s2_at;
    reg [DATA_W-1:0]  s2_val;
    reg [DATA_W-1:0]  fill;

    wire busy;
    wire s1_go  = s1_valid && !busy;
    wire s1_in  = {32'd0, s1_addr} < {{ADDR_W{1'b0}}, LIMIT};
    wire s1_end = s1_go && s1_mark && s1_addr[0];
    assign write_ready = !s1_valid || s1_go;

    // Between runs the RAMs answer at the host's address, and stage 2 keeps it.
    wire [INDEX_W-1:0] at = host_read ? host_addr[INDEX_W-1:0] : s1_valid ? s1_addr[INDEX_W-1:0] : s2_at;

    // The topmost bit is looked up in stage 1, with what stage 2 does to it.
    reg  [2**TOP_W-1:0] top;
    reg                 top_there;
    wire [TOP_W-1:0]    s1_top = at[INDEX_W-1 -: TOP_W];
    wire [TOP_W-1:0]    s2_top = s2_at[INDEX_W-1 -: TOP_W];

    // Whether stage 2's word is there, as far as the topmost bit and the one below it say.
    wire s2_there;

    generate
        if (RAMS == 0) begin : g_registers
            assign s2_there = top_there;
        end else begin : g_first
            localparam BIT_W = (2*INDEX_W + RAMS) / (RAMS + 1) - TOP_W;
            localparam N     = 2**BIT_W;
            wire [BIT_W-1:0] low = s2_at[INDEX_W-1-TOP_W -: BIT_W];
            wire [N-1:0]     answer;
            // What stage 2 wrote in the cycle in which the read was issued is not in the RAM's answer.
            reg              hit;
            reg  [N-1:0]     written;
            wire [N-1:0]     old  = hit ? written : answer;
            wire [N-1:0]     kept = top_there ? old : {N{1'b0}};
            wire [N-1:0]     word = kept | ({{(N-1){1'b0}}, 1'b1} << low);
            assign s2_there = top_there && old[low];
            samhw_workspace_ram #(
                .W(N), .DEPTH((WORDS + (1 << (INDEX_W-TOP_W)) - 1) >> (INDEX_W-TOP_W)), .ADDR_W(TOP_W)
            ) u_ram (
                .clk(clk), .we(s2_we), .waddr(s2_top), .wdata(word), .raddr(s1_top), .rdata(answer)
            );
            always @(posedge clk) begin
                hit <= s2_we && s2_top == s1_top;
                if (s2_we)
                    written <= word;
            end
        end
    endgenerate

    // What the fold gets of the last stage, and the address of the one before it, from which the values' RAM
    // is addressed.
    wire               f_we;
    wire [INDEX_W-1:0] f_at;
    wire [DATA_W-1:0]  f_val;
    wire               f_there;
    wire               f_end;
    wire [INDEX_W-1:0] next_at;
    wire [INDEX_W-1:0] read_at;
    // Something is under way to stage 1's address that the fold does not know of.
    wire               soon;
    // The RAM answers late in its cycle, so the host's word, as the fold's, is taken from the register behind it.
    reg  [DATA_W-1:0]  read;

    generate
        if (RAMS < 2) begin : g_two
            reg host_there;
            always @(posedge clk)
                host_there <= s2_there;
            assign host_rdata = host_there ? read : fill;
            assign f_we    = s2_we;
            assign f_at    = s2_at;
            assign f_val   = s2_val;
            assign f_there = s2_there;
            assign f_end   = s1_end;
            assign next_at = s1_addr[INDEX_W-1:0];
            assign read_at = at;
            assign soon    = 1'b0;
        end else begin : g_three
            reg               s2_end;
            reg               s3_we;
            reg               s3_there;
            reg [INDEX_W-1:0] s3_at;
            reg [DATA_W-1:0]  s3_val;
            always @(posedge clk) begin
                s3_there <= s2_there;
                s3_at    <= s2_at;
                s3_val   <= s2_val;
                s3_we    <= s2_we && !rst;
                s2_end   <= s1_end && !rst;
            end
            assign host_rdata = f_there ? read : fill;
            assign f_we    = s3_we;
            assign f_at    = s3_at;
            assign f_val   = s3_val;
            assign f_end   = s2_end;
            assign next_at = s2_at;
            assign read_at = host_read ? host_addr[INDEX_W-1:0] : s2_at;
            assign soon    = s2_we && s2_at == s1_addr[INDEX_W-1:0];

            // Per level whether the bit on the way to stage 3's word is set.
            wire [RAMS-1:0] there;
            assign there[0] = s3_there;
            assign f_there  = &there;
            genvar k;
            for (k = 1; k < RAMS; k = k + 1) begin : g_level
                localparam PRE_W = ((k+1)*INDEX_W + RAMS) / (RAMS + 1);
                localparam BIT_W = ((k+2)*INDEX_W + RAMS) / (RAMS + 1) - PRE_W;
                localparam N     = 2**BIT_W;
                wire [PRE_W-1:0] pre = s3_at[INDEX_W-1 -: PRE_W];
                wire [BIT_W-1:0] low = s3_at[INDEX_W-1-PRE_W -: BIT_W];
                wire [N-1:0]     answer;
                // The RAM's answer is a register before anything is chosen. What stage 3 wrote in the cycle
                // of the read and in the one after it, two cycles ago and one, is not in it. Clearing the
                // register then would draw it to that logic, away from the RAM.
                reg              hit;
                reg              two_ago;
                reg              one_ago;
                reg  [N-1:0]     found;
                reg  [N-1:0]     past;
                reg  [N-1:0]     written;
                wire [N-1:0]     old  = one_ago ? written : two_ago ? past : found;
                wire [N-1:0]     kept = (&there[k-1:0]) ? old : {N{1'b0}};
                wire [N-1:0]     word = kept | ({{(N-1){1'b0}}, 1'b1} << low);
                assign there[k] = old[low];
                samhw_workspace_ram #(
                    .W(N), .DEPTH((WORDS + (1 << (INDEX_W-PRE_W)) - 1) >> (INDEX_W-PRE_W)), .ADDR_W(PRE_W)
                ) u_ram (
                    .clk(clk), .we(s3_we), .waddr(pre), .wdata(word), .raddr(at[INDEX_W-1 -: PRE_W]), .rdata(answer)
                );
                always @(posedge clk) begin
                    hit     <= s3_we && pre == at[INDEX_W-1 -: PRE_W];
                    two_ago <= hit;
                    one_ago <= s3_we && pre == s2_at[INDEX_W-1 -: PRE_W];
                    found   <= answer;
                    past    <= written;
                    written <= word;
                end
            end
        end
    endgenerate

    wire               fold_busy;
    wire               w_we;
    wire [INDEX_W-1:0] w_at;
    wire [DATA_W-1:0]  w_val;
    wire [DATA_W-1:0]  answer;
    wire [DATA_W-1:0]  look;
    wire               closing;
    wire               complete;
    assign busy = DEPTH != 0 && (fold_busy || (soon && !s1_mark));
    samhw_fold_in_place #(
        .AT_W(INDEX_W), .VAL_W(DATA_W), .MARKS(1), .EARLY(0), .AHEAD(RAMS < 2 ? 0 : 1), .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_fold (
        .clk(clk), .rst(rst),
        .wait_at(s1_addr[INDEX_W-1:0]), .wait_folds(!s1_mark), .next_at(next_at), .mark(f_end),
        .busy(fold_busy), .closing(closing), .complete(complete),
        .we(f_we), .fresh(!f_there), .at(f_at), .val(f_val), .read(read),
        .w_we(w_we), .w_at(w_at), .w_val(w_val),
        .look_at(f_at), .look_read(read), .look(look)
    );
    samhw_workspace_ram #(.W(DATA_W), .DEPTH(WORDS), .ADDR_W(INDEX_W)) u_ram (
        .clk(clk), .we(w_we), .waddr(w_at), .wdata(w_val), .raddr(read_at), .rdata(answer)
    );

    // Writes under way when the last one was folded.
    reg [1:0] late;
    assign settled_beat = 1'b1;

    always @(posedge clk) begin
        read      <= answer;
        s2_at     <= at;
        s2_val    <= s1_val;
        top_there <= !s2_begin && (top[s1_top] || (s2_we && s2_top == s1_top));
        if (write_ready)
            {s1_val, s1_mark, s1_addr} <= write_beat;
        if (s2_begin)
            fill <= s2_val;
        if (rst) begin
            s1_valid      <= 1'b0;
            s2_begin      <= 1'b0;
            s2_we         <= 1'b0;
            top           <= {(2**TOP_W){1'b0}};
            late          <= 2'd0;
            settled_valid <= 1'b0;
        end else begin
            s1_valid <= write_valid || !write_ready;
            s2_begin <= s1_go && s1_mark && !s1_addr[0];
            s2_we    <= s1_go && !s1_mark && s1_in;
            if (s2_begin)
                top <= {(2**TOP_W){1'b0}};
            else if (s2_we)
                top[s2_top] <= 1'b1;
            late <= {late[0], complete};
            if (late[1] || settled_ready)
                settled_valid <= late[1];
        end
    end

    wire _unused_ok = &{1'b0, host_addr, look, closing, 1'b0};

endmodule

`default_nettype wire
