// SPDX-License-Identifier: Apache-2.0
//
// Repeater: each leaf of `ref` (depth d) once per leaf of its list in `crd` (depth d+1).
//
//   Consumes    ref: leaves DATA or EMPTY; crd: one list per leaf of ref. Only the structure
//               of crd counts. ref and crd must be aligned.
//   Produces    out: depth d+1, the shape of crd, the payload and kind of ref.
//   Throughput  one beat of crd per cycle; an empty list costs one.
//   Latency     2 cycles.
//   Parameters  REF_W payload bits, CRD_W coordinate bits, STOP_W stop bits.
//   Reset       valid bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.3.
`default_nettype none

module samhw_repeater #(
    parameter REF_W  = 16,
    parameter CRD_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      ref_valid,
    output wire                      ref_ready,
    input  wire [2+STOP_W+REF_W-1:0] ref_beat,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0] crd_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+REF_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1 || STOP_W > REF_W || STOP_W > CRD_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"

    // Inputs. Of crd only kind, stop and (for NIL) the hole are kept.
    wire                r_valid;
    wire                r_pop;
    wire [1:0]          r_kind;
    wire [REF_W-1:0]    r_ref;
    wire [STOP_W-1:0]   r_stop;
    samhw_skid #(.W(2+STOP_W+REF_W)) u_ref (
        .clk(clk), .rst(rst),
        .in_valid(ref_valid), .in_ready(ref_ready), .in_beat(ref_beat),
        .out_valid(r_valid), .out_ready(r_pop), .out_beat({r_kind, r_stop, r_ref})
    );

    wire                c_valid;
    wire                c_pop;
    wire [1:0]          c_kind;
    wire [STOP_W-1:0]   c_stop;
    wire [STOP_W-1:0]   c_hole;
    samhw_skid #(.W(2+2*STOP_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready),
        .in_beat({crd_beat[CRD_W +: 2+STOP_W], crd_beat[STOP_W-1:0]}),
        .out_valid(c_valid), .out_ready(c_pop), .out_beat({c_kind, c_stop, c_hole})
    );

    wire go    = r_valid && c_valid && (!out_valid || out_ready);
    wire leaf  = !c_kind[1];
    assign c_pop = go;
    // A leaf stays for its whole list; NIL above it and DONE go together.
    assign r_pop = go && (c_stop != {STOP_W{1'b0}} || c_kind == DONE);

    always @(posedge clk) begin
        if (go)
            out_beat <= {leaf ? r_kind : c_kind, c_stop,
                         leaf ? r_ref : {{(REF_W-STOP_W){1'b0}}, c_hole}};
        if (rst)
            out_valid <= 1'b0;
        else if (go || out_ready)
            out_valid <= go;
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && (((!r_kind[1]) != (leaf || (c_kind == NIL && c_hole == {{(STOP_W-1){1'b0}}, 1'b1})))
                           || ((r_kind == DONE) != (c_kind == DONE)))) begin
            $display("samhw_repeater: ref and crd are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, crd_beat, r_stop, NIL, 1'b0};

endmodule

`default_nettype wire
