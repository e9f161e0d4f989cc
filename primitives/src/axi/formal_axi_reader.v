// SPDX-License-Identifier: Apache-2.0
//
// Proof: each request that lies within the array gets the words in memory that it asks for, in
// order and each once, whenever the memory gives its lines; what is offered stays until it is
// taken. Fetches stay until they are taken, lie within the lines of the array, and end where the
// address is a multiple of the longest burst. A request that does not lie within the array is told,
// and nothing comes behind it. `ahead`: the window begins before the first request.
// by: reachability
// case single: KIND=0 WHOLE=0
// long case burst: KIND=1 WHOLE=0
// long case pair: KIND=2 WHOLE=0
// case ahead: KIND=0 WHOLE=0 AHEAD=1
// case whole: KIND=0 WHOLE=1
// long case whole_burst: KIND=1 WHOLE=1
// mutant of single samhw_axi_reader: wire                keep   = data_valid && drop == NONE;
//     => wire                keep   = data_valid;
// mutant of single samhw_axi_reader: wire                hit    = held && ahead < got - tail;
//     => wire                hit    = held && ahead < asked - tail;
// mutant of single samhw_axi_reader: + {{(LINE_W-9){1'b0}}, burst} <= ALL_LINES; => <= ALL_LINES;
// mutant of single samhw_axi_reader: flying[LINES_LOG2:0] - {{LINES_LOG2{1'b0}}, data_valid} : NONE;
//     => flying[LINES_LOG2:0] : NONE;
// mutant of ahead samhw_axi_reader: wire [LINE_W-1:0]   first  = line & {LINE_W{anew}};
//     => wire [LINE_W-1:0]   first  = line;
// mutant of ahead samhw_axi_reader: wire                hit    = held && ahead < got - tail;
//     => wire                hit    = held && ahead < asked - tail;
// mutant of pair samhw_axi_reader: wire                keep   = data_valid && drop == NONE;
//     => wire                keep   = data_valid;
// mutant of pair samhw_axi_words: wire              known = second || (some && last == q_addr);
//     => wire              known = second || some;
// mutant of burst samhw_axi_reader: wire                hit    = held && ahead < got - tail;
//     => wire                hit    = held && ahead < asked - tail;
// mutant of burst samhw_axi_words: left <= len - ONE_WORD; => left <= q_len - ONE_WORD;
// mutant of whole samhw_axi_whole: assign w_take = line < got && s_free; => assign w_take = line < asked && s_free;
// mutant of whole samhw_axi_whole: assign w_take = line < got && s_free; => assign w_take = line < got;
// mutant of whole samhw_axi_whole: burst <= ends ? {1'b0, rest[7:0]} + 9'd1 : whole; => burst <= whole;
// mutant of whole_burst samhw_axi_whole: assign w_take = line < got && s_free;
//     => assign w_take = line <= got && s_free;
// mutant of whole_burst samhw_axi_whole: asked <= asked + {{(LINE_W-9){1'b0}}, burst}; => asked <= asked + ONE_LINE;
`default_nettype none

module formal_axi_reader #(
    parameter KIND  = 0,
    parameter WHOLE = 0,
    parameter AHEAD = 0
) (
    input wire        clk,
    input wire [7:0]  bits,
    input wire [1:0]  begins,
    input wire [2:0]  size,
    input wire        req_valid,
    input wire [1:0]  addr,
    input wire [1:0]  len,
    input wire        rsp_ready,
    input wire        fetch_ready_in,
    input wire        goes,
    input wire [15:0] rest
);

    reg started = 1'b0;
    reg ready   = 1'b0;
    reg first_  = 1'b0;
    always @(posedge clk)
        {first_, started, ready} <= {started && !ready, 1'b1, started};
    wire rst = !ready;

    // What the memory's bytes are, one bit of each; where the array begins, its words.
    wire [7:0] memory;
    wire [1:0] base;
    wire [2:0] words;

    wire        req_ready, rsp_valid, fetch_valid, beyond;
    wire [17:0] fetch_beat;
    wire [1:0]  rsp_beat;
    wire        some;
    wire        data_valid;
    wire [15:0] data;
    wire        fetch_ready;
    generate
        if (WHOLE == 0) begin : g_window
            wire [(KIND == 2 ? 2 : 1)-1:0] answer;
            samhw_axi_reader #(
                .ADDR_W(2), .DATA_W(1), .SIZE_LOG2(0), .BUS_LOG2(1), .AXI_W(10), .KIND(KIND), .LINES_LOG2(1),
                .BURST_LOG2(0)
            ) dut (
                .clk(clk), .rst(rst), .base({8'd0, base}), .words(words), .beyond(beyond), .start(AHEAD != 0 && first_),
                .read_req_valid(req_valid && ready), .read_req_ready(req_ready), .read_req_beat({len, addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(answer),
                .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
                .data_valid(data_valid), .data_beat(data)
            );
            assign rsp_beat = {1'b0, answer};
        end else begin : g_whole
            samhw_axi_whole #(
                .ADDR_W(2), .DATA_W(1), .WORDS(4), .SIZE_LOG2(0), .BUS_LOG2(1), .AXI_W(10), .KIND(KIND), .BURST_LOG2(1)
            ) dut (
                .clk(clk), .rst(rst), .base({8'd0, base}), .words(words), .beyond(beyond), .start(first_),
                .read_req_valid(req_valid && ready), .read_req_ready(req_ready), .read_req_beat({len, addr}),
                .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat[0]),
                .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat),
                .data_valid(data_valid), .data_beat(data)
            );
            assign rsp_beat[1] = 1'b0;
        end
    endgenerate
    wire give  = ready && rsp_valid && rsp_ready;

    wire [2:0] open;
    wire [9:0]  from;
    wire [9:0]  to;
    samhw_lines #(.DEPTH(5)) bus (
        .clk(clk), .started(ready), .drawn(started), .bits(bits), .begins(begins), .size(size), .memory(memory),
        .base(base), .words(words),
        .last_line(), .goes(goes), .rest(rest), .fetch_ready_in(fetch_ready_in),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch_beat(fetch_beat), .from(from), .to(to),
        .data_valid(data_valid), .data(data), .some(some), .open(open));

    // Requests count as soon as they are there.
    samhw_steady #(.W(4)) steady (
        .clk(clk), .started(ready), .valid(req_valid), .ready(req_ready), .beat({len, addr}));
    reg        seen = 1'b0;
    reg        lost = 1'b0;
    wire       comes  = ready && req_valid && !seen;
    wire [2:0] behind = {1'b0, addr} + (KIND == 1 ? {1'b0, len} : KIND == 2 ? 3'd2 : 3'd1);
    wire       fits   = behind <= words && !lost;
    always @(posedge clk)
        if (ready) begin
            seen <= req_valid && !req_ready;
            lost <= lost || (comes && !fits);
        end
    always @*
        assume (!req_valid || (len != 2'd0 && (AHEAD == 0 || !first_)));
    wire       any;
    wire [1:0] place;
    samhw_fibers #(.W(2), .STOP_W(1), .DEPTH(4)) owed (
        .clk(clk), .started(ready), .put(comes && fits), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(addr),
        .len(KIND == 1 ? len : 2'd1), .step(give), .many(2'd1),
        .any(any), .kind(), .stop_at(), .hole_at(), .place(place), .left());
    samhw_kept #(.W(2)) kept (.clk(clk), .started(ready), .valid(rsp_valid), .ready(rsp_ready), .beat(rsp_beat));

    wire [2:0] at   = {1'b0, base} + {1'b0, place};
    wire [2:0] next = at + 3'd1;

    always @*
        if (ready) begin
            assert (!rsp_valid || any);
            assert (!rsp_valid || rsp_beat == {KIND == 2 && memory[next], memory[at]});
            assert (!fetch_valid || WHOLE == 0 || to[9:1] == from[9:1]);
            assert (!fetch_valid || WHOLE != 0 || to == from);
            assert (!beyond || lost);
        end

endmodule

`default_nettype wire
