// SPDX-License-Identifier: Apache-2.0
//
// Appends words to an array through a write port: address counter, capacity, output register.
//
//   Consumes    push: a word; only while free. start: a run begins, perhaps with its first word.
//   Produces    write {data, addr}: addresses 0, 1, 2 .. of the run. A word whose address is
//               capacity or more is dropped and sets overflow.
//   next        what a push makes of count, or at start of 0; does not depend on push.
//   count       words of this run, dropped ones too; stays at the largest number. It and
//               overflow keep the last run's value until start.
//   Throughput  one word per cycle.
//   Latency     1 cycle.
//   Parameters  ADDR_W, DATA_W; LEAD 1: start itself writes a 0 at address 0 (free must
//               hold) and never comes with push.
//   Reset       valid bit, count, overflow.
`default_nettype none

module samhw_append #(
    parameter ADDR_W = 16,
    parameter DATA_W = 16,
    parameter LEAD   = 0
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire [ADDR_W-1:0]        capacity,

    input  wire                     start,
    input  wire                     push,
    input  wire [DATA_W-1:0]        data,
    output wire                     free,
    output wire [ADDR_W-1:0]        next,
    output reg  [ADDR_W-1:0]        count,
    output reg                      overflow,

    output reg                      write_valid,
    input  wire                     write_ready,
    output reg  [DATA_W+ADDR_W-1:0] write_beat
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || LEAD < 0 || LEAD > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [ADDR_W-1:0] ZERO = 0;
    localparam [ADDR_W-1:0] ONE  = 1;
    localparam [ADDR_W-1:0] MAX  = ~ZERO;

    // Once full it stays so: count moves on, overflow remembers.
    wire lead = (LEAD != 0) && start;
    wire full = start ? capacity == ZERO : (overflow || count == capacity);
    wire word = push || lead;
    wire load = word && !full;

    assign free = !write_valid || write_ready;
    wire [ADDR_W-1:0] addr = start ? ZERO : count;
    // The sum waits for nothing: start comes late.
    wire [ADDR_W-1:0] plus = count + ONE;
    assign next = start ? ONE : plus | {ADDR_W{count == MAX}};

    always @(posedge clk) begin
        if (load)
            write_beat <= {data & {DATA_W{!lead}}, addr};
        if (rst) begin
            write_valid <= 1'b0;
            count       <= ZERO;
            overflow    <= 1'b0;
        end else begin
            if (free)
                write_valid <= load;
            if (start || push)
                count <= word ? next : ZERO;
            overflow <= (overflow && !start) || (word && full);
        end
    end

endmodule

`default_nettype wire
