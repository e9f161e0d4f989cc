// SPDX-License-Identifier: Apache-2.0
//
// Proof: what is read of a counter between runs is how often what it counts happened in the cycles of the
// last run, or 2**32-1 if it was that often or more; nothing is read in a run. Of runs of up to 2**33 such
// cycles.
// case taken: COUNTER=0
// case stalled: COUNTER=1
// case starved: COUNTER=2
// probe of taken word = dut.sums[0]
// probe of stalled word = dut.sums[1]
// probe of starved word = dut.sums[2]
// probe recent = dut.recent
// probe at = dut.at
// probe whole = dut.whole
// probe running = dut.running
// probe took = dut.took
// probe stalls = dut.stalls
// probe starves = dut.starves
// mutant samhw_axi_counters: wire                known = whole || look < at;
//     => wire                known = whole || look <= at;
// mutant samhw_axi_counters: wire [31:0] total = next[32] ? 32'hffff_ffff : next[31:0];
//     => wire [31:0] total = next[31:0] + {31'd0, whole};
// mutant samhw_axi_counters: (at == c[NUMBER_W-1:0] ? {SMALL_W{1'b0}} : recent[ => (1'b0 ? {SMALL_W{1'b0}} : recent[
// mutant samhw_axi_counters: assign read_data = running ? 32'd0 : total; => assign read_data = running ? 32'd0 : sum;
// mutant of stalled samhw_axi_counters: stalls  <= waits & ~moves; => stalls  <= waits;
// mutant of starved samhw_axi_counters: starves <= ~(waits | moves); => starves <= ~moves;
`default_nettype none

module formal_axi_counters #(
    parameter COUNTER = 0
) (
    input wire        clk,
    input wire        clear,
    input wire        counts,
    input wire        beats,
    input wire        moves,
    input wire        waits,
    input wire [1:0]  read_number,
    input wire [31:0] word,
    input wire [8:0]  recent,
    input wire [1:0]  at,
    input wire        whole,
    input wire        running,
    input wire        took,
    input wire        stalls,
    input wire        starves
);

    localparam [31:0] WHICH = COUNTER;
    localparam [1:0]  HERE  = WHICH[1:0];
    localparam [33:0] FULL  = 34'h0_ffff_ffff;

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire [31:0] read_data;
    samhw_axi_counters #(.NODES(1), .BEATS_W(1), .NUMBER_W(2)) dut (
        .clk(clk), .rst(rst), .clear(clear), .counts(counts), .beats(beats), .moves(moves), .waits(waits),
        .read_number(read_number), .read_data(read_data)
    );

    // What is counted, a cycle late.
    wire        event_  = COUNTER == 0 ? beats : COUNTER == 1 ? waits && !moves : !waits && !moves;
    reg         happens = 1'b0;
    reg         runs    = 1'b0;
    reg  [33:0] number  = 34'd0;
    always @(posedge clk) begin
        happens <= event_;
        runs    <= started && counts && !clear;
        number  <= !started || clear ? 34'd0 : number + {33'd0, runs && happens};
    end
    always @*
        assume (!number[33]);

    // The sum and what is not in it yet: at most one for each cycle since the walk was there, or since the beginning.
    wire        known = whole || HERE < at;
    wire [31:0] sum   = known ? word : 32'd0;
    wire [2:0]  part  = recent[3*COUNTER +: 3];
    wire [2:0]  since = !known ? {1'b0, at} : at > HERE ? {1'b0, at - HERE} : {1'b0, at} + 3'd3 - {1'b0, HERE};

    always @*
        if (started) begin
            assert (running == runs);
            assert (at != 2'd3);
            assert (part <= since);
            assert ((COUNTER == 0 ? took : COUNTER == 1 ? stalls : starves) == happens);
            assert (sum == FULL[31:0] ? number >= FULL : number == {2'd0, sum} + {31'd0, part});
            assert (read_number != HERE || read_data == (runs ? 32'd0 : number >= FULL ? FULL[31:0] : number[31:0]));
        end

endmodule

`default_nettype wire
