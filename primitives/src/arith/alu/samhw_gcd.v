// SPDX-License-Identifier: Apache-2.0
//
// Greatest common divisor of the sizes of two words, by halving and subtracting.
//
//   Consumes    start, with arguments that stay until `done`.
//   Produces    done, with the result y, until `take`. The size of the smallest number alone is that number.
//   Throughput  one value per run. A run takes 2 cycles, and at most 2 W more, one for each step.
//   Parameters  W bits, at least 2; SIGNED or not.
//   Reset       state.
//   Source      Stein, "Computational problems associated with Racah algebra".
`default_nettype none

module samhw_gcd #(
    parameter W      = 16,
    parameter SIGNED = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         start,
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire         done,
    input  wire         take,
    output wire [W-1:0] y
);
    generate
        if (W < 2 || SIGNED < 0 || SIGNED > 1) begin : g_parameters
            samhw_parameter_out_of_range refused ();
        end
    endgenerate

    localparam [1:0]   IDLE = 2'd0, RUN = 2'd1, DONE = 2'd2;
    localparam [W-1:0] ZERO = {W{1'b0}};
    localparam TWOS_W = $clog2(W);

    reg  [1:0]        state;
    reg  [W-1:0]      u;
    reg  [W-1:0]      v;
    reg  [TWOS_W-1:0] twos;  // how often both were halved

    wire [W-1:0] u_size = SIGNED != 0 && a[W-1] ? ZERO - a : a;
    wire [W-1:0] v_size = SIGNED != 0 && b[W-1] ? ZERO - b : b;
    wire         over   = u == ZERO || v == ZERO;
    wire [W:0]   less   = {1'b0, u} - {1'b0, v};
    wire [W-1:0] more   = v - u;
    // Of two odd numbers the difference is even; where their next bits are equal so is its half.
    wire         twice  = u[1] == v[1];
    assign done = state == DONE;
    assign y    = u | v;

    always @(posedge clk) begin
        if (state == IDLE) begin
            u    <= u_size;
            v    <= v_size;
            twos <= {TWOS_W{1'b0}};
        end else if (state == RUN) begin
            if (over) begin
                if (twos != {TWOS_W{1'b0}}) begin
                    u    <= y << 1;
                    v    <= ZERO;
                    twos <= twos - {{(TWOS_W-1){1'b0}}, 1'b1};
                end
            end else if (!u[0] && !v[0]) begin
                u    <= u >> 1;
                v    <= v >> 1;
                twos <= twos + {{(TWOS_W-1){1'b0}}, 1'b1};
            end else if (!u[0])
                u <= u[1] ? u >> 1 : u >> 2;
            else if (!v[0])
                v <= v[1] ? v >> 1 : v >> 2;
            else if (less[W])
                v <= twice ? more >> 2 : more >> 1;
            else
                u <= twice ? less[W-1:0] >> 2 : less[W-1:0] >> 1;
        end
        if (rst)
            state <= IDLE;
        else
            case (state)
                IDLE:    state <= start ? RUN : IDLE;
                RUN:     state <= over && twos == {TWOS_W{1'b0}} ? DONE : RUN;
                default: state <= take ? IDLE : DONE;
            endcase
    end

endmodule

`default_nettype wire
