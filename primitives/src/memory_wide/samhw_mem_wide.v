// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that answers each read request with 2**WIDE_LOG2 neighbouring words.
//
//   Consumes    read_req {addr}; all words from addr on that are given must be in the memory.
//   Produces    read_rsp {.., word at addr+1, word at addr}, in order.
//   Throughput  one answer per cycle, from any address: neighbouring words lie in different banks.
//   Latency     a request taken at edge t is answered at edge t+1 at the earliest; request
//               register to answer takes 2 cycles.
//   Host        writes a word per cycle: host_write, host_addr, host_wdata.
//   Parameters  ADDR_W (more than WIDE_LOG2), DATA_W, WORDS as in samhw_ram; WIDE_LOG2, at least 1.
//   Reset       valid bits; words are not reset.
`default_nettype none

module samhw_mem_wide #(
    parameter ADDR_W    = 8,
    parameter DATA_W    = 16,
    parameter WORDS     = 256,
    parameter WIDE_LOG2 = 2
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           read_req_valid,
    output wire                           read_req_ready,
    input  wire [ADDR_W-1:0]              read_req_beat,

    output reg                            read_rsp_valid,
    input  wire                           read_rsp_ready,
    output wire [(DATA_W<<WIDE_LOG2)-1:0] read_rsp_beat,

    input  wire                           host_write,
    input  wire [ADDR_W-1:0]              host_addr,
    input  wire [DATA_W-1:0]              host_wdata
);

    localparam              WIDE       = 1 << WIDE_LOG2;
    localparam              BANK_WORDS = (WORDS + WIDE - 1) / WIDE;
    localparam [ADDR_W-1:0] ONE        = 1;

    wire              valid;
    wire [ADDR_W-1:0] addr;
    wire              free = !read_rsp_valid || read_rsp_ready;
    wire              read = valid && free;

    samhw_skid #(.W(ADDR_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(valid), .out_ready(free), .out_beat(addr)
    );

    // Word a lies in bank a mod WIDE at a/WIDE; banks below the first word's give words of the next row.
    wire [ADDR_W-1:0]      row   = addr >> WIDE_LOG2;
    wire [WIDE_LOG2-1:0]   first = addr[WIDE_LOG2-1:0];
    wire [WIDE*DATA_W-1:0] words;
    reg  [WIDE_LOG2-1:0]   turn;
    wire [WIDE-1:0]        passed = ~({WIDE{1'b1}} << first);

    genvar b;
    generate
        for (b = 0; b < WIDE; b = b + 1) begin : g_bank
            localparam [WIDE_LOG2-1:0] BANK = b;
            samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(BANK_WORDS)) u_bank (
                .clk(clk),
                .write(host_write && host_addr[WIDE_LOG2-1:0] == BANK), .write_addr(host_addr >> WIDE_LOG2),
                .write_data(host_wdata),
                .read(read), .read_addr(passed[b] ? row + ONE : row), .read_data(words[b*DATA_W +: DATA_W])
            );
            // Lane b of the answer.
            reg [DATA_W-1:0] lane;
            integer          t;
            always @* begin
                lane = words[b*DATA_W +: DATA_W];
                for (t = 1; t < WIDE; t = t + 1)
                    if (turn == t[WIDE_LOG2-1:0])
                        lane = words[((t + b) % WIDE)*DATA_W +: DATA_W];
            end
            assign read_rsp_beat[b*DATA_W +: DATA_W] = lane;
        end
    endgenerate

    always @(posedge clk) begin
        if (read)
            turn <= first;
        if (rst)
            read_rsp_valid <= 1'b0;
        else if (free)
            read_rsp_valid <= valid;
    end

`ifdef SAMHW_ASSERT
    localparam [31:0] BOUND = WORDS;
    localparam [31:0] LAST  = WIDE - 1;
    wire [32+ADDR_W-1:0] last = {32'd0, addr} + {{ADDR_W{1'b0}}, LAST};
    always @(posedge clk)
        if (read && last >= {{ADDR_W{1'b0}}, BOUND}) begin
            $display("samhw_mem_wide: read beyond the memory");
            $stop;
        end
`endif

endmodule

`default_nettype wire
