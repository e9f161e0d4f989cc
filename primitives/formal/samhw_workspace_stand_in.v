// SPDX-License-Identifier: Apache-2.0
//
// Stands for a workspace in proofs of what has one: it takes a list of fibers, and then gives it as one
// fiber, and holds no other meanwhile. That a workspace gives such fibers, in order, is proved with the
// vector reducer (reducer_vector/formal_reducer_vector.v). The operator is a sum.
`default_nettype none

module samhw_workspace_stand_in #(
    parameter              CRD_W  = 8,
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              WORDS  = 256,
    parameter              BANK_W = 1,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+VAL_W+CRD_W-1:0] in_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+VAL_W+CRD_W-1:0] out_beat
);

    localparam [31:0]       LIMIT = WORDS;
    localparam [WORDS-1:0]  BIT   = 1;
    localparam [STOP_W-1:0] NONE  = 0;
    localparam [STOP_W-1:0] ONE   = 1;

    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    wire [VAL_W-1:0]  val;
    wire [CRD_W-1:0]  crd;
    assign {kind, stop, val, crd} = in_beat;
    wire [STOP_W-1:0] hole  = crd[STOP_W-1:0];
    wire              done  = kind == 2'd3;
    wire              take  = in_valid && in_ready;
    wire              value = take && kind == 2'd0;

    reg                   full = 1'b0;
    reg [WORDS-1:0]       has  = {WORDS{1'b0}};
    reg [WORDS*VAL_W-1:0] sums;
    reg                   none;
    reg [STOP_W-1:0]      end_stop;
    reg [STOP_W-1:0]      end_hole;
    wire [WORDS-1:0]      rest = has & (has - BIT);
    wire                  last = rest == {WORDS{1'b0}};

    reg [CRD_W-1:0] at;
    integer         i;
    always @* begin
        at = {CRD_W{1'b0}};
        for (i = WORDS - 1; i >= 0; i = i - 1)
            if (has[i])
                at = i[CRD_W-1:0];
    end
    wire [VAL_W-1:0] sum = sums[at*VAL_W +: VAL_W];
    assign in_ready  = !full;
    assign out_valid = full;
    assign out_beat  = none ? {1'b1, end_hole == NONE, end_stop, {(VAL_W+CRD_W-STOP_W){1'b0}}, end_hole}
                            : {2'd0, last ? end_stop : NONE, sum, at};

    always @(posedge clk)
        if (rst) begin
            full <= 1'b0;
            has  <= {WORDS{1'b0}};
        end else begin
            full <= full ? !(out_ready && last) : take && (done || stop > ONE);
            if (value) begin
                has <= has | (BIT << crd);
                sums[crd*VAL_W +: VAL_W] <= val + (has[crd] ? sums[crd*VAL_W +: VAL_W] : {VAL_W{1'b0}});
            end else if (full && out_ready)
                has <= rest;
            if (take) begin
                none     <= has == {WORDS{1'b0}} && !value;
                end_stop <= done ? NONE : stop - ONE;
                end_hole <= done ? NONE : kind == 2'd2 && hole > ONE ? hole - ONE : ONE;
            end
        end

    always @*
        if (!rst && value)
            assert ({{(32-CRD_W){1'b0}}, crd} < LIMIT);

    wire _unused_ok = &{1'b0, BANK_W != 0, FOLD, 1'b0};

endmodule

`default_nettype wire
