// SPDX-License-Identifier: Apache-2.0
//
// Root: makes the stream that starts a run, one reference of depth 0, for each start token.
//
//   Consumes    start: tokens.
//   Produces    ref[k]: DATA 0, DONE per token, each as soon as its reader can take it; the next beat is
//               offered when all have taken the one before.
//   Throughput  one beat per cycle, so one run every two cycles.
//   Latency     1 cycle.
//   Boundary    all outputs are registers; payload and stop are constant.
//   Parameters  REF_W payload bits; STOP_W stop bits; N readers.
//   Reset       everything.
`default_nettype none

module samhw_root #(
    parameter REF_W  = 16,
    parameter STOP_W = 3,
    parameter N      = 1
) (
    input  wire                          clk,
    input  wire                          rst,

    input  wire                          start_valid,
    output wire                          start_ready,
    input  wire                          start_beat,

    output reg  [N-1:0]                  ref_valid,
    input  wire [N-1:0]                  ref_ready,
    output wire [N*(2+STOP_W+REF_W)-1:0] ref_beat
);
    generate
        if (REF_W < 1 || STOP_W < 1 || N < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    // A token waits (one that arrives need not); the output register holds DATA that DONE has to follow, or not.
    reg  asked;
    reg  owes;

    wire [N-1:0] left  = ref_valid & ~ref_ready;
    wire         load  = left == {N{1'b0}};
    wire         wants = asked || start_valid;

    assign start_ready = !asked;
    assign ref_beat    = {N{{!owes, !owes, {(STOP_W+REF_W){1'b0}}}}};

    always @(posedge clk)
        if (rst) begin
            asked     <= 1'b0;
            ref_valid <= {N{1'b0}};
            owes      <= 1'b0;
        end else begin
            asked <= wants && !(load && !owes);
            if (load) begin
                ref_valid <= {N{owes || wants}};
                owes      <= !owes && wants;
            end else
                ref_valid <= left;
        end

    wire _unused_ok = &{1'b0, start_beat, 1'b0};

endmodule

`default_nettype wire
