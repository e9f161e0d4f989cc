// SPDX-License-Identifier: Apache-2.0
//
// Back of an ALU: what goes beside the function's pipeline, and the output register. The pipeline
// stalls as a whole.
//
//   Consumes    kind, stop and hole of a beat as its arguments enter the function, where valid
//               and step; y, the function's value, STAGES-1 steps later.
//   Produces    out: kind and stop unchanged; DATA with y, EMPTY and DONE with 0, NIL with its
//               hole.
//   Throughput  one beat per cycle.
//   Latency     STAGES cycles.
//   Parameters  VAL_W, STOP_W, STAGES.
//   Reset       valid bits.
`default_nettype none

module samhw_alu_back #(
    parameter VAL_W  = 16,
    parameter STOP_W = 3,
    parameter STAGES = 1
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      valid,
    output wire                      step,
    input  wire [1:0]                kind,
    input  wire [STOP_W-1:0]         stop,
    input  wire [STOP_W-1:0]         hole,

    input  wire [VAL_W-1:0]          y,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+VAL_W-1:0] out_beat
);
    generate
        if (VAL_W < 1 || STOP_W < 1 || STAGES < 1 || STOP_W > VAL_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam       META = 2 + 2 * STOP_W;

    assign step = !out_valid || out_ready;

    // What enters the output register.
    wire              y_valid;
    wire [1:0]        y_kind;
    wire [STOP_W-1:0] y_stop;
    wire [STOP_W-1:0] y_hole;

    generate
        if (STAGES == 1) begin : g_direct
            assign y_valid = valid;
            assign {y_kind, y_stop, y_hole} = {kind, stop, hole};
        end else begin : g_delay
            localparam N = STAGES - 1;
            reg  [N-1:0]           valids;
            reg  [N*META-1:0]      metas;
            wire [N:0]             valids_in = {valids, valid};
            wire [N*META+META-1:0] metas_in = {metas, kind, stop, hole};
            always @(posedge clk) begin
                if (step)
                    metas <= metas_in[N*META-1:0];
                if (rst)
                    valids <= {N{1'b0}};
                else if (step)
                    valids <= valids_in[N-1:0];
            end
            assign y_valid = valids_in[N];
            assign {y_kind, y_stop, y_hole} = metas_in[N*META +: META];
        end
    endgenerate

    always @(posedge clk) begin
        if (step)
            out_beat <= {y_kind, y_stop,
                         y & {VAL_W{y_kind == DATA}} | {{(VAL_W-STOP_W){1'b0}}, y_hole & {STOP_W{y_kind == NIL}}}};
        if (rst)
            out_valid <= 1'b0;
        else if (step)
            out_valid <= y_valid;
    end

endmodule

`default_nettype wire
