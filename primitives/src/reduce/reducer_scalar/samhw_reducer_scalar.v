// SPDX-License-Identifier: Apache-2.0
//
// Scalar reducer: folds each list of height 1 of `val` (depth d >= 1) to a leaf.
//
//   Consumes    val: leaves DATA or EMPTY (payload 0); EMPTY leaves do not count.
//   Produces    out: depth d - 1. An empty list, or one of EMPTY leaves, gives EMPTY.
//   Throughput  one beat of val per cycle; the result leaves with the beat that ends its list,
//               the next list starts in the cycle after.
//   Latency     2 cycles from the end of a list.
//   Parameters  VAL_W payload bits; STOP_W stop bits; FOLD, of FOLD_W bits: what folds (samhw_fold.vh), OP 0
//               to 3 of it.
//   Reset       valid bits, and the accumulator of a sum.
//   Source      "The Sparse Abstract Machine", section 3.6.
`default_nettype none

module samhw_reducer_scalar #(
    parameter              VAL_W  = 16,
    parameter              STOP_W = 3,
    parameter              FOLD_W = 128,
    parameter [FOLD_W-1:0] FOLD   = 128'h0000_0000_0000_0000_0100_0000_0000_0000
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+VAL_W-1:0] out_beat
);
    generate
        if (VAL_W < 1 || STOP_W < 1 || STOP_W > VAL_W || FOLD_W < 128 || FOLD % 256 > 3) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam              MAX   = 2;
    `include "samhw_kinds.vh"
    `include "samhw_fold.vh"
    localparam [STOP_W-1:0] ZERO  = 0;
    localparam [STOP_W-1:0] ONE   = 1;

    wire              v_valid;
    wire              v_pop;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(v_pop), .out_beat({v_kind, v_stop, v_val})
    );

    wire leaf  = !v_kind[1];
    wire done  = v_kind == DONE;
    wire inner = leaf && v_stop == ZERO;
    // A leaf that does not end its list needs no room at the output.
    assign v_pop = inner || !out_valid || out_ready;
    wire go = v_valid && v_pop;

    reg              some;  // the list had a value
    reg  [VAL_W-1:0] acc;
    wire             any = some || !v_kind[0];
    wire [VAL_W-1:0] folded;

    generate
        if (OP == 0) begin : g_sum
            // acc is 0 where there is none yet, and so is an EMPTY payload.
            assign folded = acc + v_val;
            always @(posedge clk)
                if (rst)
                    acc <= {VAL_W{1'b0}};
                else if (go && leaf)
                    acc <= folded & {VAL_W{inner}};
        end else if (OP <= MAX) begin : g_select
            wire below;
            if (SIGNED != 0) begin : g_signed
                assign below = $signed(acc) < $signed(v_val);
            end else begin : g_unsigned
                assign below = acc < v_val;
            end
            wire keep = some && (v_kind[0] || below == (OP != MAX));
            assign folded = keep ? acc : v_val;
            always @(posedge clk)
                if (go && leaf)
                    acc <= folded;
        end else begin : g_unit
            wire [VAL_W-1:0] both;
            samhw_fold #(.OP(UNIT), .W(VAL_W), .EXP(EXP), .MAN(MAN), .ONE(TRUE[VAL_W-1:0])) u_fold (
                .a(acc), .b(v_val), .y(both)
            );
            assign folded = !some ? v_val : v_kind[0] ? acc : both;
            always @(posedge clk)
                if (go && leaf)
                    acc <= folded;
        end
    endgenerate

    wire [STOP_W-1:0] hole = v_val[STOP_W-1:0];
    wire [STOP_W-1:0] less = hole - {{(STOP_W-1){1'b0}}, !done};
    wire              item = !done && hole == ONE;  // of a NIL: the list is a leaf now

    always @(posedge clk) begin
        if (go && !inner) begin
            if (leaf)
                out_beat <= {any ? DATA : EMPTY, v_stop - ONE, folded};
            else
                out_beat <= {item ? EMPTY : v_kind, v_stop - {{(STOP_W-1){1'b0}}, !done},
                             {(VAL_W-STOP_W){1'b0}}, less};
        end
        if (rst) begin
            out_valid <= 1'b0;
            some      <= 1'b0;
        end else begin
            if (!out_valid || out_ready)
                out_valid <= v_valid && !inner;
            if (go && leaf)
                some <= inner && any;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && v_valid
            && ((v_kind == EMPTY && v_val != {VAL_W{1'b0}}) || (!leaf && !done && v_stop == ZERO))) begin
            $display("samhw_reducer_scalar: val is not canonical");
            $stop;
        end
`endif

    // Modules that are not there take these.
    wire _unused_ok = &{1'b0, UNIT == 0, EXP == 0, MAN == 0, SIGNED == 0, TRUE[0], 1'b0};

endmodule

`default_nettype wire
