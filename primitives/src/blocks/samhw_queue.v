// SPDX-License-Identifier: Apache-2.0
//
// Small FIFO inside a primitive: what waits while memory requests are in flight.
//
//   Consumes and produces  any words, in order.
//   Throughput             one word per cycle in and one out; a full queue takes nothing in
//                          the cycle in which a word leaves.
//   Latency                one cycle from push to out_valid.
//   Boundary               in_ready and out_valid are registers; out_data is an
//                          asynchronous read (LUT RAM), but its top SHOWN bits a register, for those who
//                          decide by them.
//   Parameters             W bits of a word, LOG2 of the number of words (at least 1); SHOWN, less than W.
//   Reset                  pointers and count; the words are not reset.
`default_nettype none

module samhw_queue #(
    parameter W     = 8,
    parameter LOG2  = 3,
    parameter SHOWN = 0
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         in_valid,
    output wire         in_ready,
    input  wire [W-1:0] in_data,

    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);
    generate
        if (W < 1 || LOG2 < 1 || SHOWN < 0 || SHOWN > W - 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [LOG2-1:0] STEP = 1;
    localparam [LOG2:0]   ONE  = 1;

    reg [W-1:0]    words [0:(1<<LOG2)-1];
    reg [LOG2-1:0] tail;
    reg [LOG2-1:0] head;
    reg [LOG2:0]   count;
    reg            filled;

    assign in_ready  = !count[LOG2];
    assign out_valid = filled;

    wire push = in_valid && in_ready;
    wire pop  = filled && out_ready;

    always @(posedge clk)
        if (push)
            words[tail] <= in_data;

    generate
        if (SHOWN != 0) begin : g_shown
            // Of the oldest word; it is in the RAM, too.
            reg  [SHOWN-1:0] oldest;
            wire [LOG2-1:0]  second = head + STEP;
            wire [W-1:0]     next   = words[second];
            wire [W-1:0]     now    = words[head];
            assign out_data = {oldest, now[W-SHOWN-1:0]};
            always @(posedge clk)
                if (pop || !filled)
                    oldest <= count[LOG2:1] == {LOG2{1'b0}} ? in_data[W-1 -: SHOWN] : next[W-1 -: SHOWN];
            wire _unused_ok = &{1'b0, next, now, 1'b0};
        end else begin : g_plain
            assign out_data = words[head];
        end
    endgenerate

    always @(posedge clk)
        if (rst) begin
            tail   <= {LOG2{1'b0}};
            head   <= {LOG2{1'b0}};
            count  <= {(LOG2+1){1'b0}};
            filled <= 1'b0;
        end else begin
            if (push)
                tail <= tail + STEP;
            if (pop)
                head <= head + STEP;
            if (push != pop) begin
                count  <= push ? count + ONE : count - ONE;
                filled <= push || count != ONE;
            end
        end

endmodule

`default_nettype wire
