// SPDX-License-Identifier: Apache-2.0
//
// A bus with a memory of four lines and an array in it, in proofs of what reads that: lines of two words come
// in the order in which they were fetched, when it likes.
//
//   Consumes    bits, begins, size: any, what the array is drawn from before `drawn`; fetch_beat {lines less
//               one, first line, a word in it}; fetch_ready_in: it would take one; goes: it would give one;
//               rest: what the words' other bits are.
//   Produces    memory: the lowest bit of each word; base and words: where the array begins, and how long it
//               is; last_line of it; fetch_ready; from and to: lines that are fetched; data_valid and data, a
//               line; some: one is due; open: fetches that are not answered yet. It asserts that a fetch
//               stays until it is taken and lies within the lines of the array.
//   Parameters  DEPTH fetches at most are open, up to 7.
`default_nettype none

module samhw_lines #(
    parameter DEPTH = 5
) (
    input  wire        clk,
    input  wire        started,
    input  wire        drawn,
    input  wire [7:0]  bits,
    input  wire [1:0]  begins,
    input  wire [2:0]  size,
    output reg  [7:0]  memory,
    output reg  [1:0]  base,
    output reg  [2:0]  words,
    output wire [1:0]  last_line,
    input  wire        goes,
    input  wire [15:0] rest,
    input  wire        fetch_ready_in,
    input  wire        fetch_valid,
    output wire        fetch_ready,
    input  wire [17:0] fetch_beat,
    output wire [9:0]  from,
    output wire [9:0]  to,
    output wire        data_valid,
    output wire [15:0] data,
    output wire        some,
    output reg  [2:0]  open
);

    localparam [2:0] MOST = DEPTH;

    always @(posedge clk)
        if (!drawn)
            {memory, base, words} <= {bits, begins, size > 3'd4 ? 3'd4 : size};
    wire [2:0] last_word = {1'b0, base} + words - 3'd1;
    assign last_line = last_word[2:1];
    assign from      = fetch_beat[9:0] >> 1;
    assign to        = from + {2'd0, fetch_beat[17:10]};

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

    always @*
        if (started)
            assert (!fetch_valid || (!fetch_beat[0] && from >= {9'd0, base[1]} && to <= {8'd0, last_line}));

endmodule

`default_nettype wire
