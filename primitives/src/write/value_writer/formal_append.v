// SPDX-License-Identifier: Apache-2.0
//
// Proof: word k of a run is written to address k, in order, each once, as long as k is below the capacity;
// those above are dropped, which is remembered until the next run. Words are counted, dropped ones too, up to
// the largest number. What is offered stays until it is taken; there is room for a word unless the one before
// waits.
// case plain: LEAD=0
// case lead: LEAD=1
// mutant samhw_append: (overflow || count == capacity) => (count == capacity)
// mutant samhw_append: assign free = !write_valid || write_ready; => assign free = 1'b1;
// mutant samhw_append: (overflow && !start) || => overflow ||
// mutant samhw_append: plus | {ADDR_W{count == MAX}} => plus
// mutant samhw_append: wire [ADDR_W-1:0] addr = start ? ZERO : count; => wire [ADDR_W-1:0] addr = count;
// mutant of lead samhw_append: count <= word ? next : ZERO; => count <= push ? next : ZERO;
`default_nettype none

module formal_append #(
    parameter LEAD = 0
) (
    input wire       clk,
    input wire [1:0] capacity,
    input wire       start,
    input wire       push,
    input wire [1:0] data,
    input wire       write_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       free;
    wire [1:0] next;
    wire [1:0] count;
    wire       overflow;
    wire       write_valid;
    wire [3:0] write_beat;
    samhw_append #(.ADDR_W(2), .DATA_W(2), .LEAD(LEAD)) dut (
        .clk(clk), .rst(rst),
        .capacity(capacity), .start(start), .push(push), .data(data), .free(free), .next(next), .count(count),
        .overflow(overflow), .write_valid(write_valid), .write_ready(write_ready), .write_beat(write_beat)
    );

    // A run's capacity stays.
    reg [1:0] was;
    always @(posedge clk)
        was <= capacity;
    always @* begin
        assume (!started || start || capacity == was);
        assume (LEAD == 0 || !(start && push));
        assume (!push || free);
        assume (LEAD == 0 || !start || free);
    end

    // Words of this run, and whether one was dropped.
    reg  [1:0] words   = 2'd0;
    reg        dropped = 1'b0;
    wire       lead    = LEAD != 0 && start;
    wire       word    = push || lead;
    wire [1:0] place   = start ? 2'd0 : words;
    wire       fits    = place < capacity;
    wire [1:0] more    = place == 2'd3 ? 2'd3 : place + 2'd1;
    always @(posedge clk)
        if (started) begin
            words   <= word ? more : start ? 2'd0 : words;
            dropped <= (dropped && !start) || (word && !fits);
        end

    wire       full;
    wire [3:0] expected;
    samhw_due #(.W(4)) due (
        .clk(clk), .started(started), .put(word && fits), .ready(write_ready), .full(full), .expected(expected),
        .beat({lead ? 2'd0 : data, place}));

    always @*
        if (started) begin
            assert (write_valid == full);
            assert (!full || write_beat == expected);
            assert (free == (!full || write_ready));
            assert (count == words && next == more && overflow == dropped);
            // Until a run begins, its capacity may be anything.
            assert (start || dropped == (words > capacity) || (words == 2'd3 && capacity == 2'd3));
        end

endmodule

`default_nettype wire
