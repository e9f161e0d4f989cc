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

    output reg                         begun_valid,
    input  wire                        begun_ready,
    output wire                        begun_beat,

    output reg                         opened_valid,
    input  wire                        opened_ready,
    output wire                        opened_beat
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || BURST < 0 || BURST > 1 || PAIR < 0 || PAIR > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam REQ_W = (BURST + 1) * ADDR_W;

    // Words that are there, or all.
    reg  [ADDR_W:0]  progress;
    reg              complete;

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

    assign begin_ready    = !begun_valid;
    assign written_ready  = 1'b1;
    assign finished_ready = !opened_valid;
    assign begun_beat     = 1'b0;
    assign opened_beat    = 1'b0;

    always @(posedge clk) begin
        if (asked)
            req_beat <= request;
        if (rst) begin
            progress     <= {(ADDR_W+1){1'b0}};
            complete     <= 1'b0;
            req_valid    <= 1'b0;
            begun_valid  <= 1'b0;
            opened_valid <= 1'b0;
        end else begin
            if (!req_valid || req_ready)
                req_valid <= asked;
            begun_valid  <= begun_valid ? !begun_ready : begin_valid;
            opened_valid <= opened_valid ? !opened_ready : finished_valid;
            if (written_valid)
                progress <= {1'b0, written_beat[ADDR_W-1:0]} + {{ADDR_W{1'b0}}, 1'b1};
            if (finished_valid && finished_ready)
                complete <= 1'b1;
            if (begin_valid && begin_ready) begin
                progress <= {(ADDR_W+1){1'b0}};
                complete <= 1'b0;
            end
        end
    end

    wire _unused_ok = &{1'b0, begin_beat, finished_beat, written_beat[ADDR_W +: DATA_W], 1'b0};

endmodule

`default_nettype wire
