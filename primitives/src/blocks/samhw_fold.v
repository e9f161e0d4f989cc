// SPDX-License-Identifier: Apache-2.0
//
// What a reducer folds two values with, within a cycle.
//
//   Parameters  OP: of floats 4 min, 5 max; 6 a; logical 13 and, 14 or, 15 xor; bitwise 18 and, 19 or, 20 xor
//               (the numbers of samhw_word_op and samhw_float_op); W bits of a value; EXP, MAN of
//               floats (else MAN is 0); ONE what true is.
`default_nettype none

module samhw_fold #(
    parameter         OP  = 18,
    parameter         W   = 16,
    parameter         EXP = 0,
    parameter         MAN = 0,
    parameter [W-1:0] ONE = {{(W-1){1'b0}}, 1'b1}
) (
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);
    generate
        if (OP < 4 || (OP > 6 && OP < 13) || OP == 16 || OP == 17 || OP > 20
            || W < 1
            || EXP < 0 || MAN < 0
            || ((OP == 4 || OP == 5) && MAN == 0)
            || (MAN != 0 && (EXP < 3 || W != 1 + EXP + MAN))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    generate
        if (OP == 4 || OP == 5) begin : g_order
            wire less, equal, none;
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_order (.a(a), .b(b), .less(less), .equal(equal), .none(none));
            // Of equal ones just zeros differ: the smaller one has the sign.
            wire [W-1:0] same = OP == 4 ? a | b : a & b;
            assign y = none ? {1'b0, {(EXP+1){1'b1}}, {(MAN-1){1'b0}}} : equal ? same : less == (OP == 4) ? a : b;
        end else if (OP == 6) begin : g_first
            assign y = a;
        end else if (OP == 18) begin : g_and
            assign y = a & b;
        end else if (OP == 19) begin : g_or
            assign y = a | b;
        end else if (OP == 20) begin : g_xor
            assign y = a ^ b;
        end else begin : g_logical
            // The sign of a zero does not count.
            localparam [W-1:0] COUNTS = {MAN == 0, {(W-1){1'b1}}};
            wire p = |(a & COUNTS);
            wire q = |(b & COUNTS);
            wire t = OP == 13 ? p && q : OP == 14 ? p || q : p != q;
            assign y = t ? ONE : {W{1'b0}};
        end
    endgenerate

    wire _unused_ok = &{1'b0, a, b, ONE, 1'b0};

endmodule

`default_nettype wire
