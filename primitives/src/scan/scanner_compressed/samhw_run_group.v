// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring entries of a fiber with equal coordinates become one leaf, whose ref is the
// range {end, begin} of their positions.
//
//   Consumes    in: beats {crd, ref} with in_list 1 for an entry, in_last 1 where a fiber ends or
//               in is no entry; positions of a fiber are consecutive, coordinates do not decrease.
//   Produces    out: the beats with one leaf per distinct coordinate.
//   Throughput  one beat per cycle.
//   Latency     2 cycles for the last leaf of a fiber and what is no entry; others leave when
//               the next one begins.
//   Boundary    out is a register; in_ready depends on out_ready and in_beat.
//   Parameters  REF_W bits of positions, CRD_W of coordinates, STOP_W.
//   Reset       valid bits; beats are not reset.
`default_nettype none

module samhw_run_group #(
    parameter REF_W  = 16,
    parameter CRD_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                              clk,
    input  wire                              rst,

    input  wire                              in_valid,
    output wire                              in_ready,
    input  wire                              in_list,
    input  wire                              in_last,
    input  wire [2+STOP_W+REF_W+CRD_W-1:0]   in_beat,

    output reg                               out_valid,
    input  wire                              out_ready,
    output reg  [2+STOP_W+2*REF_W+CRD_W-1:0] out_beat
);
    generate
        if (REF_W < 1 || CRD_W < 1 || STOP_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [REF_W-1:0] NEXT = 1;

    wire [1:0]        kind;
    wire [STOP_W-1:0] stop;
    wire [REF_W-1:0]  first;
    wire [CRD_W-1:0]  crd;
    assign {kind, stop, first, crd} = in_beat;

    // The leaf that more entries may join, until it is settled.
    reg               held;
    reg               settled;
    reg  [1:0]        h_kind;
    reg  [STOP_W-1:0] h_stop;
    reg  [REF_W-1:0]  h_end;
    reg  [REF_W-1:0]  h_begin;
    reg  [CRD_W-1:0]  h_crd;

    // What follows a leaf that is not settled is an entry of the same fiber.
    wire join_held = held && !settled && crd == h_crd;
    wire out_free  = !out_valid || out_ready;
    assign in_ready = join_held || !held || out_free;
    wire take  = in_valid && in_ready;
    wire leave = held && out_free && (settled || (in_valid && !join_held));

    always @(posedge clk) begin
        if (take) begin
            settled <= in_last;
            h_stop  <= stop;
            h_end   <= in_list ? first + NEXT : {REF_W{1'b0}};
            if (!join_held) begin
                h_kind  <= kind;
                h_begin <= first;
                h_crd   <= crd;
            end
        end
        if (leave)
            out_beat <= {h_kind, h_stop, h_end, h_begin, h_crd};
        if (rst) begin
            held      <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            held <= take || (held && !leave);
            if (out_free)
                out_valid <= leave;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && take && held && !settled && crd < h_crd) begin
            $display("samhw_run_group: coordinates of a fiber decrease");
            $stop;
        end
`endif

endmodule

`default_nettype wire
