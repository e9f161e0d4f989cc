// SPDX-License-Identifier: Apache-2.0
//
// Banks of an array that rounds carry: reads go to the memory that the round reads, writes to the
// one that the next one does.
//
//   Consumes    read_req {len, addr} or {addr}, of bank 0 (what the host gave) in a run's first
//               round, then of banks 1 and 2 in turn; turn: the bank of the next round; write
//               {data, addr} for the round after; rsp[k]: answers of bank k.
//   Produces    read_rsp: the answers, in order; turned: a token when every answer of the rounds
//               before was given and the bank is another one; req[k] to bank k; put[k] {data,
//               addr}: writes into bank k + 1.
//   Throughput  one request, one answer, one write per cycle.
//   Latency     1 cycle each way.
//   Boundary    all outputs are registers; write_ready is 1 as long as writes are taken.
//   Parameters  ADDR_W bits of an address; BURST: requests have a length; ANSWER_W, DATA_W bits of
//               an answer, a word.
//   Reset       valid bits and state.
`default_nettype none

module samhw_banks #(
    parameter ADDR_W   = 8,
    parameter BURST    = 0,
    parameter ANSWER_W = 16,
    parameter DATA_W   = 16
) (
    input  wire                           clk,
    input  wire                           rst,

    input  wire                           read_req_valid,
    output wire                           read_req_ready,
    input  wire [(BURST+1)*ADDR_W-1:0]    read_req_beat,

    input  wire                           turn_valid,
    output wire                           turn_ready,
    input  wire [1:0]                     turn_beat,

    input  wire                           write_valid,
    output wire                           write_ready,
    input  wire [ADDR_W+DATA_W-1:0]       write_beat,

    input  wire [2:0]                     rsp_valid,
    output wire [2:0]                     rsp_ready,
    input  wire [3*ANSWER_W-1:0]          rsp_beat,

    output reg                            read_rsp_valid,
    input  wire                           read_rsp_ready,
    output reg  [ANSWER_W-1:0]            read_rsp_beat,

    output reg                            turned_valid,
    input  wire                           turned_ready,
    output wire                           turned_beat,

    output reg  [2:0]                     req_valid,
    input  wire [2:0]                     req_ready,
    output wire [3*(BURST+1)*ADDR_W-1:0]  req_beat,

    output reg  [1:0]                     put_valid,
    input  wire [1:0]                     put_ready,
    output wire [2*(ADDR_W+DATA_W)-1:0]   put_beat
);
    generate
        if (ADDR_W < 1 || ANSWER_W < 1 || DATA_W < 1 || BURST < 0 || BURST > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam REQ_W  = (BURST + 1) * ADDR_W;
    localparam OWED_W = ADDR_W + 8;

    // Answers that are still to be given, the bank, the one that follows.
    reg  [OWED_W-1:0] owed;
    reg  [1:0]        bank;
    reg               pending;
    reg  [1:0]        next;

    wire              asks;
    wire              asked;
    wire [REQ_W-1:0]  request;
    reg  [REQ_W-1:0]  asked_beat;
    assign asked    = asks && (req_valid & ~req_ready) == 3'd0;
    assign req_beat = {3{asked_beat}};
    samhw_skid #(.W(REQ_W), .PASS(1)) u_req (
        .clk(clk), .rst(rst),
        .in_valid(read_req_valid), .in_ready(read_req_ready), .in_beat(read_req_beat),
        .out_valid(asks), .out_ready(asked), .out_beat(request)
    );
    wire [OWED_W-1:0] more;
    generate
        if (BURST != 0) begin : g_burst
            assign more = {8'd0, request[REQ_W-1 -: ADDR_W]};
        end else begin : g_single
            assign more = {{(OWED_W-1){1'b0}}, 1'b1};
        end
    endgenerate

    wire [2:0]            answers;
    wire [3*ANSWER_W-1:0] answer;
    wire                  answered;
    assign answered = answers != 3'd0 && (!read_rsp_valid || read_rsp_ready);
    genvar k;
    generate
        for (k = 0; k < 3; k = k + 1) begin : g_rsp
            samhw_skid #(.W(ANSWER_W), .PASS(1)) u_rsp (
                .clk(clk), .rst(rst),
                .in_valid(rsp_valid[k]), .in_ready(rsp_ready[k]), .in_beat(rsp_beat[k*ANSWER_W +: ANSWER_W]),
                .out_valid(answers[k]), .out_ready(answered), .out_beat(answer[k*ANSWER_W +: ANSWER_W])
            );
        end
    endgenerate

    wire turns = pending && owed == {OWED_W{1'b0}} && !asks && (!turned_valid || turned_ready);

    wire                     writes;
    wire                     written = writes && (put_valid & ~put_ready) == 2'd0;
    wire [ADDR_W+DATA_W-1:0] write;
    reg  [ADDR_W+DATA_W-1:0] put;
    samhw_skid #(.W(ADDR_W+DATA_W), .PASS(1)) u_write (
        .clk(clk), .rst(rst),
        .in_valid(write_valid), .in_ready(write_ready), .in_beat(write_beat),
        .out_valid(writes), .out_ready(written), .out_beat(write)
    );

    assign turn_ready  = !pending;
    assign turned_beat = 1'b0;
    assign put_beat    = {2{put}};

    always @(posedge clk) begin
        if (written)
            put <= write;
        if (asked)
            asked_beat <= request;
        if (answered)
            read_rsp_beat <= answers[0] ? answer[0 +: ANSWER_W]
                : answers[1] ? answer[ANSWER_W +: ANSWER_W] : answer[2*ANSWER_W +: ANSWER_W];
        if (turn_ready)
            next <= turn_beat;
        if (rst) begin
            owed           <= {OWED_W{1'b0}};
            bank           <= 2'd0;
            pending        <= 1'b0;
            read_rsp_valid <= 1'b0;
            turned_valid   <= 1'b0;
            req_valid      <= 3'd0;
            put_valid      <= 2'd0;
        end else begin
            owed    <= owed + (asked ? more : {OWED_W{1'b0}}) - {{(OWED_W-1){1'b0}}, answered};
            pending <= pending ? !turns : turn_valid;
            if (turns)
                bank <= next;
            if (!read_rsp_valid || read_rsp_ready)
                read_rsp_valid <= answered;
            if (!turned_valid || turned_ready)
                turned_valid <= turns;
            req_valid <= asked ? 3'd1 << bank : req_valid & ~req_ready;
            put_valid <= written ? (bank == 2'd1 ? 2'd2 : 2'd1) : put_valid & ~put_ready;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && answered && owed == {OWED_W{1'b0}}) begin
            $display("samhw_banks: an answer that nobody asked for");
            $stop;
        end
`endif

endmodule

`default_nettype wire
