// SPDX-License-Identifier: Apache-2.0
//
// A memory with several readers at one or two ports of its RAM.
//
//   Consumes    read_req, N of them, as samhw_read_port: the first FIRST at one port, the others at a second one.
//   Produces    read_rsp, one for each read_req: {data}, the words asked for, in order; of those in PAIR
//               {word at addr+1, word at addr} for each request.
//   Throughput  a word, or a pair, per cycle and port.
//   Latency     a request taken at edge t is answered at edge t+1 at the earliest.
//   Write       as samhw_ram_parts. With a second port the first one's readers do not ask at that edge.
//   Peek        the word at peek_addr is on peek_data after an edge with `peek`, while nobody reads.
//   Parameters  N readers, at most 31, and FIRST of them; BURST, PAIR as in samhw_read_port; ADDR_W, DATA_W, WORDS
//               as in samhw_ram; PARTS_LOG2, 0 with pairs.
//   Reset       valid bits and state; words are not reset.
`default_nettype none

module samhw_ports #(
    parameter        N          = 2,
    parameter        FIRST      = 1,
    parameter        ADDR_W     = 8,
    parameter        DATA_W     = 16,
    parameter        WORDS      = 256,
    parameter        PARTS_LOG2 = 0,
    parameter [31:0] BURST      = 0,
    parameter [31:0] PAIR       = 0
) (
    input  wire                                     clk,
    input  wire                                     rst,

    input  wire [N-1:0]                             read_req_valid,
    output wire [N-1:0]                             read_req_ready,
    input  wire [N*(BURST != 0 ? 2 : 1)*ADDR_W-1:0] read_req_beat,

    output wire [N-1:0]                             read_rsp_valid,
    input  wire [N-1:0]                             read_rsp_ready,
    output wire [N*(PAIR != 0 ? 2 : 1)*DATA_W-1:0]  read_rsp_beat,

    input  wire                                     write,
    input  wire [ADDR_W+PARTS_LOG2-1:0]             write_addr,
    input  wire [(DATA_W>>PARTS_LOG2)-1:0]          write_data,

    input  wire                                     peek,
    input  wire [ADDR_W-1:0]                        peek_addr,
    output wire [DATA_W-1:0]                        peek_data
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W
            || FIRST < 1 || N < FIRST || N > 31
            || (BURST & PAIR) != 0
            || ((BURST | PAIR) >> (N - 1)) > 1
            || (PAIR != 0 && PARTS_LOG2 > 0)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam PORTS  = N > FIRST ? 2 : 1;
    localparam BURSTS = BURST != 0 ? 2 : 1;
    localparam REQ_W  = BURSTS * ADDR_W;
    localparam RSP_W  = (PAIR != 0 ? 2 : 1) * DATA_W;

    // Of each port what is read, and afterwards the words.
    wire [PORTS-1:0]        read;
    wire [PORTS*ADDR_W-1:0] addr;
    wire [PORTS-1:0]        both;
    wire [PORTS*RSP_W-1:0]  words;
    assign peek_data = words[DATA_W-1:0];

    genvar p, k;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            localparam FROM = p == 0 ? 0 : FIRST;
            localparam MINE = p == 0 ? FIRST : N - FIRST;
            // Requests of all readers have room for a length if that of any does.
            localparam [31:0] LOW     = ~(32'hffff_ffff << (MINE - 1) << 1);
            localparam [31:0] BURST_P = (BURST >> FROM) & LOW;
            localparam [31:0] PAIR_P  = (PAIR >> FROM) & LOW;
            localparam        STEP    = (BURST_P != 0 ? 2 : 1) * ADDR_W;
            wire [MINE*STEP-1:0] beats;
            wire                 asks;
            wire [ADDR_W-1:0]    at;
            wire                 pairs;
            for (k = 0; k < MINE; k = k + 1) begin : g_beat
                assign beats[k*STEP +: STEP] = read_req_beat[(FROM+k)*REQ_W +: STEP];
                if (STEP < REQ_W) begin : g_short
                    wire _unused_ok = &{1'b0, read_req_beat[(FROM+k)*REQ_W+STEP +: REQ_W-STEP], 1'b0};
                end
            end
            samhw_read_port #(.N(MINE), .ADDR_W(ADDR_W), .BURST(BURST_P), .PAIR(PAIR_P)) u_port (
                .clk(clk), .rst(rst),
                .read_req_valid(read_req_valid[FROM +: MINE]), .read_req_ready(read_req_ready[FROM +: MINE]),
                .read_req_beat(beats),
                .read_rsp_valid(read_rsp_valid[FROM +: MINE]), .read_rsp_ready(read_rsp_ready[FROM +: MINE]),
                .read(asks), .addr(at), .both(pairs)
            );
            assign read[p]                  = asks || (p == 0 && peek);
            assign addr[p*ADDR_W +: ADDR_W] = p == 0 && peek ? peek_addr : at;
            assign both[p]                  = pairs && !(p == 0 && peek);
            for (k = 0; k < MINE; k = k + 1) begin : g_answer
                if (PAIR == 0 || ((PAIR >> (FROM + k)) & 1) != 0) begin : g_all
                    assign read_rsp_beat[(FROM+k)*RSP_W +: RSP_W] = words[p*RSP_W +: RSP_W];
                end else begin : g_low
                    assign read_rsp_beat[(FROM+k)*RSP_W +: RSP_W] =
                        {{(RSP_W-DATA_W){1'b0}}, words[p*RSP_W +: DATA_W]};
                    wire _unused_ok = &{1'b0, words[p*RSP_W+DATA_W +: RSP_W-DATA_W], 1'b0};
                end
            end
        end
        if (PAIR != 0) begin : g_pairs
            samhw_ram_pairs #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .PORTS(PORTS)) u_ram (
                .clk(clk),
                .write(write), .write_addr(write_addr), .write_data(write_data),
                .read(read), .read_addr(addr), .read_both(both), .read_data(words)
            );
        end else begin : g_words
            samhw_ram_parts #(
                .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .PARTS_LOG2(PARTS_LOG2), .PORTS(PORTS)
            ) u_ram (
                .clk(clk),
                .write(write), .write_addr(write_addr), .write_data(write_data),
                .read(read), .read_addr(addr), .read_data(words)
            );
            wire _unused_ok = &{1'b0, both, 1'b0};
        end
    endgenerate

endmodule

`default_nettype wire
