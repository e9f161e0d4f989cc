// SPDX-License-Identifier: Apache-2.0
//
// Scalar reducer with a pipelined operator: folds each list of height 1 of `val` (depth d >= 1) to a leaf.
//
//   Consumes    val: leaves DATA or EMPTY (payload 0); EMPTY leaves do not count.
//   Produces    out: depth d - 1. An empty list, or one of EMPTY leaves, gives EMPTY.
//   How         Value k of a list folds into entry k mod 2^K of the list, so that an entry's last sum is
//               there when its next value comes. Entries lie in a ring; those of a list that has ended
//               leave it in order, and K levels fold them pairwise. What else a stream carries takes an
//               entry of its own, as a small number that the identity leaves alone.
//   Order       entry = ((v[k] + v[k+P]) + v[k+2P]) + .. with P = 2^K; result of entries e:
//               (e0 + e1) + (e2 + e3), and so on; an odd one at the end stays for the next level.
//   Throughput  one beat of val per cycle, whatever the lists' lengths.
//   Latency     3 + DEPTH + K*(DEPTH + 1) cycles from the end of a list, and one per entry but the first.
//   Parameters  OP, DEPTH, SIGNED, SATURATE, FRAC, EXP, MAN, MUL as in samhw_pipelined_op; IDENTITY of OP from
//               both sides, bit for bit; K: 2^K > DEPTH; R_W > K: the ring has 2^R_W entries, of which one
//               stays free (as many as given are enough for a list that gathers and all that wait before it);
//               VAL_W payload bits; STOP_W stop bits.
//   Reset       valid bits and pointers.
//   Source      "The Sparse Abstract Machine", section 3.6.
`default_nettype none

module samhw_reducer_pipelined #(
    parameter             OP       = 0,
    parameter             DEPTH    = 7,
    parameter             SIGNED   = 1,
    parameter             SATURATE = 0,
    parameter             FRAC     = 0,
    parameter             EXP      = 8,
    parameter             MAN      = 23,
    parameter             MUL      = 2,
    parameter             VAL_W    = 32,
    parameter             STOP_W   = 3,
    parameter             K        = 3,
    parameter             R_W      = K < 2 ? 4 : K + 2,
    parameter [VAL_W-1:0] IDENTITY = {1'b1, {(VAL_W-1){1'b0}}}
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output wire                      out_valid,
    input  wire                      out_ready,
    output wire [2+STOP_W+VAL_W-1:0] out_beat
);
    generate
        if (OP < 0 || OP > 46
            || DEPTH < 0
            || SIGNED < 0 || SIGNED > 1 || SATURATE < 0 || SATURATE > 1
            || FRAC < 0 || FRAC > VAL_W
            || EXP < 0 || MAN < 0
            || (MAN != 0 && VAL_W != 1 + EXP + MAN)
            || MUL < 0 || MUL > 7
            || VAL_W < 1 || STOP_W < 1
            || STOP_W > VAL_W
            || K < 1 || 1 << K <= DEPTH
            || R_W <= K) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] ZERO  = {STOP_W{1'b0}};
    localparam [STOP_W-1:0] ONE   = {{(STOP_W-1){1'b0}}, 1'b1};

    localparam META_W = 2 + STOP_W;

    wire              v_valid;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    wire              room;
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(room), .out_beat({v_kind, v_stop, v_val})
    );

    reg  [R_W-1:0] base;    // first entry of the list
    reg  [K:0]     count;   // its entries
    reg  [K-1:0]   turn;    // the entry that folds next, once all are there
    reg  [R_W-1:0] next;    // behind its last entry
    reg  [R_W-1:0] again;   // base + turn
    reg  [R_W-1:0] leave;   // next entry to leave
    wire [R_W-1:0] used   = next - leave;
    assign room = used != {R_W{1'b1}};
    wire           go     = v_valid && room;
    wire           leaf   = !v_kind[1];
    wire           done   = v_kind == DONE;
    wire           data   = v_kind == DATA;
    wire           ends   = !leaf || v_stop != ZERO;
    wire           some   = count != {(K+1){1'b0}};
    wire           opens  = data ? !count[K] : ends && !some;
    wire           fold   = opens || data;
    wire [R_W-1:0] behind = next + {{(R_W-1){1'b0}}, opens};

    // Of a NIL: the list below is a leaf now, or a list still.
    wire [STOP_W-1:0] hole  = v_val[STOP_W-1:0];
    wire              item  = hole == ONE;
    wire [1:0]        kind  = leaf ? (data || some ? DATA : EMPTY) : !done && item ? EMPTY : v_kind;
    wire [STOP_W-1:0] stop  = done || !ends ? ZERO : v_stop - ONE;
    wire [STOP_W-1:0] less  = done ? ZERO : hole - ONE;
    wire [VAL_W-1:0]  value = leaf ? v_val : {{(VAL_W-STOP_W){1'b0}}, less};

    // The entries' values, and what stands at them once their list has ended.
    reg  [VAL_W-1:0]  vals  [0:(1<<R_W)-1];
    reg  [META_W:0]   metas [0:(1<<R_W)-1];
    wire [R_W-1:0]    at      = opens ? next : again;
    wire [R_W-1:0]    meta_at = opens ? next : next - {{(R_W-1){1'b0}}, 1'b1};
    wire [VAL_W-1:0]  sum;
    samhw_pipelined_op #(
        .OP(OP), .DEPTH(DEPTH), .W(VAL_W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP), .MAN(MAN),
        .MUL(MUL)
    ) u_op (.clk(clk), .en(1'b1), .a(opens ? IDENTITY : vals[again]), .b(value), .y(sum));

    reg  [DEPTH-1:0]         folds;
    reg  [DEPTH*R_W-1:0]     ats;
    reg  [DEPTH*R_W-1:0]     bases;
    wire [DEPTH:0]           folds_in = {folds, go && fold};
    wire [(DEPTH+1)*R_W-1:0] ats_in   = {ats, at};
    wire [(DEPTH+1)*R_W-1:0] bases_in = {bases, base};
    wire [R_W-1:0]           limit    = bases[(DEPTH-1)*R_W +: R_W];

    // What has left the ring.
    wire              step = !out_valid || out_ready;
    reg               e_valid;
    reg               e_last;
    reg  [META_W-1:0] e_meta;
    reg  [VAL_W-1:0]  e_val;

    always @(posedge clk) begin
        ats <= ats_in[DEPTH*R_W-1:0];
        if (folds_in[DEPTH])
            vals[ats_in[DEPTH*R_W +: R_W]] <= sum;
        if (go && (opens || ends))
            metas[meta_at] <= {ends, kind, stop};
        if (step) begin
            {e_last, e_meta} <= metas[leave];
            e_val            <= vals[leave];
        end
        if (rst) begin
            base    <= {R_W{1'b0}};
            count   <= {(K+1){1'b0}};
            turn    <= {K{1'b0}};
            next    <= {R_W{1'b0}};
            again   <= {R_W{1'b0}};
            leave   <= {R_W{1'b0}};
            folds   <= {DEPTH{1'b0}};
            bases   <= {(DEPTH*R_W){1'b0}};
            e_valid <= 1'b0;
        end else begin
            folds <= folds_in[DEPTH-1:0];
            bases <= bases_in[DEPTH*R_W-1:0];
            if (step) begin
                e_valid <= leave != limit;
                if (leave != limit)
                    leave <= leave + {{(R_W-1){1'b0}}, 1'b1};
            end
            if (go)
                next <= behind;
            if (go && ends) begin
                base  <= behind;
                again <= behind;
                count <= {(K+1){1'b0}};
                turn  <= {K{1'b0}};
            end else if (go && opens)
                count <= count + {{K{1'b0}}, 1'b1};
            else if (go && data) begin
                again <= &turn ? base : again + {{(R_W-1){1'b0}}, 1'b1};
                turn  <= turn + {{(K-1){1'b0}}, 1'b1};
            end
        end
    end

    // Level l takes what level l-1 put out.
    wire [K:0]              l_valid;
    wire [K:0]              l_last;
    wire [(K+1)*META_W-1:0] l_meta;
    wire [(K+1)*VAL_W-1:0]  l_val;
    assign l_valid[0]         = e_valid;
    assign l_last[0]          = e_last;
    assign l_meta[META_W-1:0] = e_meta;
    assign l_val[VAL_W-1:0]   = e_val;

    genvar l;
    generate
        for (l = 0; l < K; l = l + 1) begin : g_level
            samhw_pairing #(
                .OP(OP), .DEPTH(DEPTH), .W(VAL_W), .SIGNED(SIGNED), .SATURATE(SATURATE), .FRAC(FRAC), .EXP(EXP),
                .MAN(MAN), .MUL(MUL),
                .IDENTITY(IDENTITY), .META_W(META_W)
            ) u_level (
                .clk(clk), .rst(rst), .en(step),
                .in_valid(l_valid[l]), .in_last(l_last[l]), .in_meta(l_meta[l*META_W +: META_W]),
                .in_val(l_val[l*VAL_W +: VAL_W]),
                .out_valid(l_valid[l+1]), .out_last(l_last[l+1]), .out_meta(l_meta[(l+1)*META_W +: META_W]),
                .out_val(l_val[(l+1)*VAL_W +: VAL_W])
            );
        end
    endgenerate

    assign out_valid = l_valid[K];
    assign out_beat  = {l_meta[K*META_W +: META_W], l_val[K*VAL_W +: VAL_W]};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && v_valid
            && ((v_kind == EMPTY && v_val != {VAL_W{1'b0}}) || (!leaf && !done && v_stop == ZERO))) begin
            $display("samhw_reducer_pipelined: val is not canonical");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, l_last[K], bases_in[DEPTH*R_W +: R_W], 1'b0};

endmodule

`default_nettype wire
