// SPDX-License-Identifier: Apache-2.0
//
// Rounds: runs a program again as long as a scalar that it writes is not 0, at most AT_MOST times.
//
//   Consumes    start: a token per run; finished: a token per round; write {data, addr}: the
//               scalar, before the round's token.
//   Produces    turn: a beat per round, what the round reads of what is carried: 0 what the host
//               gave, 1 and 2 the banks in turn; done: a token per run.
//   Status      rounds of the last run; open: 1 if it ended after AT_MOST rounds and the scalar was
//               not 0.
//   Latency     a token taken at edge t is answered, by turn or done, at edge t+2 at the earliest.
//   Boundary    all outputs are registers.
//   Parameters  ADDR_W, DATA_W of the scalar's writes; MASK: bits of the data of which one must be
//               1; AT_MOST, at least 1.
//   Reset       valid bits, state and status.
`default_nettype none

module samhw_rounds #(
    parameter              ADDR_W  = 2,
    parameter              DATA_W  = 8,
    parameter [DATA_W-1:0] MASK    = 8'hff,
    parameter [31:0]       AT_MOST = 32'd10
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     start_valid,
    output wire                     start_ready,
    input  wire                     start_beat,

    input  wire                     finished_valid,
    output wire                     finished_ready,
    input  wire                     finished_beat,

    input  wire                     write_valid,
    output wire                     write_ready,
    input  wire [ADDR_W+DATA_W-1:0] write_beat,

    output reg                      turn_valid,
    input  wire                     turn_ready,
    output reg  [1:0]               turn_beat,

    output reg                      done_valid,
    input  wire                     done_ready,
    output wire                     done_beat,

    output reg  [31:0]              rounds,
    output reg                      open
);
    generate
        if (ADDR_W < 1 || DATA_W < 1 || AT_MOST == 0) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    reg  asked;
    reg  here;
    reg  running;
    reg  more;
    wire begins  = asked && !running && (!done_valid || done_ready);
    wire decides = running && here && (!turn_valid || turn_ready);
    wire again   = more && rounds != AT_MOST;

    assign start_ready    = !asked;
    assign finished_ready = !here;
    assign write_ready    = 1'b1;
    assign done_beat      = 1'b0;

    always @(posedge clk) begin
        if (begins || decides)
            turn_beat <= begins ? 2'd0 : rounds[0] ? 2'd1 : 2'd2;
        if (rst) begin
            more       <= 1'b0;
            asked      <= 1'b0;
            here       <= 1'b0;
            running    <= 1'b0;
            turn_valid <= 1'b0;
            done_valid <= 1'b0;
            rounds     <= 32'd0;
            open       <= 1'b0;
        end else begin
            if (write_valid)
                more <= |(write_beat[ADDR_W +: DATA_W] & MASK);
            asked <= asked ? !begins : start_valid;
            here  <= here ? !decides : finished_valid;
            if (!turn_valid || turn_ready)
                turn_valid <= begins || (decides && again);
            if (!done_valid || done_ready)
                done_valid <= decides && !again;
            if (begins) begin
                running <= 1'b1;
                rounds  <= 32'd1;
                open    <= 1'b0;
            end
            if (decides && again)
                rounds <= rounds + 32'd1;
            if (decides && !again) begin
                running <= 1'b0;
                open    <= more;
            end
        end
    end

    wire _unused_ok = &{1'b0, start_beat, finished_beat, write_beat[ADDR_W-1:0], 1'b0};

endmodule

`default_nettype wire
