// SPDX-License-Identifier: Apache-2.0
//
// What a scanner owes, in proofs: fibers, each with the stop that its last leaf carries, one after the other.
//
//   Consumes    `put` with `list` (a fiber that is not empty) or not, `stop`, `hole` and for a list its
//               `first` position and length `len`; `step`: a beat was taken, of `many` positions.
//   Produces    `any`: something is owed; the next beat's `kind`, `stop_at` and `hole_at`, and the `place`
//               where it begins, and how many positions are `left` of the fiber.
//   Parameters  W bits of a position; STOP_W; DEPTH fibers at most are owed, up to 7.
`default_nettype none

module samhw_fibers #(
    parameter W      = 2,
    parameter STOP_W = 2,
    parameter DEPTH  = 6
) (
    input  wire              clk,
    input  wire              started,
    input  wire              put,
    input  wire              list,
    input  wire [STOP_W-1:0] stop,
    input  wire [STOP_W-1:0] hole,
    input  wire [W-1:0]      first,
    input  wire [W-1:0]      len,
    input  wire              step,
    input  wire [W-1:0]      many,
    output wire              any,
    output wire [1:0]        kind,
    output wire [STOP_W-1:0] stop_at,
    output wire [STOP_W-1:0] hole_at,
    output wire [W-1:0]      place,
    output wire [W-1:0]      left
);

    localparam B = 1 + 2 * STOP_W + 2 * W;
    localparam [31:0] MOST = DEPTH;

    // The fiber at hand lowest.
    reg  [2:0]         count = 3'd0;
    reg  [DEPTH*B-1:0] fibers;
    wire               is_list;
    wire [STOP_W-1:0]  stops;
    assign {is_list, stops, hole_at, place, left} = fibers[B-1:0];
    assign any     = count != 3'd0;
    assign kind    = {!is_list, !is_list && stops == {STOP_W{1'b0}}};
    assign stop_at = !is_list || left == many ? stops : {STOP_W{1'b0}};

    wire               over = step && (!is_list || left == many);
    wire [2:0]         rest = count - {2'd0, over};
    wire [DEPTH*B-1:0] kept = over ? fibers >> B
                            : step ? {fibers[DEPTH*B-1:2*W], place + many, left - many} : fibers;
    wire [DEPTH*B-1:0] mask = {{(DEPTH*B-B){1'b0}}, {B{1'b1}}} << (rest * B);
    wire [DEPTH*B-1:0] new_ = {{(DEPTH*B-B){1'b0}}, list, stop, hole, first, len} << (rest * B);
    always @(posedge clk)
        if (started) begin
            count  <= rest + {2'd0, put};
            fibers <= put ? (kept & ~mask) | new_ : kept;
        end

    always @*
        if (started)
            assert (!put || rest != MOST[2:0]);

endmodule

`default_nettype wire
