// SPDX-License-Identifier: Apache-2.0
//
// Locator of a dense level: where a coordinate lies below a parent.
//
//   Consumes    crd, parent: aligned leaf by leaf.
//   Produces    found: their shape; leaves are parent * dim + crd, EMPTY where parent or crd is
//               EMPTY or crd >= dim.
//   Throughput  one beat per cycle.
//   Latency     DEPTH + 3 cycles.
//   Parameters  CRD_W; REF_IN_W bits of parent; REF_W bits of found; STOP_W; DEPTH of samhw_mul
//               for REF_W bits.
//   Reset       valid bits.
//   Source      "The Sparse Abstract Machine", section 4.2.
`default_nettype none

module samhw_locator_dense #(
    parameter CRD_W    = 16,
    parameter REF_IN_W = 16,
    parameter REF_W    = 16,
    parameter STOP_W   = 3,
    parameter DEPTH    = 0
) (
    input  wire                         clk,
    input  wire                         rst,

    input  wire [CRD_W:0]               dim,

    input  wire                         crd_valid,
    output wire                         crd_ready,
    input  wire [2+STOP_W+CRD_W-1:0]    crd_beat,

    input  wire                         parent_valid,
    output wire                         parent_ready,
    input  wire [2+STOP_W+REF_IN_W-1:0] parent_beat,

    output reg                          found_valid,
    input  wire                         found_ready,
    output reg  [2+STOP_W+REF_W-1:0]    found_beat
);
    generate
        if (CRD_W < 1 || REF_IN_W < 1 || REF_W < 1 || STOP_W < 1
            || STOP_W > CRD_W || STOP_W > REF_IN_W || STOP_W > REF_W
            || (DEPTH != 0 && DEPTH != 2 && DEPTH != 3)) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    `include "samhw_kinds.vh"
    localparam       N     = DEPTH + 1;             // stages before the output register
    localparam       META  = 2 + STOP_W + CRD_W;

    wire                step = !found_valid || found_ready;
    wire                c_valid;
    wire [1:0]          c_kind;
    wire [STOP_W-1:0]   c_stop;
    wire [CRD_W-1:0]    c_crd;
    wire                p_valid;
    wire [1:0]          p_kind;
    wire [REF_IN_W-1:0] p_ref;
    wire                both = c_valid && p_valid;
    samhw_skid #(.W(2+STOP_W+CRD_W)) u_crd (
        .clk(clk), .rst(rst),
        .in_valid(crd_valid), .in_ready(crd_ready), .in_beat(crd_beat),
        .out_valid(c_valid), .out_ready(step && p_valid), .out_beat({c_kind, c_stop, c_crd})
    );
    // The shape is that of crd.
    samhw_skid #(.W(2+REF_IN_W)) u_parent (
        .clk(clk), .rst(rst),
        .in_valid(parent_valid), .in_ready(parent_ready),
        .in_beat({parent_beat[REF_IN_W+STOP_W +: 2], parent_beat[REF_IN_W-1:0]}),
        .out_valid(p_valid), .out_ready(step && c_valid), .out_beat({p_kind, p_ref})
    );

    wire leaf = !c_kind[1];
    wire miss = c_kind[0] || p_kind[0] || {1'b0, c_crd} >= dim;

    // Low REF_W bits of both factors.
    wire [REF_IN_W+REF_W-1:0] parent_wide = {{REF_W{1'b0}}, p_ref};
    wire [CRD_W+REF_W:0]      dim_wide    = {{REF_W{1'b0}}, dim};
    wire [REF_W-1:0]          product;
    reg  [REF_W-1:0]          base;
    samhw_mul #(.W(REF_W), .DEPTH(DEPTH)) u_mul (
        .clk(clk), .en(step), .a(parent_wide[REF_W-1:0]), .b(dim_wide[REF_W-1:0]), .p(product)
    );

    reg  [N-1:0]           valids;
    reg  [N*META-1:0]      metas;
    wire [N:0]             valids_in = {valids, both};
    wire [N*META+META-1:0] metas_in  = {metas, leaf ? (miss ? EMPTY : DATA) : c_kind, c_stop, c_crd};
    wire [1:0]             y_kind;
    wire [STOP_W-1:0]      y_stop;
    wire [CRD_W-1:0]       y_crd;
    assign {y_kind, y_stop, y_crd} = metas_in[N*META +: META];
    wire [CRD_W+REF_W-1:0] crd_wide = {{REF_W{1'b0}}, y_crd};
    wire [REF_W-1:0]       place    = base + crd_wide[REF_W-1:0];

    always @(posedge clk) begin
        if (step) begin
            base  <= product;
            metas <= metas_in[N*META-1:0];
            found_beat <= {y_kind, y_stop,
                           place & {REF_W{y_kind == DATA}}
                           | {{(REF_W-STOP_W){1'b0}}, y_crd[STOP_W-1:0] & {STOP_W{y_kind == NIL}}}};
        end
        if (rst) begin
            valids      <= {N{1'b0}};
            found_valid <= 1'b0;
        end else if (step) begin
            valids      <= valids_in[N-1:0];
            found_valid <= valids_in[N];
        end
    end

`ifdef SAMHW_ASSERT
    always @(posedge clk)
        if (!rst && both && (c_kind[1] != p_kind[1]
                             || (c_kind[1] && (c_kind != p_kind || c_crd[STOP_W-1:0] != p_ref[STOP_W-1:0])))) begin
            $display("samhw_locator_dense: crd and parent are not aligned");
            $stop;
        end
`endif

    wire _unused_ok = &{1'b0, parent_beat[REF_IN_W +: STOP_W], p_kind[1], parent_wide, dim_wide, crd_wide, 1'b0};

endmodule

`default_nettype wire
