// SPDX-License-Identifier: Apache-2.0
//
// Words of lines, as a core's answers.
//
//   Consumes    take, in a cycle with free: a word whose line is at `line` from the next cycle on until the
//               one after it is taken; lane: which word of the line; out: an answer ends with it; two: the
//               word behind it goes with it (PAIR 2).
//   Produces    read_rsp, in order: the word, or {word, word before} (PAIR 1 and 2).
//   Throughput  one word per cycle.
//   Boundary    read_rsp and free follow from registers, `line`, and read_rsp_ready.
//   Parameters  DATA_W bits of a word, at most 8 << SIZE_LOG2; LANE_W bits of lane; BUS_LOG2 of the bytes of
//               a line; PAIR.
//   Reset       valid bits.
`default_nettype none

module samhw_axi_lane #(
    parameter DATA_W    = 32,
    parameter SIZE_LOG2 = 2,
    parameter BUS_LOG2  = 3,
    parameter LANE_W    = 1,
    parameter PAIR      = 0
) (
    input  wire                                       clk,
    input  wire                                       rst,

    input  wire                                       take,
    output wire                                       free,
    input  wire                                       out,
    input  wire                                       two,
    input  wire [LANE_W-1:0]                          lane,
    input  wire [(8<<BUS_LOG2)-1:0]                   line,

    output wire                                       read_rsp_valid,
    input  wire                                       read_rsp_ready,
    output wire [(PAIR != 0 ? 2*DATA_W : DATA_W)-1:0] read_rsp_beat
);
    generate
        if (SIZE_LOG2 < 0 || DATA_W < 1 || DATA_W > 8 << SIZE_LOG2
            || BUS_LOG2 < SIZE_LOG2 || BUS_LOG2 > 7
            || LANE_W < 1
            || (PAIR == 2 && BUS_LOG2 == SIZE_LOG2)
            || PAIR < 0 || PAIR > 2) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam BUS = 8 << BUS_LOG2;

    reg               s_valid;
    reg               s_out;
    reg  [LANE_W-1:0] s_lane;
    wire [BUS-1:0]    shifted = line >> {s_lane, {(SIZE_LOG2+3){1'b0}}};
    wire [DATA_W-1:0] word    = shifted[DATA_W-1:0];
    wire              go      = s_valid && (!s_out || read_rsp_ready);
    assign free           = !s_valid || go;
    assign read_rsp_valid = s_valid && s_out;

    generate
        if (PAIR != 0) begin : g_both
            reg               s_two;
            reg  [DATA_W-1:0] former;
            wire [DATA_W-1:0] latest;
            assign read_rsp_beat = {latest, PAIR == 2 && s_two ? word : former};
            always @(posedge clk) begin
                if (take)
                    s_two <= two;
                if (go)
                    former <= latest;
            end
            if (PAIR == 2) begin : g_two
                assign latest = s_two ? shifted[(8<<SIZE_LOG2) +: DATA_W] : word;
            end else begin : g_in_turn
                assign latest = word;
            end
            wire _unused_two = &{1'b0, s_two, 1'b0};
        end else begin : g_one
            assign read_rsp_beat = word;
            wire _unused_two = &{1'b0, two, 1'b0};
        end
    endgenerate

    always @(posedge clk) begin
        if (take) begin
            s_lane <= lane;
            s_out  <= out;
        end
        if (rst)
            s_valid <= 1'b0;
        else if (free)
            s_valid <= take;
    end

    wire _unused_ok = &{1'b0, shifted, 1'b0};

endmodule

`default_nettype wire
