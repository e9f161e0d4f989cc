// SPDX-License-Identifier: Apache-2.0
//
// Input buffer of a dense scanner: references, times the size of the level.
//
//   Consumes    ref; dim, stable during a run.
//   Produces    kind and stop as they are; base: ref * dim (with SCALE 0 ref itself), of a NIL not defined;
//               hole: the low bits of the reference, which are a NIL's. base is combinational behind the last
//               product: for the user's register.
//   Throughput  one beat per cycle. What stands behind a gap catches up while the head waits.
//   Latency     DEPTH + 1 cycles; with PASS none.
//   How         behind the buffer; with PASS in front of it.
//   Parameters  REF_IN_W bits of ref, REF_W of base: products are cut to them; DIM_W; STOP_W; SCALE; PASS of
//               samhw_skid; DEPTH of samhw_mul for REF_W bits; 0 with PASS, without SCALE, and where 18 bits
//               hold ref and dim: one multiplier.
//   Reset       valid bits.
`default_nettype none

module samhw_scale #(
    parameter REF_IN_W = 16,
    parameter REF_W    = 16,
    parameter DIM_W    = 17,
    parameter STOP_W   = 3,
    parameter SCALE    = 1,
    parameter PASS     = 0,
    parameter DEPTH    = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [DIM_W-1:0]             dim,

    input  wire                         ref_valid,
    output wire                         ref_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] ref_beat,

    output wire                         out_valid,
    input  wire                         out_ready,
    output wire [1:0]                   kind,
    output wire [STOP_W-1:0]            stop,
    output wire [STOP_W-1:0]            hole,
    output wire [REF_W-1:0]             base
);
    generate
        if (REF_IN_W < 1 || REF_W < 1 || DIM_W < 1 || STOP_W < 1
            || STOP_W > REF_IN_W
            || SCALE < 0 || SCALE > 1 || PASS < 0 || PASS > 1
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)
            || (DEPTH != 0 && (PASS != 0 || SCALE == 0))) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam META = 2 + 2*STOP_W;

    // Both factors as REF_W bits, whichever is wider.
    wire [REF_W+DIM_W-1:0] wide_dim = {{REF_W{1'b0}}, dim};

    generate
        if (PASS != 0 && SCALE != 0) begin : g_before
            // What passes is multiplied before the buffer, so that nothing stands between it and the multiplier.
            wire [REF_W+REF_IN_W-1:0] wide_ref = {{REF_W{1'b0}}, ref_beat[REF_IN_W-1:0]};
            wire [REF_W-1:0]          product  = wide_ref[REF_W-1:0] * wide_dim[REF_W-1:0];
            samhw_skid #(.W(META+REF_W), .PASS(1)) u_ref (
                .clk(clk), .rst(rst),
                .in_valid(ref_valid), .in_ready(ref_ready),
                .in_beat({ref_beat[REF_IN_W +: 2+STOP_W], ref_beat[STOP_W-1:0], product}),
                .out_valid(out_valid), .out_ready(out_ready), .out_beat({kind, stop, hole, base})
            );
            wire _unused_ok = &{1'b0, wide_ref, 1'b0};
        end else begin : g_behind
            wire                r_valid;
            wire                r_pop;
            wire [1:0]          r_kind;
            wire [STOP_W-1:0]   r_stop;
            wire [REF_IN_W-1:0] r_ref;
            samhw_skid #(.W(2+STOP_W+REF_IN_W), .PASS(PASS)) u_ref (
                .clk(clk), .rst(rst),
                .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
                .out_valid(r_valid), .out_ready(r_pop), .out_beat({r_kind, r_stop, r_ref})
            );
            wire [REF_W+REF_IN_W-1:0] wide_ref = {{REF_W{1'b0}}, r_ref};
            wire [META-1:0]           meta     = {r_kind, r_stop, r_ref[STOP_W-1:0]};
            if (DEPTH == 0) begin : g_now
                assign r_pop              = out_ready;
                assign out_valid          = r_valid;
                assign {kind, stop, hole} = meta;
                assign base = SCALE != 0 ? wide_ref[REF_W-1:0] * wide_dim[REF_W-1:0] : wide_ref[REF_W-1:0];
            end else begin : g_later
                reg  [DEPTH-1:0]           valids;
                reg  [DEPTH*META-1:0]      metas;
                wire [DEPTH:0]             valids_in = {valids, r_valid};
                wire [DEPTH*META+META-1:0] metas_in  = {metas, meta};
                assign r_pop              = out_ready || !valids[DEPTH-1];
                assign out_valid          = valids[DEPTH-1];
                assign {kind, stop, hole} = metas[DEPTH*META-1 -: META];
                samhw_mul #(.W(REF_W), .DEPTH(DEPTH)) u_mul (
                    .clk(clk), .en(r_pop), .a(wide_ref[REF_W-1:0]), .b(wide_dim[REF_W-1:0]), .p(base)
                );
                always @(posedge clk) begin
                    if (r_pop)
                        metas <= metas_in[DEPTH*META-1:0];
                    if (rst)
                        valids <= {DEPTH{1'b0}};
                    else if (r_pop)
                        valids <= valids_in[DEPTH-1:0];
                end
                wire _unused_ok = &{1'b0, valids_in[DEPTH], metas_in[DEPTH*META +: META], 1'b0};
            end
            wire _unused_ok = &{1'b0, wide_ref, 1'b0};
        end
    endgenerate

    wire _unused_ok = &{1'b0, wide_dim, 1'b0};

endmodule

`default_nettype wire
