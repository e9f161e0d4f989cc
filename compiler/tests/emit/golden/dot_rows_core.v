// SPDX-License-Identifier: Apache-2.0
//
// dot_rows_core: the dataflow graph of
//
//    A: i16 dense(0: 10) compressed(1: 6)
//    x: i16 dense(0: 6)
//    y: i16 dense(0: 10)
//    y(i) = sum[j](A(i, j) * x(j))
//
//   Loops       i, j.
//   Run time    dim_i the size of i, at most 10,
//               cap_y_vals words that y_vals has room for: 10 on the chip,
//               fill_y the value of y where nothing is stored,
//               chunk_i the size of i.
//   Consumes    one start token per run, and the answers to its read requests: in order,
//               after any number of cycles.
//   Produces    read requests, any number outstanding; writes; one done token per run. It is
//               then ready for the next run, without a reset.
//   Handshake   a beat moves at an edge with valid and ready. valid does not wait for ready
//               and a beat offered stays until it is taken. Of {a, b} b is in the low bits.
//   Reset       synchronous, valid bits and state.
`default_nettype none

module dot_rows_core (
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

    // A_seg1: req {addr}, rsp {data1, data0}
    output wire        A_seg1_req_valid,
    input  wire        A_seg1_req_ready,
    output wire [3:0]  A_seg1_req_beat,
    input  wire        A_seg1_rsp_valid,
    output wire        A_seg1_rsp_ready,
    input  wire [11:0] A_seg1_rsp_beat,

    // A_crd1: req {len, addr}, rsp {data}
    output wire        A_crd1_req_valid,
    input  wire        A_crd1_req_ready,
    output wire [11:0] A_crd1_req_beat,
    input  wire        A_crd1_rsp_valid,
    output wire        A_crd1_rsp_ready,
    input  wire [2:0]  A_crd1_rsp_beat,

    // A_vals: req {addr}, rsp {data}
    output wire        A_vals_req_valid,
    input  wire        A_vals_req_ready,
    output wire [5:0]  A_vals_req_beat,
    input  wire        A_vals_rsp_valid,
    output wire        A_vals_rsp_ready,
    input  wire [15:0] A_vals_rsp_beat,

    // x_vals: req {addr}, rsp {data}
    output wire        x_vals_req_valid,
    input  wire        x_vals_req_ready,
    output wire [2:0]  x_vals_req_beat,
    input  wire        x_vals_rsp_valid,
    output wire        x_vals_rsp_ready,
    input  wire [15:0] x_vals_rsp_beat,

    // y_vals: write {data, addr}
    output wire        y_vals_write_valid,
    input  wire        y_vals_write_ready,
    output wire [19:0] y_vals_write_beat,

    // Valid from done to the next start.
    output wire [3:0]  write_y_vals_count,
    output wire        write_y_vals_overflow
);

    // ------------------------------------------------------------
    // Streams

    // ref
    wire       root_ref0_valid;
    wire       root_ref0_ready;
    wire [5:0] root_ref0_beat;

    // crd, ref over i
    wire        scan_A_i_out_valid;
    wire        scan_A_i_out_ready;
    wire [11:0] scan_A_i_out_beat;

    // crd, ref over i
    wire        scan_A_i_out_0_valid;
    wire        scan_A_i_out_0_ready;
    wire [11:0] scan_A_i_out_0_beat;

    // crd, ref over i
    wire        scan_A_i_out_1_valid;
    wire        scan_A_i_out_1_ready;
    wire [11:0] scan_A_i_out_1_beat;

    // crd, ref over i, j
    wire        scan_A_j_out_valid;
    wire        scan_A_j_out_ready;
    wire [12:0] scan_A_j_out_beat;

    // crd, ref over i, j
    wire        scan_A_j_out_0_valid;
    wire        scan_A_j_out_0_ready;
    wire [12:0] scan_A_j_out_0_beat;

    // crd, ref over i, j
    wire        scan_A_j_out_1_valid;
    wire        scan_A_j_out_1_ready;
    wire [12:0] scan_A_j_out_1_beat;

    // val over i, j
    wire        array_A_val_valid;
    wire        array_A_val_ready;
    wire [19:0] array_A_val_beat;

    // val over i, j
    wire        array_x_val_valid;
    wire        array_x_val_ready;
    wire [19:0] array_x_val_beat;

    // val over i, j
    wire        mul_val_valid;
    wire        mul_val_ready;
    wire [19:0] mul_val_beat;

    // val over i
    wire        sum_j_out_valid;
    wire        sum_j_out_ready;
    wire [19:0] sum_j_out_beat;

    // token
    wire start_beat = 1'b1;

    // token
    wire write_y_vals_finished_valid;
    wire write_y_vals_finished_ready;
    wire write_y_vals_finished_beat;

    // token
    wire done_beat;

    // crd over i; latency: the other path to write_y_vals is 15 cycles longer
    wire       scan_A_i_out_0_late_valid;
    wire       scan_A_i_out_0_late_ready;
    wire [7:0] scan_A_i_out_0_late_beat;

    // ------------------------------------------------------------
    // What consumers see of a stream: one payload of two, or other widths

    wire [7:0] scan_A_i_out_1_second = {
        scan_A_i_out_1_beat[11:8], scan_A_i_out_1_beat[7:6],
        scan_A_i_out_1_beat[11] ? scan_A_i_out_1_beat[1:0] : scan_A_i_out_1_beat[5:4]
    };
    wire [9:0] scan_A_j_out_1_second = {
        scan_A_j_out_1_beat[12:9], scan_A_j_out_1_beat[8:5],
        scan_A_j_out_1_beat[12] ? scan_A_j_out_1_beat[1:0] : scan_A_j_out_1_beat[4:3]
    };
    wire [6:0] scan_A_j_out_0_first  = {
        scan_A_j_out_0_beat[12], scan_A_j_out_0_beat[12] & scan_A_j_out_0_beat[11], scan_A_j_out_0_beat[10:9],
        scan_A_j_out_0_beat[2:0]
    };
    wire [7:0] scan_A_i_out_0_first  = {
        scan_A_i_out_0_beat[11], scan_A_i_out_0_beat[11] & scan_A_i_out_0_beat[10], scan_A_i_out_0_beat[9:8],
        scan_A_i_out_0_beat[3:0]
    };

    // ------------------------------------------------------------
    // y(i) = sum[j](A(i, j) * x(j))

    // root
    samhw_root #(.REF_W(2), .STOP_W(2), .N(1)) root (
        .clk(clk), .rst(rst),
        .start_valid(start_valid), .start_ready(start_ready), .start_beat(start_beat),
        .ref_valid(root_ref0_valid), .ref_ready(root_ref0_ready), .ref_beat(root_ref0_beat)
    );

    // scanner_dense: dense root
    samhw_scanner_dense #(
        .REF_IN_W(2), .REF_W(4), .CRD_W(4), .STOP_W(2), .ROOT(1), .BROADCAST(0), .DEPTH(0)
    ) scan_A_i (
        .clk(clk), .rst(rst),
        .ref_valid(root_ref0_valid), .ref_ready(root_ref0_ready), .ref_beat(root_ref0_beat),
        .out_valid(scan_A_i_out_valid), .out_ready(scan_A_i_out_ready), .out_beat(scan_A_i_out_beat),
        .dim({1'b0, dim_i})
    );

    // scanner_compressed
    samhw_scanner_compressed #(.REF_IN_W(4), .REF_W(6), .CRD_W(3), .STOP_W(2), .QUEUE_LOG2(3)) scan_A_j (
        .clk(clk), .rst(rst),
        .ref_valid(scan_A_i_out_1_valid), .ref_ready(scan_A_i_out_1_ready), .ref_beat(scan_A_i_out_1_second),
        .seg_req_valid(A_seg1_req_valid), .seg_req_ready(A_seg1_req_ready), .seg_req_beat(A_seg1_req_beat),
        .seg_rsp_valid(A_seg1_rsp_valid), .seg_rsp_ready(A_seg1_rsp_ready), .seg_rsp_beat(A_seg1_rsp_beat),
        .crd_req_valid(A_crd1_req_valid), .crd_req_ready(A_crd1_req_ready), .crd_req_beat(A_crd1_req_beat),
        .crd_rsp_valid(A_crd1_rsp_valid), .crd_rsp_ready(A_crd1_rsp_ready), .crd_rsp_beat(A_crd1_rsp_beat),
        .out_valid(scan_A_j_out_valid), .out_ready(scan_A_j_out_ready), .out_beat(scan_A_j_out_beat)
    );

    // array
    samhw_array #(.REF_W(6), .VAL_W(16), .STOP_W(2), .QUEUE_LOG2(3)) array_A (
        .clk(clk), .rst(rst),
        .ref_valid(scan_A_j_out_1_valid), .ref_ready(scan_A_j_out_1_ready), .ref_beat(scan_A_j_out_1_second),
        .req_valid(A_vals_req_valid), .req_ready(A_vals_req_ready), .req_beat(A_vals_req_beat),
        .rsp_valid(A_vals_rsp_valid), .rsp_ready(A_vals_rsp_ready), .rsp_beat(A_vals_rsp_beat),
        .val_valid(array_A_val_valid), .val_ready(array_A_val_ready), .val_beat(array_A_val_beat)
    );

    // array
    samhw_array #(.REF_W(3), .VAL_W(16), .STOP_W(2), .QUEUE_LOG2(3)) array_x (
        .clk(clk), .rst(rst),
        .ref_valid(scan_A_j_out_0_valid), .ref_ready(scan_A_j_out_0_ready), .ref_beat(scan_A_j_out_0_first),
        .req_valid(x_vals_req_valid), .req_ready(x_vals_req_ready), .req_beat(x_vals_req_beat),
        .rsp_valid(x_vals_rsp_valid), .rsp_ready(x_vals_rsp_ready), .rsp_beat(x_vals_rsp_beat),
        .val_valid(array_x_val_valid), .val_ready(array_x_val_ready), .val_beat(array_x_val_beat)
    );

    // alu: mul(x, x)
    samhw_alu #(
        .OP(2), .W(16), .SIGNED(1), .SATURATE(0), .FRAC(0), .ONE(16'h1), .TABLE(8'h0), .VAL_W(16), .STOP_W(2),
        .STAGES(2), .STREAMS(2), .ARGS(2), .FROM(4'h4), .FIXED(2'h0), .VALUES(32'h0), .EMIT(4'h8)
    ) mul (
        .clk(clk), .rst(rst),
        .in_valid({array_x_val_valid, array_A_val_valid}),
        .in_ready({array_x_val_ready, array_A_val_ready}),
        .in_beat({array_x_val_beat, array_A_val_beat}),
        .val_valid(mul_val_valid), .val_ready(mul_val_ready), .val_beat(mul_val_beat)
    );

    // reducer_scalar: add
    samhw_reducer_scalar #(.VAL_W(16), .STOP_W(2), .FOLD_W(128), .FOLD(128'h100000000000000)) sum_j (
        .clk(clk), .rst(rst),
        .val_valid(mul_val_valid), .val_ready(mul_val_ready), .val_beat(mul_val_beat),
        .out_valid(sum_j_out_valid), .out_ready(sum_j_out_ready), .out_beat(sum_j_out_beat)
    );

    // value_writer: 1 dense
    samhw_value_writer_at #(.VAL_W(16), .ADDR_W(4), .STOP_W(2), .CHAIN(1), .SKIP(0)) write_y_vals (
        .clk(clk), .rst(rst),
        .val_valid(sum_j_out_valid), .val_ready(sum_j_out_ready), .val_beat(sum_j_out_beat),
        .pos_valid(scan_A_i_out_0_late_valid),
        .pos_ready(scan_A_i_out_0_late_ready),
        .pos_beat(scan_A_i_out_0_late_beat),
        .write_valid(y_vals_write_valid), .write_ready(y_vals_write_ready), .write_beat(y_vals_write_beat),
        .finished_valid(write_y_vals_finished_valid),
        .finished_ready(write_y_vals_finished_ready),
        .finished_beat(write_y_vals_finished_beat),
        .capacity(cap_y_vals),
        .fill(fill_y),
        .chunk(chunk_i),
        .count(write_y_vals_count),
        .overflow(write_y_vals_overflow)
    );

    // fork
    samhw_fork #(.N(2), .W(12)) fork_scan_A_i_out (
        .clk(clk), .rst(rst),
        .in_valid(scan_A_i_out_valid), .in_ready(scan_A_i_out_ready), .in_beat(scan_A_i_out_beat),
        .out_valid({scan_A_i_out_1_valid, scan_A_i_out_0_valid}),
        .out_ready({scan_A_i_out_1_ready, scan_A_i_out_0_ready}),
        .out_beat({scan_A_i_out_1_beat, scan_A_i_out_0_beat})
    );

    // fork
    samhw_fork #(.N(2), .W(13)) fork_scan_A_j_out (
        .clk(clk), .rst(rst),
        .in_valid(scan_A_j_out_valid), .in_ready(scan_A_j_out_ready), .in_beat(scan_A_j_out_beat),
        .out_valid({scan_A_j_out_1_valid, scan_A_j_out_0_valid}),
        .out_ready({scan_A_j_out_1_ready, scan_A_j_out_0_ready}),
        .out_beat({scan_A_j_out_1_beat, scan_A_j_out_0_beat})
    );

    // barrier
    samhw_barrier #(.N(1)) finish_0 (
        .clk(clk), .rst(rst),
        .finished_valid(write_y_vals_finished_valid),
        .finished_ready(write_y_vals_finished_ready),
        .finished_beat(write_y_vals_finished_beat),
        .done_valid(done_valid), .done_ready(done_ready), .done_beat(done_beat)
    );

    // fifo: depth 16
    samhw_fifo #(.W(8), .DEPTH(16)) fifo_scan_A_i_out_0 (
        .clk(clk), .rst(rst),
        .in_valid(scan_A_i_out_0_valid), .in_ready(scan_A_i_out_0_ready), .in_beat(scan_A_i_out_0_first),
        .out_valid(scan_A_i_out_0_late_valid),
        .out_ready(scan_A_i_out_0_late_ready),
        .out_beat(scan_A_i_out_0_late_beat)
    );

    wire _unused_ok = &{
        1'b0, done_beat, scan_A_i_out_1_beat, scan_A_j_out_1_beat, scan_A_j_out_0_beat, scan_A_i_out_0_beat,
        1'b0
    };

endmodule

`default_nettype wire
