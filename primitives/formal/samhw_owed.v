// SPDX-License-Identifier: Apache-2.0
//
// What an output must give, in proofs: the beats that it owes, each once and in order, and what it offers
// stays until it is taken.
//
//   Consumes    `put` with `beat`: owed from the next cycle on. The output: `valid`, `ready`, `given`.
//               Before `started` nothing counts.
//   Produces    `count` of beats owed, the one on offer included.
//   Parameters  W bits of a beat; DEPTH beats at most are owed at a time, up to 7: what a primitive may hold.
`default_nettype none

module samhw_owed #(
    parameter W     = 8,
    parameter DEPTH = 2
) (
    input  wire         clk,
    input  wire         started,
    input  wire         put,
    input  wire [W-1:0] beat,
    input  wire         valid,
    input  wire         ready,
    input  wire [W-1:0] given,
    output reg  [2:0]   count
);

    localparam [31:0] MOST = DEPTH;

    // The oldest lowest.
    reg  [DEPTH*W-1:0] beats;
    reg                stays = 1'b0;
    wire               give  = started && valid && ready;
    wire [2:0]         rest  = count - {2'd0, give};
    wire [DEPTH*W-1:0] left  = give ? beats >> W : beats;
    wire [DEPTH*W-1:0] mask  = {{(DEPTH*W-W){1'b0}}, {W{1'b1}}} << (rest * W);
    wire [DEPTH*W-1:0] new_  = {{(DEPTH*W-W){1'b0}}, beat} << (rest * W);

    initial count = 3'd0;
    always @(posedge clk) begin
        stays <= started && valid && !ready;
        if (started) begin
            count <= rest + {2'd0, put};
            beats <= put ? (left & ~mask) | new_ : left;
        end
    end

    always @*
        if (started) begin
            assert (!valid || (count != 3'd0 && given == beats[W-1:0]));
            assert (!stays || valid);
            assert (!put || rest != MOST[2:0]);
        end

endmodule

`default_nettype wire
