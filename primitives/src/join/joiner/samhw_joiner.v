// SPDX-License-Identifier: Apache-2.0
//
// Joiner: merges the fibers of N operands by coordinate; truth tables over the set P of
// operands present at a coordinate say whether it is emitted and which refs go with it.
//
//   Consumes    in[k]: pairs (crd, ref) of depth d, aligned above the height-1 lists,
//               coordinates strictly increasing; EMPTY: the ref is absent, crd is valid.
//   Produces    crd: the coordinates with EMIT[P]; ref[k]: the ref of operand k where P has
//               it, KEEP[k][P] is set and it is not absent, EMPTY elsewhere. All of depth d.
//   Throughput  every head with the smallest coordinate is consumed in each cycle, so a fiber
//               costs as many cycles as its union has coordinates, at least one; a stop costs
//               nothing. Of an intersection of two a coordinate that the other operand lacks goes together with
//               one of the other's, if the next one is in sight and beyond that. When no set of the operands
//               still alive can emit (ALIVE), all their heads are consumed at once.
//   Latency     3 cycles (2 of two operands that are not intersected) for the last beat of a fiber; others
//               leave with the next one.
//   Parameters  N operands; CRD_W, REF_W payload bits; STOP_W stop bits; EMIT, KEEP (table k
//               at bit k << N) and ALIVE truth tables, indexed by sets of operands;
//               USED: bit 0 crd, bit k+1 ref[k]; ready of an output not used is ignored.
//   Reset       valid and state bits; payloads are not reset.
//   Source      "The Sparse Abstract Machine", section 3.2; iteration lattices of "Compilation
//               of Sparse Array Programming Models", section 5.
`default_nettype none

module samhw_joiner #(
    parameter N      = 2,
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter STOP_W = 3,
    parameter [(1<<N)-1:0]     EMIT  = {1'b1, {((1<<N)-1){1'b0}}},
    parameter [(N<<N)-1:0]     KEEP  = {(N<<N){1'b1}},
    parameter [(1<<N)-1:0]     ALIVE = {1'b1, {((1<<N)-2){1'b0}}, 1'b1},
    parameter [N:0]            USED  = {(N+1){1'b1}}
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire [N-1:0]                      in_valid,
    output wire [N-1:0]                      in_ready,
    input  wire [N*(2+STOP_W+REF_W+CRD_W)-1:0] in_beat,

    output wire                              crd_valid,
    input  wire                              crd_ready,
    output wire [2+STOP_W+CRD_W-1:0]         crd_beat,

    output wire [N-1:0]                      ref_valid,
    input  wire [N-1:0]                      ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0]     ref_beat
);
    generate
        if (N < 1 || CRD_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > REF_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire [N-1:0]       skip_valid;
    wire [N*(CRD_W+2)-1:0] skip_beat;
    samhw_joiner_skip #(
        .N(N), .CRD_W(CRD_W), .REF_W(REF_W), .STOP_W(STOP_W), .EMIT(EMIT), .KEEP(KEEP), .ALIVE(ALIVE), .USED(USED),
        .TAG_W(1), .SKIPS({N{1'b0}}), .REQUIRED({(N*N){1'b0}}), .LEADING({(N*N){1'b0}})
    ) u_join (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .crd_valid(crd_valid), .crd_ready(crd_ready), .crd_beat(crd_beat),
        .ref_valid(ref_valid), .ref_ready(ref_ready), .ref_beat(ref_beat),
        .skip_valid(skip_valid), .skip_ready({N{1'b1}}), .skip_beat(skip_beat)
    );
    wire _unused_ok = &{1'b0, skip_valid, skip_beat, 1'b0};

endmodule

`default_nettype wire
