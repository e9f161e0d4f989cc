// SPDX-License-Identifier: Apache-2.0
//
// Where the extreme value of a list came first, at each leaf of all up to there.
//
//   Consumes    crd: coordinates, or intervals with the first coordinate lowest, any depth; val:
//               the same shape, leaves DATA.
//   Produces    out: the shape of both; a leaf is the coordinate at which the least value so far
//               (GREATEST: the greatest) came first. The first NaN is beyond all other values.
//   Throughput  one beat per cycle.
//   Latency     2 cycles.
//   Parameters  GREATEST; SIGNED: whole numbers are two's complement; EXP, MAN of floats (else MAN
//               is 0); W bits of a value, VAL_W of its payload; CRD_W bits of a coordinate, IN_W of
//               crd's payload, OUT_W of the result's, the greater of CRD_W and STOP_W; STOP_W stop
//               bits, at most VAL_W and OUT_W.
//   Reset       valid bits and state.
`default_nettype none

module samhw_prefix_first #(
    parameter GREATEST = 0,
    parameter SIGNED   = 1,
    parameter EXP      = 0,
    parameter MAN      = 0,
    parameter W        = 16,
    parameter VAL_W    = 16,
    parameter CRD_W    = 16,
    parameter IN_W     = 16,
    parameter OUT_W    = 16,
    parameter STOP_W   = 3
) (
    input  wire                      clk,
    input  wire                      rst,

    input  wire                      crd_valid,
    output wire                      crd_ready,
    input  wire [2+STOP_W+IN_W-1:0]  crd_beat,

    input  wire                      val_valid,
    output wire                      val_ready,
    input  wire [2+STOP_W+VAL_W-1:0] val_beat,

    output reg                       out_valid,
    input  wire                      out_ready,
    output reg  [2+STOP_W+OUT_W-1:0] out_beat
);
    generate
        if (GREATEST < 0 || GREATEST > 1 || SIGNED < 0 || SIGNED > 1
            || EXP < 0 || MAN < 0
            || (MAN != 0 && (EXP < 3 || W != 1 + EXP + MAN))
            || W < 1 || CRD_W < 1 || STOP_W < 1
            || VAL_W < W || IN_W < CRD_W || OUT_W < CRD_W
            || STOP_W > VAL_W || STOP_W > OUT_W) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [STOP_W-1:0] ZERO = 0;

    wire              c_valid;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [IN_W-1:0]   c_crd;
    wire              v_valid;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;

    wire free = !out_valid || out_ready;
    wire go   = c_valid && v_valid && free;

    samhw_skid #(.W(2+STOP_W+IN_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(go), .out_beat({c_kind, c_stop, c_crd})
    );
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(go), .out_beat({v_kind, v_stop, v_val})
    );

    reg             some;  // the list had a value
    reg [W-1:0]     best;
    reg [CRD_W-1:0] at;

    wire [W-1:0] own = v_val[W-1:0];
    wire         better;
    generate
        if (MAN != 0) begin : g_float
            localparam [EXP+MAN-1:0] INF = {{EXP{1'b1}}, {MAN{1'b0}}};
            wire less, equal, none;
            samhw_float_order #(.EXP(EXP), .MAN(MAN)) u_order (
                .a(GREATEST != 0 ? best : own), .b(GREATEST != 0 ? own : best),
                .less(less), .equal(equal), .none(none)
            );
            assign better = less || (none && best[EXP+MAN-1:0] <= INF);
            wire _unused_equal = &{1'b0, equal, 1'b0};
        end else if (SIGNED != 0) begin : g_signed
            assign better = GREATEST != 0 ? $signed(best) < $signed(own) : $signed(own) < $signed(best);
        end else begin : g_unsigned
            assign better = GREATEST != 0 ? best < own : own < best;
        end
    endgenerate

    wire                   leaf  = !v_kind[1];
    wire                   inner = v_stop == ZERO;
    wire                   take  = !some || better;
    wire [CRD_W-1:0]       here  = take ? c_crd[CRD_W-1:0] : at;
    wire [OUT_W+CRD_W-1:0] wide  = {{OUT_W{1'b0}}, here};
    wire [OUT_W+VAL_W-1:0] hole  = {{OUT_W{1'b0}}, v_val};

    always @(posedge clk) begin
        if (go) begin
            out_beat <= {v_kind, v_stop, leaf ? wide[OUT_W-1:0] : hole[OUT_W-1:0]};
            best <= take ? own : best;
            at   <= here;
        end
        if (rst) begin
            out_valid <= 1'b0;
            some      <= 1'b0;
        end else begin
            if (free)
                out_valid <= go;
            if (go && leaf)
                some <= inner;
        end
    end

    wire _unused_ok = &{1'b0, c_kind, c_stop, c_crd, v_val, wide, hole, 1'b0};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && go && (c_stop != v_stop || c_kind[1] != v_kind[1] || v_kind == 2'd1)) begin
            $display("samhw_prefix_first: crd and val are not aligned");
            $stop;
        end
`endif

endmodule

`default_nettype wire
