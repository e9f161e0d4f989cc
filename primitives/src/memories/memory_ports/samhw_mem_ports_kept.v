// SPDX-License-Identifier: Apache-2.0
//
// samhw_mem_ports that the core writes and the host reads: a result that the core reads, too.
//
//   Consumes    read_req as samhw_mem_ports; write {data, addr}: the word at addr becomes data, beyond WORDS
//               nothing changes.
//   Produces    read_rsp as samhw_mem_ports. Do not read a word at the edge that writes it: it has its old
//               value in simulation and any value in hardware.
//   Throughput  a word, or a pair, per cycle; one write per cycle, write_ready is always 1.
//   Readers     as of one port of samhw_mem_ports.
//   Latency     reads as samhw_mem_ports; a write taken at edge t is seen by reads from edge t+1.
//   Host        while nobody reads: host_rdata is the word at host_addr two cycles after host_read, and holds. With
//               PARTS_LOG2 above 0 words have 2**PARTS_LOG2 parts with addresses of their own, the lowest bits first.
//   Parameters  N, ADDR_W, DATA_W, WORDS, BURST, PAIR as in samhw_mem_ports; PARTS_LOG2, also with pairs.
//   Reset       as samhw_mem_ports.
`default_nettype none

module samhw_mem_ports_kept #(
    parameter        N          = 2,
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

    input  wire                                     write_valid,
    output wire                                     write_ready,
    input  wire [ADDR_W+DATA_W-1:0]                 write_beat,

    output wire [N-1:0]                             read_rsp_valid,
    input  wire [N-1:0]                             read_rsp_ready,
    output wire [N*(PAIR != 0 ? 2 : 1)*DATA_W-1:0]  read_rsp_beat,

    input  wire                                     host_read,
    input  wire [ADDR_W+PARTS_LOG2-1:0]             host_addr,
    output wire [(DATA_W>>PARTS_LOG2)-1:0]          host_rdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W
            || N < 1 || N > 31
            || (BURST & PAIR) != 0
            || ((BURST | PAIR) >> (N - 1)) > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    assign write_ready = 1'b1;

    wire [ADDR_W-1:0] word;
    wire [DATA_W-1:0] whole;
    samhw_ports #(
        .N(N), .FIRST(N), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .BURST(BURST), .PAIR(PAIR)
    ) u_ports (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat),
        .write(write_valid && !rst),
        .write_addr(write_beat[ADDR_W-1:0]), .write_data(write_beat[ADDR_W +: DATA_W]),
        .peek(host_read), .peek_addr(word), .peek_data(whole)
    );
    samhw_host_read #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .PARTS_LOG2(PARTS_LOG2)) u_host (
        .clk(clk),
        .host_read(host_read), .host_addr(host_addr), .host_rdata(host_rdata),
        .word(word), .whole(whole)
    );

endmodule

`default_nettype wire
