// SPDX-License-Identifier: Apache-2.0
//
// Proof: leaf k of a run is written to address k, an absent one as the fill, each once and in order, as long
// as k is below the capacity; those above are dropped and remembered. The token follows DONE when all writes
// have left, one for each run; what is offered stays until it is taken; with a memory and a host that take, a
// beat is taken in every cycle.
// by: reachability
// case values: CRD=0
// case coordinates: CRD=1
// mutant samhw_value_writer: wire             finish = v_valid && done && free && (!finished_valid || finished_ready);
//     => wire             finish = v_valid && done && (!finished_valid || finished_ready);
// mutant samhw_value_writer: wire             push   = v_valid && leaf && free;
//     => wire             push   = v_valid && leaf;
// mutant of values samhw_value_writer: .data(v_kind[0] ? fill : v_val) => .data(v_val)
// mutant samhw_value_writer: assign v_pop         = done ? finish : (!leaf || free);
//     => assign v_pop         = done ? finish : free || write_valid;
// mutant of coordinates samhw_crd_writer: .capacity(crd_capacity) => .capacity({REF_W{1'b1}})
// mutant samhw_run_skid: assign start     = between && (held => assign start     = between && (out_ready
// mutant samhw_run_skid: between <= rst || ends || (between && !start); => between <= rst || (between && !start);
`default_nettype none

module formal_value_writer #(
    parameter CRD = 0
) (
    input wire       clk,
    input wire [1:0] room,
    input wire [1:0] absent,
    input wire       val_valid,
    input wire [5:0] val_beat,
    input wire       write_ready,
    input wire       finished_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    reg [1:0] capacity;
    reg [1:0] fill;
    always @(posedge clk)
        if (!started)
            {capacity, fill} <= {room, absent};

    wire       val_ready;
    wire       write_valid;
    wire [3:0] write_beat;
    wire       finished_valid;
    wire       finished_beat;
    wire [1:0] count;
    wire       overflow;
    generate
        if (CRD == 0) begin : g_values
            samhw_value_writer #(.VAL_W(2), .ADDR_W(2), .STOP_W(2)) dut (
                .clk(clk), .rst(rst), .capacity(capacity), .fill(fill),
                .val_valid(val_valid), .val_ready(val_ready), .val_beat(val_beat),
                .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat),
                .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
                .count(count), .overflow(overflow)
            );
        end else begin : g_coordinates
            samhw_crd_writer #(.CRD_W(2), .REF_W(2), .STOP_W(2)) dut (
                .clk(clk), .rst(rst), .crd_capacity(capacity),
                .crd_valid(val_valid), .crd_ready(val_ready), .crd_beat(val_beat),
                .crd_write_valid(write_valid), .crd_write_ready(write_ready), .crd_write_beat(write_beat),
                .finished_valid(finished_valid), .finished_ready(finished_ready), .finished_beat(finished_beat),
                .count(count), .overflow(overflow)
            );
        end
    endgenerate
    wire take = started && val_valid && val_ready;
    wire leaf = !val_beat[5];
    wire done = val_beat[5:4] == 2'd3;
    wire legal;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) rules (
        .clk(clk), .rst(rst), .take(take), .beat(val_beat), .legal(legal), .state(), .after());
    samhw_steady #(.W(6)) steady (.clk(clk), .started(started), .valid(val_valid), .ready(val_ready), .beat(val_beat));
    always @*
        assume (!val_valid || (legal && (CRD == 0 || val_beat[5:4] != 2'd1)));

    // Leaves of this run so far, and whether one was dropped; both stay until a beat of the next run is there.
    reg        between = 1'b1;
    reg  [1:0] words   = 2'd0;
    reg        dropped = 1'b0;
    wire       begins = between && val_valid;
    wire [1:0] place  = begins ? 2'd0 : words;
    wire       lost   = dropped && !begins;
    wire       fits   = place < capacity && !lost;
    always @(posedge clk)
        if (started) begin
            between <= take ? done : between && !val_valid;
            words   <= take && leaf ? (place == 2'd3 ? 2'd3 : place + 2'd1) : place;
            dropped <= lost || (take && leaf && !fits);
        end

    wire [2:0] owed_writes;
    wire [2:0] owed_tokens;
    samhw_owed #(.W(4), .DEPTH(1)) writes (
        .clk(clk), .started(started), .put(take && leaf && fits), .beat({val_beat[4] ? fill : val_beat[1:0], place}),
        .valid(write_valid), .ready(write_ready), .given(write_beat), .count(owed_writes));
    samhw_owed #(.W(1), .DEPTH(1)) tokens (
        .clk(clk), .started(started), .put(take && done), .beat(1'b1),
        .valid(finished_valid), .ready(finished_ready), .given(finished_beat), .count(owed_tokens));
    samhw_soon #(.MOST(1)) taken (
        .clk(clk), .started(started), .waits(val_valid && !val_ready && write_ready && finished_ready));

    always @*
        if (started) begin
            assert (write_valid == (owed_writes != 3'd0));
            assert (finished_valid == (owed_tokens != 3'd0));
            assert (!(take && done) || !write_valid || write_ready);
            assert (count == words && overflow == dropped);
        end

endmodule

`default_nettype wire
