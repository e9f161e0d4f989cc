// SPDX-License-Identifier: Apache-2.0
//
// Copies an array from memory into an on-chip one, before a run.
//
//   Consumes    start: once after a reset; data: lines of the fetches, as samhw_axi_reader.
//   Produces    fetch, as samhw_axi_reader; host_write, host_addr, host_wdata: words 0 .. words-1 in order;
//               done: all have been written, until reset.
//   beyond      words is more than WORDS: nothing is copied.
//   Throughput  one word per cycle.
//   Parameters  WORDS of the on-chip memory; others as samhw_axi_reader.
//   Reset       as samhw_axi_reader.
`default_nettype none

module samhw_axi_loader #(
    parameter ADDR_W     = 16,
    parameter DATA_W     = 32,
    parameter WORDS      = 256,
    parameter SIZE_LOG2  = 2,
    parameter BUS_LOG2   = 3,
    parameter AXI_W      = 32,
    parameter LINES_LOG2 = 5,
    parameter BURST_LOG2 = 4
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire [AXI_W-1:0]         base,
    input  wire [ADDR_W:0]          words,
    output wire                     beyond,

    input  wire                     start,
    output wire                     done,

    output wire                     fetch_valid,
    input  wire                     fetch_ready,
    output wire [8+AXI_W-1:0]       fetch_beat,

    input  wire                     data_valid,
    input  wire [(8<<BUS_LOG2)-1:0] data_beat,

    output reg                      host_write,
    output reg  [ADDR_W-1:0]        host_addr,
    output reg  [DATA_W-1:0]        host_wdata
);
    generate
        if (ADDR_W < 1 || ADDR_W + 2 > AXI_W
            || SIZE_LOG2 < 0 || DATA_W < 1 || DATA_W > 8 << SIZE_LOG2
            || BUS_LOG2 < SIZE_LOG2 || BUS_LOG2 > 7
            || BURST_LOG2 < 0 || BURST_LOG2 > 8 || BURST_LOG2 > 12 - BUS_LOG2
            || LINES_LOG2 <= BURST_LOG2
            || WORDS < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [31:0]     LIMIT = WORDS;
    localparam [ADDR_W:0] NONE  = 0;
    localparam [ADDR_W:0] ONE   = 1;

    wire [32+ADDR_W:0] wide  = {32'd0, words};
    wire               fits  = wide <= {{(ADDR_W+1){1'b0}}, LIMIT};
    reg                asks;
    reg                going;
    reg                over;
    reg  [ADDR_W:0]    count;
    wire               ready;
    wire               valid;
    wire [DATA_W-1:0]  word;
    wire               outside;

    samhw_axi_reader #(
        .ADDR_W(ADDR_W+1), .DATA_W(DATA_W), .SIZE_LOG2(SIZE_LOG2), .BUS_LOG2(BUS_LOG2), .AXI_W(AXI_W),
        .KIND(1), .LINES_LOG2(LINES_LOG2), .BURST_LOG2(BURST_LOG2)
    ) u_read (
        .clk(clk), .rst(rst), .start(1'b0), .base(base), .words({1'b0, words}), .beyond(outside),
        .read_req_valid(asks), .read_req_ready(ready), .read_req_beat({words, NONE}),
        .read_rsp_valid(valid), .read_rsp_ready(1'b1), .read_rsp_beat(word),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
        .data_valid(data_valid), .data_beat(data_beat)
    );

    assign beyond = over || outside;
    assign done   = going && count == words && !host_write;

    always @(posedge clk) begin
        host_addr  <= count[ADDR_W-1:0];
        host_wdata <= word;
        if (rst) begin
            asks       <= 1'b0;
            going      <= 1'b0;
            over       <= 1'b0;
            count      <= NONE;
            host_write <= 1'b0;
        end else begin
            host_write <= valid;
            if (start) begin
                over  <= !fits;
                going <= fits;
                asks  <= fits && words != NONE;
            end else if (ready) begin
                asks <= 1'b0;
            end
            if (valid)
                count <= count + ONE;
        end
    end

endmodule

`default_nettype wire
