// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that the core writes and the host reads: a result array.
//
//   Consumes    write {data, addr}: the word at addr becomes data; beyond WORDS nothing changes.
//   Throughput  one word per cycle; write_ready is always 1.
//   Host        host_rdata is the word at host_addr two cycles after host_read, and holds. With PARTS_LOG2 above 0
//               words have 2**PARTS_LOG2 parts with addresses of their own, the lowest bits first.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram; PARTS_LOG2.
//   Reset       none needed: there is no state but the words. `rst` is there as in every primitive.
`default_nettype none

module samhw_mem_write #(
    parameter ADDR_W     = 8,
    parameter DATA_W     = 16,
    parameter WORDS      = 256,
    parameter PARTS_LOG2 = 0
) (
    input  wire                             clk,
    input  wire                             rst,

    input  wire                             write_valid,
    output wire                             write_ready,
    input  wire [ADDR_W+DATA_W-1:0]         write_beat,

    input  wire                             host_read,
    input  wire [ADDR_W+PARTS_LOG2-1:0]     host_addr,
    output wire [(DATA_W>>PARTS_LOG2)-1:0]  host_rdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    assign write_ready = 1'b1;

    wire [ADDR_W-1:0] word;
    wire [DATA_W-1:0] whole;

    samhw_ram #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS)) u_ram (
        .clk(clk),
        .write(write_valid && !rst),
        .write_addr(write_beat[ADDR_W-1:0]), .write_data(write_beat[ADDR_W +: DATA_W]),
        .read(host_read), .read_addr(word), .read_data(whole)
    );

    samhw_host_read #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .PARTS_LOG2(PARTS_LOG2)) u_host (
        .clk(clk),
        .host_read(host_read), .host_addr(host_addr), .host_rdata(host_rdata),
        .word(word), .whole(whole)
    );

endmodule

`default_nettype wire
