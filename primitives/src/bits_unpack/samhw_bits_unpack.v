// SPDX-License-Identifier: Apache-2.0
//
// Unpacks the words of a bitvector level: each set bit becomes a coordinate and its position.
//
//   Consumes    in: pairs (word, rank) of depth d; bit b of the w-th word of a fiber is coordinate
//               w*WIDTH + b, rank the position of the word's lowest one.
//   Produces    out: pairs (coordinate, position) of depth d.
//   Throughput  one coordinate per cycle; a word without any takes one cycle.
//   Latency     3 cycles for the last beat of a fiber; others leave with the next one.
//   Parameters  WIDTH bits of a word, 2**WIDTH_LOG2; CRD_W, REF_W; STOP_W (at most WIDTH).
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 4.3.
`default_nettype none

module samhw_bits_unpack #(
    parameter WIDTH      = 64,
    parameter WIDTH_LOG2 = 6,
    parameter CRD_W      = 16,
    parameter REF_W      = 16,
    parameter STOP_W     = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+REF_W+WIDTH-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+REF_W+CRD_W-1:0] out_beat
);

    localparam [STOP_W-1:0] NO_STOP = 0;
    localparam [STOP_W-1:0] ONE     = 1;
    localparam [WIDTH-1:0]  LOWEST  = 1;
    localparam [CRD_W-1:0]  NEXT    = 1;
    localparam [REF_W-1:0]  NEXT_REF = 1;

    wire              h_valid;
    wire              h_none;
    wire              h_low;
    wire [STOP_W-1:0] h_stop;
    wire [REF_W-1:0]  h_rank;
    wire [WIDTH-1:0]  h_word;
    wire              pop;
    samhw_skid #(.W(2+STOP_W+REF_W+WIDTH)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(h_valid), .out_ready(pop), .out_beat({h_none, h_low, h_stop, h_rank, h_word})
    );

    // Ones of the word at hand that have not left; the lowest of them.
    reg  [WIDTH-1:0] sent;
    wire [WIDTH-1:0] left  = h_word & ~sent;
    wire [WIDTH-1:0] less  = left - LOWEST;
    wire [WIDTH-1:0] first = left & ~less;
    wire             over  = (left & less) == {WIDTH{1'b0}};

    wire             room;
    wire             waiting;
    wire             go    = h_valid && room;
    wire             emit  = !h_none && left != {WIDTH{1'b0}};
    wire             ends  = h_none || (over && h_stop != NO_STOP);
    wire             push  = go && (emit || (ends && !waiting));
    wire             close = go && ends && !emit && waiting;
    assign pop = go && (h_none || over);

    reg  [CRD_W-1:0] index;  // words of the fiber that are through
    reg  [REF_W-1:0] count;  // ones of the word that have left
    always @(posedge clk)
        if (rst) begin
            sent  <= {WIDTH{1'b0}};
            index <= {CRD_W{1'b0}};
            count <= {REF_W{1'b0}};
        end else if (go) begin
            sent  <= pop ? {WIDTH{1'b0}} : sent | first;
            count <= pop ? {REF_W{1'b0}} : count + NEXT_REF;
            if (ends)
                index <= {CRD_W{1'b0}};
            else if (over)
                index <= index + NEXT;
        end

    reg  [WIDTH_LOG2-1:0] bit_of;
    integer               b;
    always @* begin
        bit_of = {WIDTH_LOG2{1'b0}};
        for (b = 0; b < WIDTH; b = b + 1)
            if (first[b])
                bit_of = bit_of | b[WIDTH_LOG2-1:0];
    end
    wire [CRD_W+WIDTH_LOG2-1:0] crd = {index, bit_of};
    wire [REF_W-1:0]            pos = h_rank + count;

    // NIL above the fibers and DONE; any other end without a leaf is an empty fiber.
    wire              above = h_none && (h_low || h_word[STOP_W-1:0] != ONE);
    wire [STOP_W-1:0] hole  = above ? h_word[STOP_W-1:0] : ONE;

    wire              out_none;
    wire              out_low;
    wire [STOP_W-1:0] out_stop;
    wire [CRD_W-1:0]  out_crd;
    wire [REF_W-1:0]  out_ref;
    samhw_hold_back #(.W(2+CRD_W+REF_W), .STOP_W(STOP_W)) u_hold (
        .clk(clk), .rst(rst),
        .room(room), .waiting(waiting), .push(push), .close(close), .last(ends),
        .in_stop(ends ? h_stop : NO_STOP),
        .in_data({!emit, h_none && h_low, emit ? pos : {REF_W{1'b0}},
                  emit ? crd[CRD_W-1:0] : {{(CRD_W-STOP_W){1'b0}}, hole}}),
        .out_valid(out_valid), .out_ready(out_ready),
        .out_stop(out_stop), .out_data({out_none, out_low, out_ref, out_crd})
    );
    assign out_beat = {out_none, out_low, out_stop, out_ref, out_crd};

    wire _unused_ok = &{1'b0, crd, b, 1'b0};

endmodule

`default_nettype wire
