// SPDX-License-Identifier: Apache-2.0
//
// Counts what the nodes of a kernel do in a run: beats they take, cycles stalled, cycles starved.
//
//   Consumes    per node and cycle: BEATS_W bits of beats taken; moves: a beat at any port; waits: an output whose
//               beat is not taken. counts: 1 in the cycles of a run. clear: 1 some cycles before.
//   Produces    read_data: counter read_number of the last run, 0 while one goes on. Of node n, 3n are the beats taken,
//               3n+1 the cycles stalled: nothing moved and an output waited; 3n+2 those starved: neither.
//               A counter that is full stays at 2**32-1.
//   Memory      a small counter each, which a walk through all of them adds to its sum in a memory in time: a sum
//               costs no flip-flops.
//   Boundary    read_data follows read_number within a cycle: for samhw_axi_lite.
//   Parameters  NODES; BEATS_W; NUMBER_W bits of a counter's number; with BEATS_W at most 32.
//   Reset       state; sums are unknown until the walk has been there, and read as 0.
`default_nettype none

module samhw_axi_counters #(
    parameter NODES    = 4,
    parameter BEATS_W  = 2,
    parameter NUMBER_W = 4
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     clear,
    input  wire                     counts,
    input  wire [NODES*BEATS_W-1:0] beats,
    input  wire [NODES-1:0]         moves,
    input  wire [NODES-1:0]         waits,

    input  wire [NUMBER_W-1:0]      read_number,
    output wire [31:0]              read_data
);
    generate
        if (NODES < 1 || BEATS_W < 1 || NUMBER_W < 1
            || 3 * NODES > 1 << NUMBER_W
            || BEATS_W + NUMBER_W > 32) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam COUNTERS = 3 * NODES;
    // Between two visits a small counter grows by at most (2**BEATS_W-1) * COUNTERS.
    localparam SMALL_W  = BEATS_W + NUMBER_W;
    localparam [31:0] LAST = COUNTERS - 1;

    reg [COUNTERS*SMALL_W-1:0] recent;
    reg [31:0]                 sums [0:(1<<NUMBER_W)-1];
    reg [NUMBER_W-1:0]         at;
    reg                        whole;        // the walk has been everywhere
    reg                        running;
    reg [NODES*BEATS_W-1:0]    took;
    reg [NODES-1:0]            stalls;
    reg [NODES-1:0]            starves;

    // What each counter grows by.
    reg [COUNTERS*SMALL_W-1:0] more;
    integer n;
    always @* begin
        more = {(COUNTERS*SMALL_W){1'b0}};
        for (n = 0; n < NODES; n = n + 1) begin
            more[3*n*SMALL_W +: BEATS_W] = took[n*BEATS_W +: BEATS_W];
            more[(3*n+1)*SMALL_W]        = stalls[n];
            more[(3*n+2)*SMALL_W]        = starves[n];
        end
    end

    wire [NUMBER_W-1:0] look  = running ? at : read_number;
    wire                known = whole || look < at;
    reg  [SMALL_W-1:0]  part;
    integer k;
    always @* begin
        part = {SMALL_W{1'b0}};
        for (k = 0; k < COUNTERS; k = k + 1)
            if (look == k[NUMBER_W-1:0])
                part = recent[k*SMALL_W +: SMALL_W];
    end
    wire [31:0] sum   = known ? sums[look] : 32'd0;
    wire [32:0] next  = {1'b0, sum} + {{(33-SMALL_W){1'b0}}, part};
    wire [31:0] total = next[32] ? 32'hffff_ffff : next[31:0];
    assign read_data = running ? 32'd0 : total;

    integer c;
    always @(posedge clk) begin
        took    <= beats;
        stalls  <= waits & ~moves;
        starves <= ~(waits | moves);
        if (running)
            sums[at] <= total;
        for (c = 0; c < COUNTERS; c = c + 1)
            if (rst || clear)
                recent[c*SMALL_W +: SMALL_W] <= {SMALL_W{1'b0}};
            else if (running)
                recent[c*SMALL_W +: SMALL_W] <= (at == c[NUMBER_W-1:0] ? {SMALL_W{1'b0}} : recent[c*SMALL_W +: SMALL_W])
                                               + more[c*SMALL_W +: SMALL_W];
        if (rst || clear) begin
            at      <= {NUMBER_W{1'b0}};
            whole   <= 1'b0;
            running <= 1'b0;
        end else begin
            running <= counts;
            if (running) begin
                at    <= at == LAST[NUMBER_W-1:0] ? {NUMBER_W{1'b0}} : at + {{(NUMBER_W-1){1'b0}}, 1'b1};
                whole <= whole || at == LAST[NUMBER_W-1:0];
            end
        end
    end

    wire _unused_ok = &{1'b0, n, k, c, LAST, 1'b0};

endmodule

`default_nettype wire
