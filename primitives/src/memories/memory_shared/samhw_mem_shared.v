// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory with several readers, in 2**BANKS_LOG2 banks.
//
//   Consumes    read_req, N of them: {addr}, with BURST {len, addr}, len >= 1.
//   Produces    read_rsp, one for each read_req: {data}, the words asked for, in order; with WIDE_LOG2 {..,
//               word at addr+1, word at addr} for each request.
//   Throughput  an answer per cycle and bank: word a lies in bank a mod 2**BANKS_LOG2. Readers of a bank take turns,
//               word by word.
//   Readers     do not wait for each other but for their turn, at most N words of a bank: a reader asks for a
//               word when it has room for the answer (samhw_shared_port), whether others take theirs or not.
//   Latency     a request taken at edge t is answered at edge t+5 at the earliest.
//   Host        writes a word per cycle: host_write, host_addr, host_wdata. With PARTS_LOG2 above 0 words have
//               2**PARTS_LOG2 parts with addresses of their own, the lowest bits first.
//   Parameters  N readers; ADDR_W, DATA_W, WORDS as in samhw_ram; PARTS_LOG2; BURST; WIDE_LOG2: 2**WIDE_LOG2
//               words are one answer; BANKS_LOG2. At most one of PARTS_LOG2 and BURST, WIDE_LOG2, BANKS_LOG2
//               and WIDE_LOG2 is above 0. ADDR_W is more than WIDE_LOG2 and BANKS_LOG2. QUEUE_LOG2: room for
//               2**QUEUE_LOG2 answers of a reader.
//   Reset       valid bits and state; words are not reset.
`default_nettype none

module samhw_mem_shared #(
    parameter N          = 2,
    parameter ADDR_W     = 8,
    parameter DATA_W     = 16,
    parameter WORDS      = 256,
    parameter PARTS_LOG2 = 0,
    parameter BURST      = 0,
    parameter WIDE_LOG2  = 0,
    parameter BANKS_LOG2 = 0,
    parameter QUEUE_LOG2 = 3
) (
    input  wire                             clk,
    input  wire                             rst,

    input  wire [N-1:0]                     read_req_valid,
    output wire [N-1:0]                     read_req_ready,
    input  wire [N*(BURST+1)*ADDR_W-1:0]    read_req_beat,

    output wire [N-1:0]                     read_rsp_valid,
    input  wire [N-1:0]                     read_rsp_ready,
    output wire [N*(DATA_W<<WIDE_LOG2)-1:0] read_rsp_beat,

    input  wire                             host_write,
    input  wire [ADDR_W+PARTS_LOG2-1:0]     host_addr,
    input  wire [(DATA_W>>PARTS_LOG2)-1:0]  host_wdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W
            || N < 1 || QUEUE_LOG2 < 1
            || BURST < 0 || BURST > 1
            || WIDE_LOG2 < 0 || BANKS_LOG2 < 0
            || ADDR_W <= WIDE_LOG2 || ADDR_W <= BANKS_LOG2
            || (WIDE_LOG2 > 0 && (BURST > 0 || BANKS_LOG2 > 0))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam REQ_W      = (BURST + 1) * ADDR_W;
    localparam W          = DATA_W << WIDE_LOG2;
    localparam BANKS      = 1 << BANKS_LOG2;
    localparam BANK_WORDS = (WORDS + BANKS - 1) / BANKS;
    localparam HOST_W     = ADDR_W + PARTS_LOG2;

    localparam [ADDR_W-1:0] BANK_BITS = BANKS - 1;
    localparam [HOST_W-1:0] PART_BITS = (1 << PARTS_LOG2) - 1;

    // Of each reader the word it asks for; of each bank whose word it reads, two cycles later the answer.
    wire [N-1:0]        valid;
    wire [N*ADDR_W-1:0] addrs;
    wire [N*ADDR_W-1:0] lates;
    wire [BANKS*N-1:0]  picks;
    wire [BANKS*N-1:0]  theirs;
    wire [BANKS*W-1:0]  answers;

    // Of a group the row behind its first word's.
    reg  [N*ADDR_W-1:0] rows;
    localparam [ADDR_W-1:0] ONE = 1;
    integer p;
    always @(posedge clk)
        for (p = 0; p < N; p = p + 1)
            rows[p*ADDR_W +: ADDR_W] <= (addrs[p*ADDR_W +: ADDR_W] >> WIDE_LOG2) + ONE;

    // A word of the host, in its bank.
    wire [HOST_W-1:0] host_word = host_addr >> PARTS_LOG2;
    wire [HOST_W-1:0] host_row  = ((host_word >> BANKS_LOG2) << PARTS_LOG2) | (host_addr & PART_BITS);

`ifdef SAMHW_ASSERT
    localparam [31:0] BOUND = WORDS;
    localparam [31:0] LAST  = (1 << WIDE_LOG2) - 1;
`endif

    genvar k, b;
    generate
        for (k = 0; k < N; k = k + 1) begin : g_port
            reg         taken;
            reg         answer_valid;
            reg [W-1:0] answer;
            integer     c;
            always @* begin
                taken        = 1'b0;
                answer_valid = 1'b0;
                answer       = {W{1'b0}};
                for (c = 0; c < BANKS; c = c + 1) begin
                    taken        = taken || picks[c*N + k];
                    answer_valid = answer_valid || theirs[c*N + k];
                    answer       = answer | ({W{BANKS == 1 || theirs[c*N + k]}} & answers[c*W +: W]);
                end
            end
            samhw_shared_port #(.ADDR_W(ADDR_W), .W(W), .BURST(BURST), .QUEUE_LOG2(QUEUE_LOG2)) u_port (
                .clk(clk), .rst(rst),
                .req_valid(read_req_valid[k]), .req_ready(read_req_ready[k]),
                .req_beat(read_req_beat[k*REQ_W +: REQ_W]),
                .word_valid(valid[k]), .word_addr(addrs[k*ADDR_W +: ADDR_W]), .word_late(lates[k*ADDR_W +: ADDR_W]),
                .taken(taken),
                .answer_valid(answer_valid), .answer(answer),
                .rsp_valid(read_rsp_valid[k]), .rsp_ready(read_rsp_ready[k]), .rsp_beat(read_rsp_beat[k*W +: W])
            );
`ifdef SAMHW_ASSERT
            wire [32+ADDR_W-1:0] last = {32'd0, addrs[k*ADDR_W +: ADDR_W]} + {{ADDR_W{1'b0}}, LAST};
            always @(posedge clk)
                if (!rst && valid[k] && last >= {{ADDR_W{1'b0}}, BOUND}) begin
                    $display("samhw_mem_shared: read beyond the memory");
                    $stop;
                end
`endif
        end
        for (b = 0; b < BANKS; b = b + 1) begin : g_bank
            localparam [ADDR_W-1:0] HERE = b;
            reg  [N-1:0]      wants;
            reg  [ADDR_W-1:0] at;
            reg  [ADDR_W-1:0] row;
            reg  [N-1:0]      granted;
            reg  [N-1:0]      asked;
            reg  [N-1:0]      there;
            wire [W-1:0]      answer;
            wire              write = host_write && (host_word[ADDR_W-1:0] & BANK_BITS) == HERE;
            integer           n;
            always @* begin
                at  = {ADDR_W{1'b0}};
                row = {ADDR_W{1'b0}};
                for (n = 0; n < N; n = n + 1) begin
                    wants[n] = valid[n] && (addrs[n*ADDR_W +: ADDR_W] & BANK_BITS) == HERE;
                    at       = at | ({ADDR_W{granted[n]}} & lates[n*ADDR_W +: ADDR_W]);
                    row      = row | ({ADDR_W{granted[n]}} & rows[n*ADDR_W +: ADDR_W]);
                end
            end
            samhw_pick #(.N(N), .ANEW(1)) u_pick (.clk(clk), .rst(rst), .wants(wants), .pick(picks[b*N +: N]));
            if (WIDE_LOG2 != 0) begin : g_wide
                samhw_ram_wide #(
                    .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .WIDE_LOG2(WIDE_LOG2), .LATE(1)
                ) u_ram (
                    .clk(clk),
                    .write(write), .write_addr(host_addr[ADDR_W-1:0]), .write_data(host_wdata),
                    .read(|granted), .read_addr(at), .read_row(row), .read_data(answer)
                );
            end else begin : g_words
                wire _unused_ok = &{1'b0, row, 1'b0};
                wire [W-1:0] data;
                reg  [W-1:0] late;
                samhw_ram_parts #(
                    .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(BANK_WORDS), .PARTS_LOG2(PARTS_LOG2)
                ) u_ram (
                    .clk(clk),
                    .write(write), .write_addr(host_row), .write_data(host_wdata),
                    .read(|granted), .read_addr(at >> BANKS_LOG2), .read_data(data)
                );
                always @(posedge clk)
                    late <= data;
                assign answer = late;
            end
            always @(posedge clk) begin
                if (rst) begin
                    granted <= {N{1'b0}};
                    asked   <= {N{1'b0}};
                    there   <= {N{1'b0}};
                end else begin
                    granted <= picks[b*N +: N];
                    asked   <= granted;
                    there   <= asked;
                end
            end
            assign theirs[b*N +: N]  = there;
            assign answers[b*W +: W] = answer;
        end
    endgenerate

    wire _unused_ok = &{1'b0, host_word, host_row, 1'b0};

endmodule

`default_nettype wire
