// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that answers each read request with two neighbouring words: a segment pair.
//
//   Consumes    read_req {addr}; addr+1 must be in the memory too.
//   Produces    read_rsp {word at addr+1, word at addr}, in order.
//   Throughput  one pair per cycle: even and odd words lie in two banks.
//   Latency     a request taken at edge t is answered at edge t+1 at the earliest; request
//               register to answer takes 2 cycles.
//   Host        writes a word per cycle: host_write, host_addr, host_wdata.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram.
//   Reset       valid bits; words are not reset.
`default_nettype none

module samhw_mem_pair #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter WORDS  = 256
) (
    input  wire                clk,
    input  wire                rst,

    input  wire                read_req_valid,
    output wire                read_req_ready,
    input  wire [ADDR_W-1:0]   read_req_beat,

    output reg                 read_rsp_valid,
    input  wire                read_rsp_ready,
    output wire [2*DATA_W-1:0] read_rsp_beat,

    input  wire                host_write,
    input  wire [ADDR_W-1:0]   host_addr,
    input  wire [DATA_W-1:0]   host_wdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              valid;
    wire [ADDR_W-1:0] addr;
    wire              free = !read_rsp_valid || read_rsp_ready;
    wire              read = valid && free;

    samhw_skid #(.W(ADDR_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(valid), .out_ready(free), .out_beat(addr)
    );

    samhw_ram_pairs #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS)) u_ram (
        .clk(clk),
        .write(host_write), .write_addr(host_addr), .write_data(host_wdata),
        .read(read), .read_both(1'b1), .read_addr(addr), .read_data(read_rsp_beat)
    );

    always @(posedge clk)
        if (rst)
            read_rsp_valid <= 1'b0;
        else if (free)
            read_rsp_valid <= valid;

endmodule

`default_nettype wire
