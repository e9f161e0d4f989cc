// SPDX-License-Identifier: Apache-2.0
//
// Input buffers of a coordinate stream and its values, seen as one stream of pairs.
//
//   Consumes    crd, val: aligned leaf by leaf; leaves of crd are DATA, those of val may be EMPTY.
//   Produces    out: pairs (crd, val) of the kind of val.
//   Throughput  one beat per cycle.
//   Latency     one cycle.
//   Boundary    the ready of both inputs is a register.
//   Parameters  CRD_W, VAL_W, STOP_W bits.
//   Reset       valid bits; payloads are not reset.
`default_nettype none

module samhw_pair #(
    parameter CRD_W  = 16,
    parameter VAL_W  = 16,
    parameter STOP_W = 3
) (
    input  wire                            clk,
    input  wire                            rst,

    input  wire                            crd_valid,
    output wire                            crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]       crd_beat,

    input  wire                            val_valid,
    output wire                            val_ready,
    input  wire [2+STOP_W+VAL_W-1:0]       val_beat,

    output wire                            out_valid,
    input  wire                            out_ready,
    output wire [2+STOP_W+VAL_W+CRD_W-1:0] out_beat
);
    generate
        if (CRD_W < 1 || VAL_W < 1 || STOP_W < 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    wire              go;
    wire              c_valid;
    wire              v_valid;
    wire [1:0]        c_kind;
    wire [STOP_W-1:0] c_stop;
    wire [CRD_W-1:0]  c_crd;
    wire [1:0]        v_kind;
    wire [STOP_W-1:0] v_stop;
    wire [VAL_W-1:0]  v_val;
    samhw_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(go), .out_beat({c_kind, c_stop, c_crd})
    );
    samhw_skid #(.W(2+STOP_W+VAL_W)) u_val (
        .clk(clk), .rst(rst),
        .in_valid(val_valid), .in_ready(val_ready), .in_beat(val_beat),
        .out_valid(v_valid), .out_ready(go), .out_beat({v_kind, v_stop, v_val})
    );

    // The hole of a NIL is in crd already.
    assign out_valid = c_valid && v_valid;
    assign go        = out_valid && out_ready;
    assign out_beat  = {v_kind, c_stop, v_kind[1] ? {VAL_W{1'b0}} : v_val, c_crd};

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && out_valid
            && (c_stop != v_stop || (c_kind[1] ? c_kind != v_kind || c_crd[STOP_W-1:0] != v_val[STOP_W-1:0]
                                               : v_kind[1]))) begin
            $display("samhw_pair: crd and val are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, c_kind, v_stop, 1'b0};

endmodule

`default_nettype wire
