// SPDX-License-Identifier: Apache-2.0
//
// Proof: each word that is taken and ends an answer is offered once, in order: the lane of its line, or with
// the word taken before it (a pair), or with the one behind it (two); others are not. No answer of a pair is
// the first word alone. What is offered stays until it is taken, for as long as the line does; there is room
// unless an answer waits.
// by: reachability
// case single: PAIR=0
// case pair: PAIR=1
// case two: PAIR=2
// mutant samhw_axi_lane: assign free           = !s_valid || go; => assign free           = 1'b1;
// mutant samhw_axi_lane: assign read_rsp_valid = s_valid && s_out; => assign read_rsp_valid = s_valid;
// mutant samhw_axi_lane: line >> {s_lane, {(SIZE_LOG2+3){1'b0}}} => line >> {lane, {(SIZE_LOG2+3){1'b0}}}
// mutant of pair samhw_axi_lane: if (go)\n                    former <= latest; => former <= latest;
// mutant of two samhw_axi_lane: PAIR == 2 && s_two ? word : former => s_two ? former : word
// mutant of two samhw_axi_lane: former <= latest; => former <= word;
`default_nettype none

module formal_axi_lane #(
    parameter PAIR = 0
) (
    input wire        clk,
    input wire        wants,
    input wire        out,
    input wire        two,
    input wire        lane,
    input wire [15:0] line,
    input wire        rsp_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       free;
    wire       take = started && wants && free;
    wire       rsp_valid;
    wire [1:0] rsp_beat;
    // Words of a bit in bytes.
    samhw_axi_lane #(.DATA_W(1), .SIZE_LOG2(0), .BUS_LOG2(1), .LANE_W(1), .PAIR(PAIR)) dut (
        .clk(clk), .rst(rst), .take(take), .free(free), .out(out), .two(two), .lane(lane), .line(line),
        .read_rsp_valid(rsp_valid), .read_rsp_ready(rsp_ready), .read_rsp_beat(rsp_beat)
    );

    // The line stays until another word is taken.
    reg [15:0] was;
    reg        fresh = 1'b1;
    always @(posedge clk) begin
        was   <= line;
        fresh <= take;
    end
    always @*
        assume (fresh || line == was);

    // The word that was taken last, until its answer leaves; the one before it.
    reg  there = 1'b0;
    reg  ends;
    reg  which;
    reg  both;
    reg  former;
    reg  some = 1'b0;
    wire first = which ? line[8] : line[0];
    wire word  = both ? line[8] : first;
    wire leave = there && (!ends || rsp_ready);
    always @(posedge clk)
        if (started) begin
            there <= take || (there && !leave);
            if (take)
                {ends, which, both} <= {out, lane, two && PAIR == 2};
            if (leave)
                {some, former} <= {1'b1, word};
        end

    // The first word of a pair ends no answer; two are those of the line.
    always @*
        assume (PAIR == 0 || some || there || !out || (PAIR == 2 && two));
    always @*
        assume (PAIR != 2 || !two || (out && !lane));

    always @*
        if (started) begin
            assert (rsp_valid == (there && ends));
            assert (!rsp_valid || rsp_beat[PAIR != 0] == word);
            assert (!rsp_valid || PAIR == 0 || rsp_beat[0] == (both ? first : former));
            assert (free == (!there || leave));
        end

endmodule

`default_nettype wire
