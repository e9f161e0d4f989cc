// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that several readers use, at one or two ports of its RAM.
//
//   Consumes    read_req, N of them: {addr}, of those in BURST {len, addr}, len >= 1. The first FIRST readers
//               share a port, the others a second one.
//   Produces    read_rsp, one for each read_req: {data}, the words asked for, in order; of those in PAIR
//               {word at addr+1, word at addr} for each request.
//   Throughput  a word, or a pair, per cycle and port.
//   Readers     of a port wait until the others' answers are taken. So no two may ask at the same time, unless
//               each takes its answers whatever the others do.
//   Latency     a request taken at edge t is answered at edge t+1 at the earliest; request
//               register to answer takes 2 cycles.
//   Host        writes a word per cycle, while nobody reads: host_write, host_addr, host_wdata. With PARTS_LOG2
//               above 0 words have 2**PARTS_LOG2 parts with addresses of their own, the lowest bits first.
//   Parameters  N readers, at most 31, FIRST of them; ADDR_W, DATA_W, WORDS as in samhw_ram; PARTS_LOG2, 0 with
//               pairs; BURST, PAIR: a bit for each reader, at most one of them set.
//   Reset       valid bits and state; words are not reset.
`default_nettype none

module samhw_mem_ports #(
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

    input  wire                                     host_write,
    input  wire [ADDR_W+PARTS_LOG2-1:0]             host_addr,
    input  wire [(DATA_W>>PARTS_LOG2)-1:0]          host_wdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W
            || FIRST < 1 || N < FIRST
            || (PAIR != 0 && PARTS_LOG2 > 0)
            || N < 1 || N > 31
            || (BURST & PAIR) != 0
            || ((BURST | PAIR) >> (N - 1)) > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [DATA_W-1:0] peeked;
    samhw_ports #(
        .N(N), .FIRST(FIRST), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .PARTS_LOG2(PARTS_LOG2),
        .BURST(BURST), .PAIR(PAIR)
    ) u_ports (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat),
        .write(host_write), .write_addr(host_addr), .write_data(host_wdata),
        .peek(1'b0), .peek_addr({ADDR_W{1'b0}}), .peek_data(peeked)
    );
    wire _unused_ok = &{1'b0, peeked, 1'b0};

endmodule

`default_nettype wire
