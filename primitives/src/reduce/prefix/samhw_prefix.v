// SPDX-License-Identifier: Apache-2.0
//
// Scan: at each leaf the fold of its list up to there.
//
//   Consumes    val: leaves DATA or EMPTY (payload 0), any depth; EMPTY leaves do not count.
//   Produces    out: the shape of val, all leaves DATA; IDENTITY where the list had no value yet.
//   Throughput  one beat per cycle with OP 0 to 3; a value that is folded takes DEPTH + 1 cycles
//               with OP 4, a run of the program and a cycle with OP 5.
//   Latency     2 cycles.
//   Parameters  VAL_W payload bits; STOP_W stop bits, at most VAL_W; IDENTITY what there is before the
//               first value; BEGUN: 1 if the first value is folded with that, too; FOLD, of FOLD_W bits: what
//               folds (samhw_fold.vh).
//   Reset       valid bits, and what has been folded.
//   Source      "Prefix Sums and Their Applications" (Blelloch, 1990); not in the SAM paper.
`default_nettype none

module samhw_prefix #(
    parameter              VAL_W    = 16,
    parameter              STOP_W   = 3,
    parameter [VAL_W-1:0]  IDENTITY = {VAL_W{1'b0}},
    parameter              BEGUN    = 0,
    parameter              FOLD_W   = 128,
    parameter [FOLD_W-1:0] FOLD     = 128'h0000_0000_0000_0000_0100_0000_0000_0000
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
        if (VAL_W < 1 || STOP_W < 1
            || STOP_W > VAL_W
            || BEGUN < 0 || BEGUN > 1
            || FOLD_W < 128) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] ZERO  = 0;
    localparam [0:0]        FIRST = BEGUN != 0;

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

    reg              some;  // there is something that the next value is folded with
    reg  [VAL_W-1:0] acc;   // IDENTITY where the list had no value

    wire leaf  = !v_kind[1];
    wire data  = v_kind == DATA;
    wire folds = data && some;
    wire free  = !out_valid || out_ready;
    wire done;
    assign v_pop = free && (!folds || done);
    wire go = v_valid && v_pop;

    wire [VAL_W-1:0] both;
    samhw_fold_once #(
        .W(VAL_W), .FOLD_W(FOLD_W), .FOLD(FOLD)
    ) u_fold (
        .clk(clk), .rst(rst), .start(v_valid && folds && free), .a(acc), .b(v_val), .done(done), .y(both)
    );

    wire [VAL_W-1:0] here  = folds ? both : data ? v_val : acc;
    wire             inner = v_stop == ZERO;

    always @(posedge clk) begin
        if (go)
            out_beat <= {leaf ? DATA : v_kind, v_stop, leaf ? here : v_val};
        if (rst) begin
            out_valid <= 1'b0;
            some      <= FIRST;
            acc       <= IDENTITY;
        end else begin
            if (free)
                out_valid <= go;
            if (go && leaf) begin
                some <= FIRST || (inner && (some || data));
                acc  <= inner ? here : IDENTITY;
            end
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && v_valid && v_kind == 2'd1 && v_val != {VAL_W{1'b0}}) begin
            $display("samhw_prefix: val is not canonical");
            $stop;
        end
`endif

endmodule

`default_nettype wire
