// SPDX-License-Identifier: Apache-2.0
//
// dot_rows_ram: dot_rows_core with its arrays in on-chip memories, for
//
//    A: i16 dense(0: 10) compressed(1: 6)
//    x: i16 dense(0: 6)
//    y: i16 dense(0: 10)
//    y(i) = sum[j](A(i, j) * x(j))
//
//   Host        host_write stores host_wdata at host_addr; host_read gives the word at
//               host_addr on host_rdata two cycles later, where it stays until the next
//               host_read; 0 where no array is read. Not between start and done.
//   Arrays      base    words   bits
//               0       60      3    A_crd1, written by the host
//               64      60      16   A_vals, written by the host
//               128     11      6    A_seg1, written by the host
//               144     10      16   y_vals, read by the host
//               160     6       16   x_vals, written by the host
//   Start, done, run-time values, status and reset: as the core's.
`default_nettype none

module dot_rows_ram (
    input  wire        clk,
    input  wire        rst,

    // One start token begins a run; a done token ends it, when all results are written.
    input  wire        start_valid,
    output wire        start_ready,
    output wire        done_valid,
    input  wire        done_ready,

    // Stable from start to done.
    input  wire [3:0]  dim_i,
    input  wire [3:0]  cap_y_vals,
    input  wire [15:0] fill_y,
    input  wire [3:0]  chunk_i,

    // Host: words of the arrays, while no run is going on.
    input  wire        host_write,
    input  wire        host_read,
    input  wire [7:0]  host_addr,
    input  wire [15:0] host_wdata,
    output wire [15:0] host_rdata,

    // Valid from done to the next start.
    output wire [3:0]  write_y_vals_count,
    output wire        write_y_vals_overflow
);

    // ------------------------------------------------------------
    // Core

    wire       A_seg1_req_valid;
    wire       A_seg1_req_ready;
    wire [3:0] A_seg1_req_beat;

    wire        A_seg1_rsp_valid;
    wire        A_seg1_rsp_ready;
    wire [11:0] A_seg1_rsp_beat;

    wire        A_crd1_req_valid;
    wire        A_crd1_req_ready;
    wire [11:0] A_crd1_req_beat;

    wire       A_crd1_rsp_valid;
    wire       A_crd1_rsp_ready;
    wire [2:0] A_crd1_rsp_beat;

    wire       A_vals_req_valid;
    wire       A_vals_req_ready;
    wire [5:0] A_vals_req_beat;

    wire        A_vals_rsp_valid;
    wire        A_vals_rsp_ready;
    wire [15:0] A_vals_rsp_beat;

    wire       x_vals_req_valid;
    wire       x_vals_req_ready;
    wire [2:0] x_vals_req_beat;

    wire        x_vals_rsp_valid;
    wire        x_vals_rsp_ready;
    wire [15:0] x_vals_rsp_beat;

    wire        y_vals_write_valid;
    wire        y_vals_write_ready;
    wire [19:0] y_vals_write_beat;

    wire [15:0] y_vals_rdata;

    dot_rows_core u_core (
        .clk(clk), .rst(rst),
        .start_valid(start_valid), .start_ready(start_ready), .done_valid(done_valid),
        .done_ready(done_ready),
        .dim_i(dim_i), .cap_y_vals(cap_y_vals), .fill_y(fill_y),
        .chunk_i(chunk_i),
        .A_seg1_req_valid(A_seg1_req_valid),
        .A_seg1_req_ready(A_seg1_req_ready),
        .A_seg1_req_beat(A_seg1_req_beat),
        .A_seg1_rsp_valid(A_seg1_rsp_valid),
        .A_seg1_rsp_ready(A_seg1_rsp_ready),
        .A_seg1_rsp_beat(A_seg1_rsp_beat),
        .A_crd1_req_valid(A_crd1_req_valid),
        .A_crd1_req_ready(A_crd1_req_ready),
        .A_crd1_req_beat(A_crd1_req_beat),
        .A_crd1_rsp_valid(A_crd1_rsp_valid),
        .A_crd1_rsp_ready(A_crd1_rsp_ready),
        .A_crd1_rsp_beat(A_crd1_rsp_beat),
        .A_vals_req_valid(A_vals_req_valid),
        .A_vals_req_ready(A_vals_req_ready),
        .A_vals_req_beat(A_vals_req_beat),
        .A_vals_rsp_valid(A_vals_rsp_valid),
        .A_vals_rsp_ready(A_vals_rsp_ready),
        .A_vals_rsp_beat(A_vals_rsp_beat),
        .x_vals_req_valid(x_vals_req_valid),
        .x_vals_req_ready(x_vals_req_ready),
        .x_vals_req_beat(x_vals_req_beat),
        .x_vals_rsp_valid(x_vals_rsp_valid),
        .x_vals_rsp_ready(x_vals_rsp_ready),
        .x_vals_rsp_beat(x_vals_rsp_beat),
        .y_vals_write_valid(y_vals_write_valid),
        .y_vals_write_ready(y_vals_write_ready),
        .y_vals_write_beat(y_vals_write_beat),
        .write_y_vals_count(write_y_vals_count), .write_y_vals_overflow(write_y_vals_overflow)
    );

    // ------------------------------------------------------------
    // Host: which array an address is in, and the word read from it

    wire A_seg1_here = host_addr[7:4] == 4'h8;
    wire A_crd1_here = host_addr[7:6] == 2'h0;
    wire A_vals_here = host_addr[7:6] == 2'h1;
    wire x_vals_here = host_addr[7:3] == 5'h14;
    wire y_vals_here = (host_addr[7:4] == 4'h9) && (host_addr[3:0] < 4'd10);

    reg y_vals_asked;
    always @(posedge clk)
        if (host_read)
            y_vals_asked <= y_vals_here;
    reg y_vals_read;
    always @(posedge clk)
        y_vals_read <= y_vals_asked;

    assign host_rdata = {16{y_vals_read}} & y_vals_rdata;

    // ------------------------------------------------------------
    // Memories

    // memory: 11 x 6 bits
    samhw_mem_pair #(.ADDR_W(4), .DATA_W(6), .WORDS(11)) A_seg1 (
        .clk(clk), .rst(rst),
        .read_req_valid(A_seg1_req_valid), .read_req_ready(A_seg1_req_ready), .read_req_beat(A_seg1_req_beat),
        .read_rsp_valid(A_seg1_rsp_valid), .read_rsp_ready(A_seg1_rsp_ready), .read_rsp_beat(A_seg1_rsp_beat),
        .host_write(host_write && A_seg1_here), .host_addr(host_addr[3:0]), .host_wdata(host_wdata[5:0])
    );

    // memory: 60 x 3 bits
    samhw_mem_burst #(.ADDR_W(6), .DATA_W(3), .WORDS(60)) A_crd1 (
        .clk(clk), .rst(rst),
        .read_req_valid(A_crd1_req_valid), .read_req_ready(A_crd1_req_ready), .read_req_beat(A_crd1_req_beat),
        .read_rsp_valid(A_crd1_rsp_valid), .read_rsp_ready(A_crd1_rsp_ready), .read_rsp_beat(A_crd1_rsp_beat),
        .host_write(host_write && A_crd1_here), .host_addr(host_addr[5:0]), .host_wdata(host_wdata[2:0])
    );

    // memory: 60 x 16 bits
    samhw_mem_single #(.ADDR_W(6), .DATA_W(16), .WORDS(60)) A_vals (
        .clk(clk), .rst(rst),
        .read_req_valid(A_vals_req_valid), .read_req_ready(A_vals_req_ready), .read_req_beat(A_vals_req_beat),
        .read_rsp_valid(A_vals_rsp_valid), .read_rsp_ready(A_vals_rsp_ready), .read_rsp_beat(A_vals_rsp_beat),
        .host_write(host_write && A_vals_here), .host_addr(host_addr[5:0]), .host_wdata(host_wdata)
    );

    // memory: 6 x 16 bits
    samhw_mem_single #(.ADDR_W(3), .DATA_W(16), .WORDS(6)) x_vals (
        .clk(clk), .rst(rst),
        .read_req_valid(x_vals_req_valid), .read_req_ready(x_vals_req_ready), .read_req_beat(x_vals_req_beat),
        .read_rsp_valid(x_vals_rsp_valid), .read_rsp_ready(x_vals_rsp_ready), .read_rsp_beat(x_vals_rsp_beat),
        .host_write(host_write && x_vals_here), .host_addr(host_addr[2:0]), .host_wdata(host_wdata)
    );

    // memory: 10 x 16 bits
    samhw_mem_write #(.ADDR_W(4), .DATA_W(16), .WORDS(10)) y_vals (
        .clk(clk), .rst(rst),
        .write_valid(y_vals_write_valid), .write_ready(y_vals_write_ready), .write_beat(y_vals_write_beat),
        .host_read(host_read && y_vals_here), .host_addr(host_addr[3:0]), .host_rdata(y_vals_rdata)
    );

endmodule

`default_nettype wire
