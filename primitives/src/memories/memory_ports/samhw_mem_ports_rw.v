// SPDX-License-Identifier: Apache-2.0
//
// samhw_mem_ports that the core itself writes: a temporary, without a host port, with one port to read.
//
//   Consumes    read_req as samhw_mem_ports; write {data, addr}: the word at addr becomes data, beyond WORDS
//               nothing changes.
//   Produces    read_rsp as samhw_mem_ports. Do not read a word at the edge that writes it: it has its old
//               value in simulation and any value in hardware.
//   Throughput  a word, or a pair, per cycle; one write per cycle, write_ready is always 1.
//   Readers     as of one port of samhw_mem_ports.
//   Latency     reads as samhw_mem_ports; a write taken at edge t is seen by reads from edge t+1.
//   Parameters  N, ADDR_W, DATA_W, WORDS, BURST, PAIR as in samhw_mem_ports.
//   Reset       as samhw_mem_ports.
`default_nettype none

module samhw_mem_ports_rw #(
    parameter        N      = 2,
    parameter        ADDR_W = 8,
    parameter        DATA_W = 16,
    parameter        WORDS  = 256,
    parameter [31:0] BURST  = 0,
    parameter [31:0] PAIR   = 0
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
    output wire [N*(PAIR != 0 ? 2 : 1)*DATA_W-1:0]  read_rsp_beat
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || N < 1 || N > 31
            || (BURST & PAIR) != 0
            || ((BURST | PAIR) >> (N - 1)) > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    assign write_ready = 1'b1;

    wire [DATA_W-1:0] peeked;
    samhw_ports #(
        .N(N), .FIRST(N), .ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .BURST(BURST), .PAIR(PAIR)
    ) u_ports (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat),
        .write(write_valid && !rst),
        .write_addr(write_beat[ADDR_W-1:0]), .write_data(write_beat[ADDR_W +: DATA_W]),
        .peek(1'b0), .peek_addr({ADDR_W{1'b0}}), .peek_data(peeked)
    );
    wire _unused_ok = &{1'b0, peeked, 1'b0};

endmodule

`default_nettype wire
