// SPDX-License-Identifier: Apache-2.0
//
// Progress: how many words of an array have been written, by one who appends.
//
//   Consumes    begin: a token, nothing is written yet; written {data, addr}: the writes that a memory gets, at
//               rising addresses from 0; finished: a token, everything is written.
//   Produces    begun, opened: a token for each of begin and finished, when it holds.
//   Throughput  one word per cycle.
//   Latency     1 cycle.
//   Boundary    all outputs are registers; written_ready is always 1.
//   Parameters  ADDR_W bits of an address; DATA_W of a word.
//   Reset       valid bits and state: nothing is written.
`default_nettype none

module samhw_progress #(
    parameter ADDR_W = 8,
    parameter DATA_W = 16
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     begin_valid,
    output wire                     begin_ready,
    input  wire                     begin_beat,

    input  wire                     written_valid,
    output wire                     written_ready,
    input  wire [ADDR_W+DATA_W-1:0] written_beat,

    input  wire                     finished_valid,
    output wire                     finished_ready,
    input  wire                     finished_beat,

    output reg                      begun_valid,
    input  wire                     begun_ready,
    output wire                     begun_beat,

    output reg                      opened_valid,
    input  wire                     opened_ready,
    output wire                     opened_beat,

    // Words that are there, or all.
    output reg  [ADDR_W:0]          progress,
    output reg                      complete
);
    generate
        if (ADDR_W < 1 || DATA_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    assign begin_ready    = !begun_valid;
    assign written_ready  = 1'b1;
    assign finished_ready = !opened_valid;
    assign begun_beat     = 1'b0;
    assign opened_beat    = 1'b0;

    always @(posedge clk)
        if (rst) begin
            progress     <= {(ADDR_W+1){1'b0}};
            complete     <= 1'b0;
            begun_valid  <= 1'b0;
            opened_valid <= 1'b0;
        end else begin
            begun_valid  <= begun_valid ? !begun_ready : begin_valid;
            opened_valid <= opened_valid ? !opened_ready : finished_valid;
            if (written_valid)
                progress <= {1'b0, written_beat[ADDR_W-1:0]} + {{ADDR_W{1'b0}}, 1'b1};
            if (finished_valid && finished_ready)
                complete <= 1'b1;
            if (begin_valid && begin_ready) begin
                progress <= {(ADDR_W+1){1'b0}};
                complete <= 1'b0;
            end
        end

    wire _unused_ok = &{1'b0, begin_beat, finished_beat, written_beat[ADDR_W +: DATA_W], 1'b0};

endmodule

`default_nettype wire
