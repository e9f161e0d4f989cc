// SPDX-License-Identifier: Apache-2.0
//
// samhw_mem_burst that the core itself writes: a temporary, without a host port.
//
//   Consumes    read_req as samhw_mem_burst; write {data, addr}: the word at addr becomes data,
//               beyond WORDS nothing changes.
//   Produces    read_rsp as samhw_mem_burst. Do not read a word at the edge that writes it:
//               it has its old value in simulation and any value in hardware.
//   Throughput  reads as samhw_mem_burst; one write per cycle, write_ready is always 1.
//   Latency     reads as samhw_mem_burst; a write taken at edge t is seen by reads from edge t+1.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram.
//   Reset       as samhw_mem_burst.
`default_nettype none

module samhw_mem_burst_rw #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     read_req_valid,
    output wire                     read_req_ready,
    input  wire [2*ADDR_W-1:0]      read_req_beat,

    input  wire                     write_valid,
    output wire                     write_ready,
    input  wire [ADDR_W+DATA_W-1:0] write_beat,

    output wire                     read_rsp_valid,
    input  wire                     read_rsp_ready,
    output wire [DATA_W-1:0]        read_rsp_beat
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    assign write_ready = 1'b1;

    samhw_mem_burst #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS)) u_mem (
        .clk(clk), .rst(rst),
        .read_req_valid(read_req_valid), .read_req_ready(read_req_ready), .read_req_beat(read_req_beat),
        .read_rsp_valid(read_rsp_valid), .read_rsp_ready(read_rsp_ready), .read_rsp_beat(read_rsp_beat),
        .host_write(write_valid && !rst),
        .host_addr(write_beat[ADDR_W-1:0]), .host_wdata(write_beat[ADDR_W +: DATA_W])
    );

endmodule

`default_nettype wire
