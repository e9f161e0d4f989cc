// SPDX-License-Identifier: Apache-2.0
//
// Proof: what is written of a run is its mark with the fill, then each value that is there and inside the
// capacity with its position, each once and in order, then the mark of its end; absent values, NILs and
// positions beyond the capacity write nothing. Each token of the memory becomes one for the host. What is
// offered stays until it is taken; with a memory that takes, a beat is taken in every cycle but the first of
// a run, and the counters are those of the run at hand.
// by: reachability
// mutant samhw_scatter: wire go     = v_valid && p_valid && (!write_valid || write_ready);
//     => wire go     = v_valid && p_valid;
// mutant samhw_scatter: assign pop  = go && running; => assign pop  = go;
// mutant samhw_scatter: wire word   = v_kind == DATA && p_pos < capacity;
//     => wire word   = !v_kind[1] && p_pos < capacity;
// mutant samhw_scatter: write_valid <= starts || (pop && (done || word)); => write_valid <= starts || (pop && word);
// mutant samhw_scatter: running <= starts || (running && !(pop && done)); => running <= starts || running;
// mutant samhw_scatter: overflow <= chunk > capacity; => overflow <= chunk >= capacity;
// mutant samhw_scatter: assign settled_ready = !finished_valid;
//     => assign settled_ready = !finished_valid || finished_ready;
`default_nettype none

module formal_scatter (
    input wire       clk,
    input wire [5:0] configured,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       pos_valid,
    input wire [5:0] pos_beat,
    input wire       write_ready,
    input wire       settled_valid,
    input wire       finished_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [1:0] capacity;
    reg [1:0] fill;
    reg [1:0] chunk;
    always @(posedge clk)
        if (!started)
            {capacity, fill, chunk} <= configured;

    wire       val_ready;
    wire       pos_ready;
    wire       write_valid;
    wire [4:0] write_beat;
    wire       settled_ready;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    samhw_scatter #(.VAL_W(2), .ADDR_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .capacity(capacity), .fill(fill), .chunk(chunk),
        .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
        .pos_valid(pos_valid), .pos_ready(pos_ready), .pos_beat(pos_beat),
        .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
        .settled_valid(settled_valid), .settled_ready(settled_ready), .settled_beat(1'b1),
        .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
        .count(count), .overflow(overflow)
    );
    wire       take   = started && val_valid && val_ready;
    wire       take_p = started && pos_valid && pos_ready;
    wire [1:0] kind   = val_beat[5:4];
    wire [1:0] pos    = pos_beat[1:0];

    // Aligned; a value that is there has a position in the result.
    wire legal;
    wire p_legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(legal), .state(), .after());
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) p_rules (
        .clk(clk), .rst(rst), .take(take_p), .beat(pos_beat), .legal(p_legal), .state(), .after());
    samhw_steady #(.W(6)) steady (.clk(clk), .started(started), .valid(val_valid), .ready(val_ready), .beat(val_beat));
    samhw_steady #(.W(6)) p_steady (
        .clk(clk), .started(started), .valid(pos_valid), .ready(pos_ready), .beat(pos_beat)
    );
    always @* begin
        assume (!val_valid || legal);
        assume (!pos_valid || p_legal);
        assume (!val_valid || !pos_valid || (kind[1] == pos_beat[5] && val_beat[3:2] == pos_beat[3:2]
            && (!kind[1] || val_beat == pos_beat) && (kind != 2'd0 || (pos_beat[5:4] == 2'd0 && pos < chunk))));
    end

    // A run begins with its first beat there and the write port free, and the beat is taken later.
    reg        running = 1'b0;
    wire       free    = !write_valid || write_ready;
    wire       begins  = started && !running && val_valid && pos_valid && free;
    wire       done    = kind == 2'd3;
    wire       word    = kind == 2'd0 && pos < capacity;
    always @(posedge clk)
        running <= begins || (running && !(take && done));

    reg  [1:0] words   = 2'd0;
    reg        dropped = 1'b0;
    always @(posedge clk)
        if (begins)
            {words, dropped} <= {chunk, chunk > capacity};

    wire [2:0] owed_writes;
    wire [2:0] owed_tokens;
    samhw_owed #(.W(5), .DEPTH(1)) writes (
        .clk(clk), .started(started), .put(begins || (take && (done || word))),
        .beat(begins ? {fill, 3'b100} : done ? 5'b00101 : {val_beat[1:0], 1'b0, pos}),
        .valid(write_valid), .ready(write_ready), .given(write_beat), .count(owed_writes));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(started), .put(settled_valid && settled_ready), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed_tokens));

    always @*
        if (started) begin
            assert (take == take_p);
            assert (take == (running && val_valid && pos_valid && free));
            assert (write_valid == (owed_writes != 3'd0));
            assert (finished_valid == (owed_tokens != 3'd0));
            assert (settled_ready == !finished_valid);
            assert (count == words && overflow == dropped);
        end

endmodule

`default_nettype wire
