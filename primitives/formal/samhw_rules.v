// SPDX-License-Identifier: Apache-2.0
//
// What a stream of nested lists may carry next: the canonical encoding, as a property for proofs.
//
//   Consumes    `beat` = {kind, stop, payload} of a stream of depth DEPTH; it counts where `take` is 1.
//   Produces    `legal`: the beat may stand at this place: stops are well nested, a NIL closes the list that
//               its hole says is empty and never follows an item of it, DONE follows the end of the
//               outermost list, an absent leaf, a NIL and DONE have nothing in the payload's unused bits.
//               `state`: the place, before the beat; `after`: behind it.
//   Parameters  DEPTH of the lists, up to 2**STOP_W - 1; STOP_W stop bits; W payload bits, at least STOP_W.
//   Source      the design's streams and primitives, section 1.
`default_nettype none

module samhw_rules #(
    parameter DEPTH  = 2,
    parameter STOP_W = 2,
    parameter W      = 2
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  take,
    input  wire [2+STOP_W+W-1:0] beat,
    output wire                  legal,
    output wire [STOP_W:0]       state,
    output wire [STOP_W:0]       after
);

    localparam [31:0]       DEEP  = DEPTH;
    localparam [STOP_W-1:0] OUTER = DEEP[STOP_W-1:0];

    // Lists up to this height have no item yet; the outermost one is over.
    reg [STOP_W-1:0] fresh = OUTER;
    reg              over  = 1'b0;

    wire [1:0]        kind = beat[STOP_W+W +: 2];
    wire [STOP_W-1:0] stop = beat[W +: STOP_W];
    wire [STOP_W-1:0] hole = beat[STOP_W-1:0];
    wire [W-1:0]      high = beat[W-1:0] >> STOP_W;

    wire data  = kind == 2'd0 && !over && stop <= OUTER;
    wire empty = kind == 2'd1 && !over && stop <= OUTER && beat[W-1:0] == {W{1'b0}};
    wire nil   = kind == 2'd2 && !over && stop <= OUTER && high == {W{1'b0}}
                 && hole != {STOP_W{1'b0}} && hole <= fresh && hole <= stop;
    wire done  = kind == 2'd3 && over && beat[STOP_W+W-1:0] == {(STOP_W+W){1'b0}};

    assign legal = data || empty || nil || done;
    assign state = {over, fresh};
    assign after = kind == 2'd3 ? {1'b0, OUTER} : {stop == OUTER, stop};

    always @(posedge clk)
        if (rst)
            {over, fresh} <= {1'b0, OUTER};
        else if (take)
            {over, fresh} <= after;

endmodule

`default_nettype wire
