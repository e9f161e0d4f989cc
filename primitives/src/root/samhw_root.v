// SPDX-License-Identifier: Apache-2.0
//
// Root: makes the stream that starts a run, one reference of depth 0, for each start token.
//
//   Consumes    start: tokens.
//   Produces    ref: DATA 0, DONE per token.
//   Throughput  one beat per cycle, so one run every two cycles.
//   Latency     2 cycles.
//   Boundary    all outputs are registers; payload and stop are constant.
//   Parameters  REF_W payload bits; STOP_W stop bits.
//   Reset       everything.
`default_nettype none

module samhw_root #(
    parameter REF_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      start_valid,
    output wire                      start_ready,
    input  wire                      start_beat,

    output reg                       ref_valid,
    input  wire                      ref_ready,
    output wire [2+STOP_W+REF_W-1:0] ref_beat
);

    // A token waits; the output register holds DONE, or DATA that DONE has to follow.
    reg  asked;
    reg  done;

    wire load = !ref_valid || ref_ready;
    wire owes = ref_valid && !done;

    assign start_ready = !asked;
    assign ref_beat    = {done, done, {(STOP_W+REF_W){1'b0}}};

    always @(posedge clk)
        if (rst) begin
            asked     <= 1'b0;
            ref_valid <= 1'b0;
            done      <= 1'b0;
        end else begin
            asked <= asked ? !(load && !owes) : start_valid;
            if (load) begin
                ref_valid <= owes || asked;
                done      <= owes;
            end
        end

    wire _unused_ok = &{1'b0, start_beat, 1'b0};

endmodule

`default_nettype wire
