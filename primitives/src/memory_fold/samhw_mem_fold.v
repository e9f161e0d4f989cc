// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that folds what the core writes into what it holds, at any addresses in any order; the host reads it. A
// dense result into which sums are scattered.
//
//   Consumes    write {data, mark, addr}: data is folded into the word at addr, the first one of a run replaces it.
//               mark 1, addr 0: a run begins, and data is what words have that nothing is folded into. mark 1, addr 1: it ends.
//   Produces    settled: a token per run, when all its words are there.
//   Throughput  one write per cycle, also at one address in a row; with OP 4 one waits until what is under way to its address,
//               up to DEPTH + 2 cycles, is there.
//   Clearing    none: a bit per word says whether it was written in this run. The bits lie in words of a RAM, and these count
//               only where the bit above them is set; the topmost are registers.
//   Host        host_rdata is the word at host_addr two cycles after host_read, and holds; not while a run is going on.
//   Latency     from the mark that ends a run to settled: 4 cycles, with OP 4 DEPTH + 6.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram; OP and those after it as in samhw_fold_in_place.
//   Reset       valid bits, and the topmost bits.
`default_nettype none

module samhw_mem_fold #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256,
    parameter OP     = 0,
    parameter SIGNED = 1,
    parameter UNIT   = 0,
    parameter EXP    = 0,
    parameter MAN    = 0,
    parameter [DATA_W-1:0] TRUE = {{(DATA_W-1){1'b0}}, 1'b1},
    parameter DEPTH    = 0,
    parameter MUL      = 0,
    parameter SATURATE = 0,
    parameter FRAC     = 0
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

    // The bits' words have at most 32 of them; all levels but the topmost (RAMS) live in RAM.
    localparam INDEX_W = WORDS > 2 ? $clog2(WORDS) : 1;
    localparam RAMS    = (INDEX_W + 4) / 5 - 1;
    localparam BIT_W   = (INDEX_W + RAMS) / (RAMS + 1);
    localparam TOP_W   = INDEX_W - RAMS * BIT_W;
    localparam N       = 2**BIT_W;
    localparam [31:0] LIMIT = WORDS;

    // Stage 1 addresses the RAMs, stage 2 has the bits' answers; what follows is samhw_fold_in_place.
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
    wire s1_go = s1_valid && !busy;
    wire s1_in = {32'd0, s1_addr} < {{ADDR_W{1'b0}}, LIMIT};
    assign write_ready = !s1_valid || s1_go;

    // Between runs the RAMs answer at the host's address, and stage 2 keeps it.
    wire [INDEX_W-1:0] at = host_read ? host_addr[INDEX_W-1:0] : s1_valid ? s1_addr[INDEX_W-1:0] : s2_at;

    // Per level whether the bit on the way to stage 2's word is set; the topmost is looked up in stage 1, with what stage 2 does to it.
    reg  [2**TOP_W-1:0] top;
    reg                 top_there;
    wire [RAMS:0]       there;
    wire [TOP_W-1:0]    s1_top = at[INDEX_W-1 -: TOP_W];
    wire [TOP_W-1:0]    s2_top = s2_at[INDEX_W-1 -: TOP_W];
    assign there[0] = top_there;

    genvar k;
    generate
        for (k = 0; k < RAMS; k = k + 1) begin : g_level
            localparam PRE_W = TOP_W + k*BIT_W;
            wire [PRE_W-1:0] pre = s2_at[INDEX_W-1 -: PRE_W];
            wire [BIT_W-1:0] low = s2_at[INDEX_W-1-PRE_W -: BIT_W];
            wire [N-1:0]     answer;
            // What stage 2 wrote in the cycle in which the read was issued is not in the RAM's answer.
            reg              hit;
            reg  [N-1:0]     written;
            wire [N-1:0]     old  = hit ? written : answer;
            wire [N-1:0]     kept = (&there[k:0]) ? old : {N{1'b0}};
            wire [N-1:0]     word = kept | ({{(N-1){1'b0}}, 1'b1} << low);
            assign there[k+1] = old[low];
            samhw_workspace_ram #(
                .W(N), .DEPTH((WORDS + (1 << (INDEX_W-PRE_W)) - 1) >> (INDEX_W-PRE_W)), .ADDR_W(PRE_W)
            ) u_ram (
                .clk(clk), .we(s2_we), .waddr(pre), .wdata(word), .raddr(at[INDEX_W-1 -: PRE_W]), .rdata(answer)
            );
            always @(posedge clk) begin
                hit <= s2_we && pre == at[INDEX_W-1 -: PRE_W];
                if (s2_we)
                    written <= word;
            end
        end
    endgenerate

    wire               w_we;
    wire [INDEX_W-1:0] w_at;
    wire [DATA_W-1:0]  w_val;
    wire [DATA_W-1:0]  answer;
    reg  [DATA_W-1:0]  read;
    wire [DATA_W-1:0]  look;
    wire               closing;
    wire               complete;
    samhw_fold_in_place #(
        .OP(OP), .SIGNED(SIGNED), .AT_W(INDEX_W), .VAL_W(DATA_W), .MARKS(1), .EARLY(0),
        .UNIT(UNIT), .EXP(EXP), .MAN(MAN), .TRUE(TRUE), .DEPTH(DEPTH), .MUL(MUL), .SATURATE(SATURATE), .FRAC(FRAC)
    ) u_fold (
        .clk(clk), .rst(rst),
        .next_at(s1_addr[INDEX_W-1:0]), .next_folds(!s1_mark), .mark(s1_go && s1_mark && s1_addr[0]),
        .busy(busy), .closing(closing), .complete(complete),
        .we(s2_we), .fresh(!(&there)), .at(s2_at), .val(s2_val), .read(read),
        .w_we(w_we), .w_at(w_at), .w_val(w_val),
        .look_at(s2_at), .look_read(read), .look(look)
    );
    samhw_workspace_ram #(.W(DATA_W), .DEPTH(WORDS), .ADDR_W(INDEX_W)) u_ram (
        .clk(clk), .we(w_we), .waddr(w_at), .wdata(w_val), .raddr(at), .rdata(answer)
    );
    // The RAM answers late in its cycle, so the host's word, as the fold's, is taken from the register behind it.
    reg host_there;
    assign host_rdata = host_there ? read : fill;

    // Writes under way when the last one was folded.
    reg [1:0] late;
    assign settled_beat = 1'b1;

    always @(posedge clk) begin
        read       <= answer;
        host_there <= &there;
        s2_at      <= at;
        s2_val     <= s1_val;
        top_there  <= !s2_begin && (top[s1_top] || (s2_we && s2_top == s1_top));
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
