// SPDX-License-Identifier: Apache-2.0
//
// A bus with a memory of four lines, in proofs of what reads it: lines of two words come in the order in which they were fetched, when it
// likes.
//
//   Consumes    memory: the lowest bit of each word; fetch_beat {.., lines less one, .., first line, ..}; fetch_ready_in: it would take
//               one; goes: it would give one; rest: what the words' other bits are.
//   Produces    fetch_ready; data_valid and data, a line; some: one is due; open: fetches that are not answered yet. It asserts that a
//               fetch stays until it is taken.
//   Parameters  DEPTH fetches at most are open, up to 7.
`default_nettype none

module samhw_lines #(
    parameter DEPTH = 5
) (
    input  wire        clk,
    input  wire        started,
    input  wire [7:0]  memory,
    input  wire        goes,
    input  wire [15:0] rest,
    input  wire        fetch_ready_in,
    input  wire        fetch_valid,
    output wire        fetch_ready,
    input  wire [17:0] fetch_beat,
    output wire        data_valid,
    output wire [15:0] data,
    output wire        some,
    output reg  [2:0]  open
);

    localparam [2:0] MOST = DEPTH;

    wire [3:0] line;
    wire [3:0] left;
    wire       fetch = started && fetch_valid && fetch_ready;
    wire       last  = data_valid && left == 4'd1;
    assign fetch_ready = fetch_ready_in && open != MOST;
    assign data_valid  = started && goes && some;
    assign data        = (rest & 16'hfefe) | {7'd0, memory[{line[1:0], 1'b1}], 7'd0, memory[{line[1:0], 1'b0}]};

    initial open = 3'd0;
    always @(posedge clk)
        if (started)
            open <= open + {2'd0, fetch} - {2'd0, last};
    samhw_fibers #(.W(4), .STOP_W(1), .DEPTH(DEPTH)) fetches (
        .clk(clk), .started(started), .put(fetch), .list(1'b1), .stop(1'b0), .hole(1'b0), .first(fetch_beat[4:1]),
        .len(fetch_beat[13:10] + 4'd1), .step(data_valid), .many(4'd1),
        .any(some), .kind(), .stop_at(), .hole_at(), .place(line), .left(left));
    samhw_kept #(.W(18)) kept (
        .clk(clk), .started(started), .valid(fetch_valid), .ready(fetch_ready), .beat(fetch_beat));

endmodule

`default_nettype wire
