// SPDX-License-Identifier: Apache-2.0
//
// Packs coordinates into runs: neighbours of a list that follow each other become one word.
//
//   Consumes    crd: coordinates of depth d, rising within a list, leaves DATA. With SHARED val: values, the
//               same shape, leaves DATA.
//   Produces    run: words {last, first}, depth d. With SHARED coordinates of one run have the same
//               value, which val gives once; without it words are {base, last, first}, base the
//               number of coordinates before the run's, since DONE. With INTERVALS (and SHARED) crd
//               has intervals {last, first} of one value each instead, one behind the other.
//   Throughput  one coordinate, or interval, per cycle.
//   Latency     3 cycles for the last run of a list and what is none; others leave when the next one begins.
//   Parameters  CRD_W, VAL_W; REF_W bits of base; SHARED; STOP_W, at most CRD_W and VAL_W.
//   Reset       valid bits, the number of coordinates; payloads are not reset.
//   Source      run-length and block levels of "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_runs_pack #(
    parameter CRD_W  = 16,
    parameter VAL_W  = 16,
    parameter REF_W  = 16,
    parameter SHARED = 1,
    parameter STOP_W = 3,
    parameter INTERVALS = 0
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+(INTERVALS != 0 ? 2 : 1)*CRD_W-1:0] crd_beat,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       run_valid,
    input  wire                      run_ready,
    output reg  [2+STOP_W+2*CRD_W+(SHARED != 0 ? 0 : REF_W)-1:0] run_beat,

    output wire                      out_valid,
    input  wire                      out_ready,
    output wire [2+STOP_W+VAL_W-1:0] out_beat
);
    generate
        if (CRD_W < 1 || VAL_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || (SHARED != 0 && STOP_W > VAL_W)
            || SHARED < 0 || SHARED > 1 || INTERVALS < 0 || INTERVALS > 1
            || (INTERVALS != 0 && SHARED == 0)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam [STOP_W-1:0] NO_STOP  = 0;
    localparam [CRD_W-1:0]  NEXT_CRD = 1;
    localparam [REF_W-1:0]  NEXT_REF = 1;

    wire              take;
    wire              c_valid;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [CRD_W-1:0]  c_crd;
    wire [CRD_W-1:0]  c_last;
    localparam CAME_W = (INTERVALS != 0 ? 2 : 1) * CRD_W;
    wire [CAME_W-1:0] c_came;
    assign c_crd  = c_came[CRD_W-1:0];
    assign c_last = c_came[CAME_W-1 -: CRD_W];
    samhw_skid #(.W(2+STOP_W+CAME_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(take), .out_beat({c_kind, c_stop, c_came})
    );

    // The run that more coordinates may join, until it is settled. Then what follows is of another list.
    reg               held;
    reg               settled;
    reg  [1:0]        h_kind;
    reg  [STOP_W-1:0] h_stop;
    reg  [CRD_W-1:0]  h_first;
    reg  [CRD_W-1:0]  h_last;
    reg  [CRD_W-1:0]  h_next;

    wire v_valid;
    wire v_same;
    wire o_free;
    wire valid = c_valid && v_valid;
    wire joins = held && !settled && c_crd == h_next && v_same;
    wire free  = (!run_valid || run_ready) && o_free;
    wire room  = joins || !held || free;
    wire leave = held && free && (settled || (valid && !joins));
    assign take = valid && room;

    always @(posedge clk) begin
        if (take) begin
            settled <= c_kind[1] || c_stop != NO_STOP;
            h_stop  <= c_stop;
            h_last  <= c_kind[1] ? {CRD_W{1'b0}} : c_last;
            h_next  <= c_last + NEXT_CRD;
            if (!joins) begin
                h_kind  <= c_kind;
                h_first <= c_crd;
            end
        end
        if (rst) begin
            held      <= 1'b0;
            run_valid <= 1'b0;
        end else begin
            held <= take || (held && !leave);
            if (leave || run_ready)
                run_valid <= leave;
        end
    end

    generate
        if (SHARED != 0) begin : g_shared
            wire              b_valid;
            wire [1:0]        b_kind;
            wire [STOP_W-1:0] b_stop;
            wire [VAL_W-1:0]  b_val;
            samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
                .clk(clk), .rst(rst),
                .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
                .out_valid(b_valid), .out_ready(take), .out_beat({b_kind, b_stop, b_val})
            );
            reg                      full;
            reg [VAL_W-1:0]          h_val;
            reg [2+STOP_W+VAL_W-1:0] beat;
            assign v_valid   = b_valid;
            assign v_same    = b_val == h_val;
            assign o_free    = !full || out_ready;
            assign out_valid = full;
            assign out_beat  = beat;
            always @(posedge clk) begin
                if (take)
                    h_val <= b_val;
                if (leave) begin
                    run_beat <= {h_kind, h_stop, h_last, h_first};
                    beat     <= {h_kind, h_stop, h_val};
                end
                if (rst)
                    full <= 1'b0;
                else if (leave || out_ready)
                    full <= leave;
            end

`ifdef SAMHW_ASSERT
            always @(posedge clk)
                if (!rst && take && (c_kind != b_kind || c_stop != b_stop)) begin
                    $display("samhw_runs_pack: crd and val are not aligned");
                    $stop;
                end
`endif
            wire _unused_ok = &{1'b0, b_kind, b_stop, NEXT_REF, 1'b0};
        end else begin : g_own
            reg  [REF_W-1:0] count;
            reg  [REF_W-1:0] h_base;
            assign v_valid   = 1'b1;
            assign v_same    = 1'b1;
            assign o_free    = 1'b1;
            assign val_ready = 1'b0;
            assign out_valid = 1'b0;
            assign out_beat  = {(2+STOP_W+VAL_W){1'b0}};
            always @(posedge clk) begin
                if (take && !joins)
                    h_base <= c_kind[1] ? {REF_W{1'b0}} : count;
                if (leave)
                    run_beat <= {h_kind, h_stop, h_base, h_last, h_first};
                if (rst || (take && c_kind == DONE))
                    count <= {REF_W{1'b0}};
                else if (take && !c_kind[1])
                    count <= count + NEXT_REF;
            end
            wire _unused_ok = &{1'b0, val_valid, val_beat, out_ready, 1'b0};
        end
    endgenerate

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && take && held && !settled && c_crd <= h_last) begin
            $display("samhw_runs_pack: coordinates of a list do not rise");
            $stop;
        end
`endif

endmodule

`default_nettype wire
