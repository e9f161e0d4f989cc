// SPDX-License-Identifier: Apache-2.0
//
// Proof: per coordinate beat one output beat, in order, with the coordinates' structure and the reference of the list
// around; a reference is used up with its list. Fed aligned streams of canonical lists it gives a canonical
// one; what is offered stays until it is taken; a beat that has both inputs leaves in the next cycle that the
// consumer allows.
// mutant samhw_repeater: (c_stop != {STOP_W{1'b0}} || c_kind == DONE) => (c_stop != {STOP_W{1'b0}})
// mutant samhw_repeater: leaf ? r_ref : => r_kind == 2'd0 ? r_ref :
// mutant samhw_repeater: (!out_valid || out_ready); => out_ready;
// mutant samhw_repeater: else if (go || out_ready) => else if (go)
// mutant samhw_repeater: leaf ? r_kind : c_kind => r_kind
`default_nettype none

module formal_repeater (
    input wire       clk,
    input wire       ref_valid,
    input wire [6:0] ref_beat,
    input wire       crd_valid,
    input wire [5:0] crd_beat,
    input wire       out_ready
);

    reg started = 1'b0;
    always @(posedge clk)
        started <= 1'b1;
    wire rst = !started;

    wire       ref_ready;
    wire       crd_ready;
    wire       out_valid;
    wire [6:0] out_beat;
    samhw_repeater #(.REF_W(3), .CRD_W(2), .STOP_W(2)) dut (
        .clk(clk), .rst(rst),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .out_valid(out_valid), .out_ready(out_ready), .out_beat(out_beat)
    );

    // Lists of depth 2 of coordinates, of depth 1 of references.
    wire [1:0] r_kind = ref_beat[6:5];
    wire [1:0] r_stop = ref_beat[4:3];
    wire [1:0] c_kind = crd_beat[5:4];
    wire [1:0] c_stop = crd_beat[3:2];
    wire       c_leaf = !c_kind[1];
    wire       c_take = started && crd_valid && crd_ready;
    wire       r_take = started && ref_valid && ref_ready;
    wire       o_take = started && out_valid && out_ready;

    wire       r_legal;
    wire       c_legal;
    wire       o_legal;
    wire [2:0] r_state;
    wire [2:0] r_after;
    wire [2:0] c_state;
    wire [2:0] c_after;
    wire [2:0] o_state;
    wire [2:0] o_after;
    samhw_rules #(.DEPTH(1), .STOP_W(2), .W(3)) r_rules (
        .clk(clk), .rst(rst), .take(r_take), .beat(ref_beat), .legal(r_legal), .state(r_state), .after(r_after));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(2)) c_rules (
        .clk(clk), .rst(rst), .take(c_take), .beat(crd_beat), .legal(c_legal), .state(c_state), .after(c_after));
    samhw_rules #(.DEPTH(2), .STOP_W(2), .W(3)) o_rules (
        .clk(clk), .rst(rst), .take(o_take), .beat(out_beat), .legal(o_legal), .state(o_state), .after(o_after));

    // Aligned: a reference's leaf has one list of coordinates, which closes as much as the leaf and itself.
    wire below   = c_leaf || (c_kind == 2'd2 && crd_beat[1:0] == 2'd1);
    wire aligned = c_kind == 2'd3 ? r_kind == 2'd3
                 : below          ? !r_kind[1] && (c_stop == 2'd0 || c_stop == r_stop + 2'd1)
                 :                  r_kind == 2'd2 && ref_beat[1:0] + 2'd1 == crd_beat[1:0] && c_stop == r_stop + 2'd1;
    always @* begin
        assume (!ref_valid || r_legal);
        assume (!crd_valid || (c_legal && c_kind != 2'd1));
        assume (!ref_valid || !crd_valid || aligned);
    end

    // What the register must hold.
    wire       full;
    wire [6:0] expected;
    samhw_due #(.W(7)) due (
        .clk(clk), .started(started), .put(c_take), .ready(out_ready), .full(full), .expected(expected),
        .beat(c_leaf ? {r_kind, c_stop, ref_beat[2:0]} : {c_kind, c_stop, 1'b0, crd_beat[1:0]}));

    always @*
        if (started) begin
            assert (out_valid == full);
            assert (!full || out_beat == expected);
            assert (!full || o_legal);
            assert (c_state == (full ? o_after : o_state));
            assert (crd_ready == (ref_valid && crd_valid && (!full || out_ready)));
            assert (r_take == (c_take && (c_stop != 2'd0 || c_kind == 2'd3)));
        end

endmodule

`default_nettype wire
