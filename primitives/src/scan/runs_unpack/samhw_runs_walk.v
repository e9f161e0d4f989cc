// SPDX-License-Identifier: Apache-2.0
//
// Walks over the words of a level that is stored in runs: each run becomes its coordinates with their
// positions.
//
//   Consumes    in: pairs (word, ref) of depth d, leaves DATA: coordinates {last, first} of a run, ref its
//               position; without SHARED the word is {base, last, first}, base the position of the first
//               coordinate.
//   Produces    out: pairs (coordinate, position) of depth d: first to last, all with the run's position;
//               without SHARED from base on. Where cut is 1 a run ends with its next coordinate. leaves:
//               the last beat of a fiber does.
//   Throughput  one coordinate per cycle.
//   Latency     one cycle.
//   Parameters  CRD_W, REF_W of the pairs out; AT_W bits of ref, REF_W with SHARED; STOP_W, at most CRD_W.
//   Reset       valid bits, place in the run; payloads are not reset.
//   Source      run-length and block levels of "Looplets" (Ahrens et al., CGO'23); not in the SAM paper.
`default_nettype none

module samhw_runs_walk #(
    parameter CRD_W  = 16,
    parameter REF_W  = 16,
    parameter AT_W   = 16,
    parameter SHARED = 0,
    parameter STOP_W = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            in_valid,
    output wire                            in_ready,
    input  wire [2+STOP_W+AT_W+2*CRD_W+(SHARED != 0 ? 0 : REF_W)-1:0] in_beat,

    output reg                             out_valid,
    input  wire                            out_ready,
    output reg  [2+STOP_W+REF_W+CRD_W-1:0] out_beat,

    input  wire                            cut,
    output wire                            leaves
);
    generate
        if (CRD_W < 1 || REF_W < 1 || AT_W < 1 || STOP_W < 1
            || STOP_W > CRD_W
            || SHARED < 0 || SHARED > 1
            || (SHARED != 0 && AT_W != REF_W)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam WORD_W = 2 * CRD_W + (SHARED != 0 ? 0 : REF_W);
    localparam [STOP_W-1:0] NO_STOP  = 0;
    localparam [CRD_W-1:0]  NEXT_CRD = 1;
    localparam [REF_W-1:0]  NEXT_REF = SHARED != 0 ? 0 : 1;

    wire              free = !out_valid || out_ready;
    wire              ends;
    wire              s_valid;
    wire [1:0]        s_kind;
    wire [STOP_W-1:0] s_stop;
    wire [AT_W-1:0]   s_at;
    wire [WORD_W-1:0] s_word;
    samhw_skid #(.W(2+STOP_W+AT_W+WORD_W), .PASS(1)) u_in (
        .clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .in_beat(in_beat),
        .out_valid(s_valid), .out_ready(free && ends), .out_beat({s_kind, s_stop, s_at, s_word})
    );

    // What is no run has a word whose upper bits are 0, as its ref is.
    reg               going;
    reg  [CRD_W-1:0]  crd_on;
    reg  [REF_W-1:0]  ref_on;
    wire [CRD_W-1:0]  first = s_word[CRD_W-1:0];
    wire [CRD_W-1:0]  last  = s_word[CRD_W +: CRD_W];
    wire [REF_W-1:0]  base;
    wire [CRD_W-1:0]  crd   = going ? crd_on : first;
    wire [REF_W-1:0]  at    = going ? ref_on : base;
    wire              step  = s_valid && free;
    assign ends   = s_kind[1] || crd == last || cut;
    assign leaves = step && ends && (s_kind[1] || s_stop != NO_STOP);

    generate
        if (SHARED != 0) begin : g_shared
            assign base = s_at;
        end else begin : g_own
            assign base = s_word[WORD_W-1 -: REF_W];
            wire _unused_ok = &{1'b0, s_at, 1'b0};
        end
    endgenerate

    always @(posedge clk) begin
        if (step) begin
            out_beat <= {s_kind, ends ? s_stop : NO_STOP, at, crd};
            crd_on   <= crd + NEXT_CRD;
            ref_on   <= at + NEXT_REF;
        end
        if (rst) begin
            out_valid <= 1'b0;
            going    <= 1'b0;
        end else begin
            if (free)
                out_valid <= s_valid;
            if (step)
                going <= !ends;
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && step && !s_kind[1] && last < first) begin
            $display("samhw_runs_walk: a run ends before it begins");
            $stop;
        end
`endif

endmodule

`default_nettype wire
