// SPDX-License-Identifier: Apache-2.0
//
// On-chip memory that answers each read request with consecutive words.
//
//   Consumes    read_req {len, addr}, len >= 1.
//   Produces    read_rsp {data}: the words at addr .. addr+len-1, in order.
//   Throughput  one word per cycle, without a gap between requests of any length.
//   Latency     a request taken at edge t has its first answer at edge t+1 at the earliest;
//               request register to answer takes 2 cycles.
//   Host        writes a word per cycle: host_write, host_addr, host_wdata. With PARTS_LOG2 above 0 words have
//               2**PARTS_LOG2 parts with addresses of their own, the lowest bits first.
//   Parameters  ADDR_W, DATA_W, WORDS as in samhw_ram; PARTS_LOG2.
//   Reset       valid bits and state; words are not reset.
`default_nettype none

module samhw_mem_burst #(
    parameter ADDR_W     = 8,
    parameter DATA_W     = 16,
    parameter WORDS      = 256,
    parameter PARTS_LOG2 = 0
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            read_req_valid,
    output wire                            read_req_ready,
    input  wire [2*ADDR_W-1:0]             read_req_beat,

    output reg                             read_rsp_valid,
    input  wire                            read_rsp_ready,
    output wire [DATA_W-1:0]               read_rsp_beat,

    input  wire                            host_write,
    input  wire [ADDR_W+PARTS_LOG2-1:0]    host_addr,
    input  wire [(DATA_W>>PARTS_LOG2)-1:0] host_wdata
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || WORDS < 1
            || (ADDR_W < 31 && WORDS > 1 << ADDR_W)
            || PARTS_LOG2 < 0 || DATA_W >> PARTS_LOG2 << PARTS_LOG2 != DATA_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              valid;
    wire [ADDR_W-1:0] addr;
    wire              free = !read_rsp_valid || read_rsp_ready;
    wire              read = valid && free;

    samhw_words #(.ADDR_W(ADDR_W), .BURST(1)) u_words (
        .clk(clk), .rst(rst),
        .req_valid(read_req_valid), .req_ready(read_req_ready), .req_beat(read_req_beat),
        .word_valid(valid), .word_addr(addr), .word_taken(free)
    );

    samhw_ram_parts #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .PARTS_LOG2(PARTS_LOG2)) u_ram (
        .clk(clk),
        .write(host_write), .write_addr(host_addr), .write_data(host_wdata),
        .read(read), .read_addr(addr), .read_data(read_rsp_beat)
    );

    always @(posedge clk)
        if (rst)
            read_rsp_valid <= 1'b0;
        else if (free)
            read_rsp_valid <= valid;

endmodule

`default_nettype wire
