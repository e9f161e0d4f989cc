// SPDX-License-Identifier: Apache-2.0
//
// What an output of a filter must give, in proofs: as samhw_owed, but the last beat kept waits until its stop
// is known: a later beat is kept (its list goes on), or the list ends.
//
//   Consumes    `keep` with `stop` and `data`, `last` if the stop is settled; `close`: no beat, the one that
//               waits has `stop`. The output: `valid`, `ready`, `given` = {data, stop}. Before `started`
//               nothing counts.
//   Produces    `waits`: a beat whose stop is not settled; `owes`: one that may leave.
//   Parameters  W bits of a beat without its stop, STOP_W.
`default_nettype none

module samhw_filtered #(
    parameter W      = 8,
    parameter STOP_W = 2,
    parameter DEPTH  = 2
) (
    input  wire                clk,
    input  wire                started,
    input  wire                keep,
    input  wire                close,
    input  wire                last,
    input  wire [STOP_W-1:0]   stop,
    input  wire [W-1:0]        data,
    input  wire                valid,
    input  wire                ready,
    input  wire [W+STOP_W-1:0] given,
    output wire                waits,
    output wire                owes
);

    reg                held    = 1'b0;
    reg                settled = 1'b0;
    reg [W+STOP_W-1:0] beat;
    wire               put     = held && (settled || keep);
    wire [2:0]         count;

    assign waits = held && !settled;
    assign owes  = count != 3'd0 || (held && settled);

    always @(posedge clk)
        if (started) begin
            held <= keep || (held && !put);
            if (keep || close)
                settled <= last || close;
            if (keep)
                beat <= {data, stop};
            else if (close)
                beat[STOP_W-1:0] <= stop;
        end

    samhw_owed #(.W(W+STOP_W), .DEPTH(DEPTH)) owed (
        .clk(clk), .started(started), .put(started && put), .beat(beat),
        .valid(valid), .ready(ready), .given(given), .count(count));

    always @*
        if (started)
            assert (!close || waits);

endmodule

`default_nettype wire
