// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that the core writes and the host reads: a result array.
//
//   Consumes    write {data, addr}: the word at addr becomes data; beyond WORDS nothing changes.
//   Throughput  one word per cycle; write_ready is always 1.
//   Host        host_rdata is the word at host_addr one cycle after host_read, and holds.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram.
//   Reset       none needed: there is no state but the words. `rst` is there as in every primitive.
`default_nettype none

module samhw_mem_write #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     write_valid,
    output wire                     write_ready,
    input  wire [ADDR_W+DATA_W-1:0] write_beat,

    input  wire                     host_read,
    input  wire [ADDR_W-1:0]        host_addr,
    output wire [DATA_W-1:0]        host_rdata
);

    assign write_ready = 1'b1;

    samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS)) u_ram (
        .clk(clk),
        .write(write_valid && !rst),
        .write_addr(write_beat[ADDR_W-1:0]), .write_data(write_beat[ADDR_W +: DATA_W]),
        .read(host_read), .read_addr(host_addr), .read_data(host_rdata)
    );

endmodule

`default_nettype wire
