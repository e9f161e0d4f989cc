// SPDX-License-Identifier: Apache-2.0
//
// Last stages of a scanner up to a bound: of each fiber the coordinates up to its bound are read, and few beyond.
//
//   Consumes    in: lists with bounds begin..end, and what is not a list (see samhw_ref_skid); bound {hi}: a
//               whole number for each of them, EMPTY: nothing is needed; crd_rsp {crd[addr+1], crd[addr]}:
//               answers to crd_req, rising within a fiber. An answer is always taken.
//   Produces    crd_req {addr}; out {ref, crd}: of each list the coordinates up to its bound (HI 1), or below
//               it (HI 2), with their positions. A list of which nothing is needed is empty.
//   Reads       Of each list the first pair, up to 2**ITEMS_LOG2 lists ahead of the one that is given. If the
//               bound is not in it, the next pairs, one a cycle, until the one that has it is there: list
//               after list, in the cycles in which no first pair is asked for. What was asked for beyond that
//               one is dropped as it comes.
//   Throughput  one beat of out per cycle, while memory keeps up.
//   Latency     from in_ready to out, 2 cycles without a list; with one, 3 more than the answer takes.
//   Boundary    crd_req and out are registers; in_ready is combinational in in_valid and crd_req_ready.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W (at most BOUND_W and CRD_W); BOUND_W bits of a
//               bound, two's complement if SIGNED; HI: 1 the bound itself is needed, 2 it is not;
//               2**ITEMS_LOG2 lists and 2**MORE_LOG2 pairs behind first ones are under way.
//   Parts       samhw_until_bound, samhw_until_ask, samhw_until_give.
//   Reset       valid bits, pointers, counters, state; payloads are not reset.
`default_nettype none

module samhw_until_reader #(
    parameter REF_W      = 16,
    parameter CRD_W      = 16,
    parameter STOP_W     = 3,
    parameter HI         = 2,
    parameter BOUND_W    = 16,
    parameter SIGNED     = 0,
    parameter ITEMS_LOG2 = 3,
    parameter MORE_LOG2  = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire                            in_list,
    input  wire [STOP_W-1:0]               in_stop,
    input  wire [STOP_W-1:0]               in_hole,
    input  wire [REF_W-1:0]                in_begin,
    input  wire [REF_W-1:0]                in_end,

    input  wire                            bound_valid,
    output wire                            bound_ready,
    input  wire [2+STOP_W+BOUND_W-1:0]     bound_beat,

    output wire                            crd_req_valid,
    input  wire                            crd_req_ready,
    output wire [REF_W-1:0]                crd_req_beat,

    input  wire                            crd_rsp_valid,
    output wire                            crd_rsp_ready,
    input  wire [2*CRD_W-1:0]              crd_rsp_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1
            || HI < 1 || HI > 2
            || SIGNED < 0 || SIGNED > 1
            || BOUND_W < 1 || ITEMS_LOG2 < 1 || MORE_LOG2 < 1
            || STOP_W > BOUND_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] NO_LIST = 1;

    wire             q_valid;
    wire             q_none;
    wire [CRD_W-1:0] q_to;
    wire             start;
    samhw_until_bound #(
        .CRD_W(CRD_W), .STOP_W(STOP_W), .HI(HI), .BOUND_W(BOUND_W), .SIGNED(SIGNED), .ITEMS_LOG2(ITEMS_LOG2)
    ) u_bound (
        .clk(clk), .rst(rst),
        .bound_valid(bound_valid), .bound_ready(bound_ready), .bound_beat(bound_beat),
        .out_valid(q_valid), .out_ready(start), .out_none(q_none), .out_to(q_to)
    );

    wire                       room;
    wire                       some;
    wire                       began;
    wire                       more;
    wire [3+REF_W+2*CRD_W-1:0] pair;
    wire                       taken;
    samhw_until_ask #(.REF_W(REF_W), .CRD_W(CRD_W), .ITEMS_LOG2(ITEMS_LOG2), .MORE_LOG2(MORE_LOG2)) u_ask (
        .clk(clk), .rst(rst),
        .in_valid(in_valid && q_valid), .in_list(in_list), .in_begin(in_begin), .in_end(in_end), .in_none(q_none),
        .in_to(q_to),
        .room(room), .start(start), .some(some),
        .crd_req_valid(crd_req_valid), .crd_req_ready(crd_req_ready), .crd_req_beat(crd_req_beat),
        .crd_rsp_valid(crd_rsp_valid), .crd_rsp_beat(crd_rsp_beat),
        .began(began), .more(more), .pair(pair), .taken(taken)
    );
    assign in_ready      = start;
    assign crd_rsp_ready = 1'b1;

    samhw_until_give #(
        .REF_W(REF_W), .CRD_W(CRD_W), .STOP_W(STOP_W), .ITEMS_LOG2(ITEMS_LOG2), .MORE_LOG2(MORE_LOG2)
    ) u_give (
        .clk(clk), .rst(rst),
        .put(start), .room(room), .some(some), .in_stop(in_stop), .in_hole(in_list ? NO_LIST : in_hole),
        .began(began), .more(more), .pair(pair), .taken(taken),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

endmodule

`default_nettype wire
