// SPDX-License-Identifier: Apache-2.0
//
// Follower: lets requests pass to a memory as soon as the words that they ask for have been
// written.
//
//   Consumes    read_req {len, addr} or {addr}; begin: a token, nothing is written yet; written
//               {data, addr}: the writes that the memory gets, at rising addresses from 0;
//               finished: a token, everything is written.
//   Produces    req: the requests, in order, each when its last word has been written, or after
//               finished; begun, opened: a token for each of begin and finished, when it holds.
//   Throughput  one request per cycle.
//   Latency     1 cycle, for requests and tokens.
//   Boundary    all outputs are registers; written_ready is always 1.
//   Parameters  ADDR_W bits of an address; DATA_W of a word; BURST: requests have a length; PAIR:
//               they ask for two words.
//   Reset       valid bits and state: nothing is written.
`default_nettype none

module samhw_follower #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16,
    parameter BURST  = 0,
    parameter PAIR   = 0
) (
    input  wire                        clk,
    input  wire                        rst,

    input  wire                        read_req_valid,
    output wire                        read_req_ready,
    input  wire [(BURST+1)*ADDR_W-1:0] read_req_beat,

    input  wire                        begin_valid,
    output wire                        begin_ready,
    input  wire                        begin_beat,

    input  wire                        written_valid,
    output wire                        written_ready,
    input  wire [ADDR_W+DATA_W-1:0]    written_beat,

    input  wire                        finished_valid,
    output wire                        finished_ready,
    input  wire                        finished_beat,

    output reg                         req_valid,
    input  wire                        req_ready,
    output reg  [(BURST+1)*ADDR_W-1:0] req_beat,

    output wire                        begun_valid,
    input  wire                        begun_ready,
    output wire                        begun_beat,

    output wire                        opened_valid,
    input  wire                        opened_ready,
    output wire                        opened_beat
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || BURST < 0 || BURST > 1 || PAIR < 0 || PAIR > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam REQ_W = (BURST + 1) * ADDR_W;

    wire [ADDR_W:0]  progress;
    wire             complete;
    samhw_progress #(.ADDR_W(ADDR_W), .DATA_W(DATA_W)) u_progress (
        .clk(clk), .rst(rst),
        .begin_valid(begin_valid), .begin_ready(begin_ready), .begin_beat(begin_beat),
        .written_valid(written_valid), .written_ready(written_ready), .written_beat(written_beat),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .begun_valid(begun_valid), .begun_ready(begun_ready), .begun_beat(begun_beat),
        .opened_valid(opened_valid), .opened_ready(opened_ready), .opened_beat(opened_beat),
        .progress(progress), .complete(complete)
    );

    wire             asks;
    wire             asked;
    wire [REQ_W-1:0] request;
    samhw_skid #(.W(REQ_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(asks), .out_ready(asked), .out_beat(request)
    );
    wire [ADDR_W:0] words;
    generate
        if (BURST != 0) begin : g_burst
            assign words = {1'b0, request[REQ_W-1 -: ADDR_W]};
        end else begin : g_one
            assign words = PAIR != 0 ? {{(ADDR_W-1){1'b0}}, 2'd2} : {{ADDR_W{1'b0}}, 1'b1};
        end
    endgenerate
    wire [ADDR_W:0] last = {1'b0, request[ADDR_W-1:0]} + words;
    assign asked = asks && (complete || last <= progress) && (!req_valid || req_ready);

    always @(posedge clk) begin
        if (asked)
            req_beat <= request;
        if (rst)
            req_valid <= 1'b0;
        else if (!req_valid || req_ready)
            req_valid <= asked;
    end

endmodule

`default_nettype wire
