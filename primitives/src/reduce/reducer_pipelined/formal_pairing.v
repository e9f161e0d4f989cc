// SPDX-License-Identifier: Apache-2.0
//
// Proof: of each list's items one comes out for each two, in order, their sum, of an odd last one itself; the
// last has the mark and the list's meta. Nothing moves without `en`; with it an item comes out DEPTH + 1
// cycles after the one that completes it.
// by: reachability
// case short: DEPTH=1
// case long: DEPTH=3
// mutant samhw_pairing: in_valid && (in_last || held) => in_valid && held
// mutant samhw_pairing: held <= !held && !in_last; => held <= !held;
// mutant samhw_pairing: .b(held ? in_val : IDENTITY) => .b(in_val)
// mutant samhw_pairing: .clk(clk), .en(en), => .clk(clk), .en(1'b1),
// mutant samhw_pairing: wire [(DEPTH+1)*S_W-1:0] side_in = {side, in_last, in_meta};
//     => wire [(DEPTH+1)*S_W-1:0] side_in = {side, held, in_meta};
`default_nettype none

module formal_pairing #(
    parameter DEPTH = 1
) (
    input wire       clk,
    input wire       en,
    input wire       in_valid,
    input wire       in_last,
    input wire [1:0] in_meta,
    input wire [1:0] in_val
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       out_valid;
    wire       out_last;
    wire [1:0] out_meta;
    wire [1:0] out_val;
    samhw_pairing #(.DEPTH(DEPTH), .W(2), .EXP(0), .MAN(1), .IDENTITY(2'd0), .META_W(2)) dut (
        .clk(clk), .rst(rst), .en(en),
        .in_valid(in_valid), .in_last(in_last), .in_meta(in_meta), .in_val(in_val),
        .out_valid(out_valid), .out_last(out_last), .out_meta(out_meta), .out_val(out_val)
    );

    // The item that waits for its second; when each that is complete must come out.
    wire       take  = started && en && in_valid;
    reg        odd   = 1'b0;
    reg  [1:0] first = 2'd0;
    wire [1:0] sum   = (odd ? first : 2'd0) + in_val;
    wire       put   = take && (odd || in_last);
    always @(posedge clk)
        if (take) begin
            odd   <= !odd && !in_last;
            first <= in_val;
        end
    reg  [DEPTH:0] due = {(DEPTH+1){1'b0}};
    always @(posedge clk)
        if (started && en)
            due <= {due, put};

    samhw_owed #(.W(5), .DEPTH(DEPTH+1)) items (
        .clk(clk), .started(started), .put(put), .beat({in_last, in_meta, sum}),
        .valid(out_valid), .ready(en), .given({out_last, out_meta, out_val}), .count());

    always @*
        if (started)
            assert (out_valid == due[DEPTH]);

endmodule

`default_nettype wire
