// SPDX-License-Identifier: Apache-2.0
//
// Proof: one beat out for each beat in, in order: a reference becomes a list of one interval, all
// coordinates; an absent one, or a size of 0, an empty list; a NIL is one level higher. Of a
// canonical stream it makes a canonical one, one level deeper; what is offered stays until it is
// taken; a beat leaves in the next cycle that the consumer allows.
// mutant samhw_scanner_whole: s_kind == DATA && !no_fiber; => s_kind == DATA;
// mutant samhw_scanner_whole: !list, done, done ? => !list, s_kind[0], done ?
// mutant samhw_scanner_whole: done ? NO_STOP : s_stop + ONE_UP => s_stop + ONE_UP
// mutant samhw_scanner_whole: (s_kind[1] ? s_ref[STOP_W-1:0] : NO_STOP) => NO_STOP
// mutant samhw_scanner_whole: dim[CRD_W-1:0] - ONE_ON; => dim[CRD_W-1:0];
// mutant samhw_scanner_whole: !out_valid || out_ready; => out_ready;
// mutant samhw_scanner_whole: out_valid <= s_valid; => out_valid <= s_valid && !done;
`default_nettype none

module formal_scanner_whole (
    input wire       clk,
    input wire [2:0] dim,
    input wire       ref_valid,
    input wire [6:0] ref_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    // A size of at most 4 that is there before the run and stays.
    reg [2:0] size;
    always @(posedge clk)
        size <= dim;
    always @*
        assume (dim <= 3'd4 && (!started || dim == size));

    wire        ref_ready;
    wire        out_valid;
    wire [10:0] out_beat;
    samhw_scanner_whole #(.REF_W(3), .CRD_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst), .dim(dim),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );
    wire take = started && ref_valid && ref_ready;

    wire       i_legal;
    wire       o_legal;
    wire [2:0] i_state;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) i_rules (
        .clk(clk), .rst(rst), .take(take), .beat(ref_beat), .legal(i_legal), .state(i_state), .after());
    samhw_rules #(.DEPTH(3), .STOP_W(2), .W(4)) o_rules (
        .clk(clk), .rst(rst), .take(started && out_valid && out_ready), .beat({out_beat[10:7], out_beat[3:0]}),
        .legal(o_legal), .state(o_state), .after(o_after));
    always @*
        assume (!ref_valid || i_legal);

    wire [1:0] kind = ref_beat[6:5];
    wire [1:0] stop = ref_beat[4:3] + 2'd1;
    wire [1:0] last = dim[1:0] - 2'd1;
    wire [3:0] hole = kind == 2'd2 ? {1'b0, ref_beat[2:0]} + 4'd1 : 4'd1;

    wire        full;
    wire [10:0] expected;
    samhw_due #(.W(11)) due (
        .clk(clk), .started(started), .put(take), .ready(out_ready), .full(full), .expected(expected),
        .beat(kind == 2'd3 ? {2'd3, 9'd0} : kind == 2'd0 && dim != 3'd0 ? {2'd0, stop, ref_beat[2:0], last, 2'd0}
              : {2'd2, stop, 3'd0, hole}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || (out_beat == expected && o_legal));
            assert (i_state[1:0] != 2'd3);
            assert ((full ? o_after : o_state) == {i_state[2], i_state[1:0] + 2'd1});
            assert (!ref_valid || take == (!full || out_ready));
        end

endmodule

`default_nettype wire
