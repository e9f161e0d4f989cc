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

    localparam [ADDR_W-1:0] ONE = 1;

    // The request at hand: its head word comes from the skid, the others from the registers.
    reg               going;
    reg  [ADDR_W-1:0] next;
    reg  [ADDR_W-1:0] left;

    wire              req_valid;
    wire              req_pop;
    wire [ADDR_W-1:0] req_addr;
    wire [ADDR_W-1:0] req_len;

    wire              free = !read_rsp_valid || read_rsp_ready;
    wire              read = (going || req_valid) && free;
    wire [ADDR_W-1:0] addr = going ? next : req_addr;
    wire [ADDR_W-1:0] len  = going ? left : req_len;

    assign req_pop = free && !going;

    samhw_skid #(.W(2*ADDR_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(req_valid), .out_ready(req_pop), .out_beat({req_len, req_addr})
    );

    samhw_ram_parts #(.ADDR_W(ADDR_W), .DATA_W(DATA_W), .WORDS(WORDS), .PARTS_LOG2(PARTS_LOG2)) u_ram (
        .clk(clk),
        .write(host_write), .write_addr(host_addr), .write_data(host_wdata),
        .read(read), .read_addr(addr), .read_data(read_rsp_beat)
    );

    always @(posedge clk) begin
        if (read) begin
            next <= addr + ONE;
            left <= len - ONE;
        end
        if (rst) begin
            going          <= 1'b0;
            read_rsp_valid <= 1'b0;
        end else begin
            if (read)
                going <= len != ONE;
            if (free)
                read_rsp_valid <= read;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && req_valid && req_len == {ADDR_W{1'b0}}) begin
            $display("samhw_mem_burst: a request for no words");
            $stop;
        end
`endif

endmodule

`default_nettype wire
