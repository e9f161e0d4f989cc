// SPDX-License-Identifier: Apache-2.0
//
// What a reducer folds two values with: the fields of FOLD, a parameter of FOLD_W bits, 128 or more.
// `Fold::params` fills it in. With OP 5 more fields follow, see samhw_fold_program.vh.
localparam integer OP       = {24'd0, FOLD[7:0]};   // 0 add, 1 min, 2 max, 3 in a cycle, 4 in several, 5 a program
localparam integer UNIT     = {24'd0, FOLD[15:8]};  // with OP 3 OP of samhw_fold, with OP 4 of samhw_pipelined_op
localparam integer DEPTH    = {24'd0, FOLD[23:16]}; // with OP 4 its cycles, else 0
localparam integer MUL      = {24'd0, FOLD[31:24]}; // of samhw_pipelined_op
localparam integer EXP      = {24'd0, FOLD[39:32]}; // of floats: bits of the exponent
localparam integer MAN      = {24'd0, FOLD[47:40]}; // of floats: bits of the fraction, else 0
localparam integer FRAC     = {24'd0, FOLD[55:48]}; // bits after the point
localparam integer SIGNED   = {31'd0, FOLD[56]};    // values have a sign
localparam integer SATURATE = {31'd0, FOLD[57]};    // results out of range are the bound
localparam [63:0]  TRUE     = FOLD[127:64];         // with OP 3 true, with OP 4 its identity, with OP 5 the type's bits
