// SPDX-License-Identifier: Apache-2.0
//
// The fields of FOLD (see samhw_fold.vh) that say what program folds, for samhw_routine.
localparam [23:0]         HAS    = FOLD[151:128];
localparam integer        LINES  = {16'd0, FOLD[175:160]};
localparam integer        WORDS  = {16'd0, FOLD[191:176]};
localparam [32*LINES-1:0] PROG   = FOLD[192 +: 32*LINES];
localparam [64*WORDS-1:0] CONSTS = FOLD[192+32*LINES +: 64*WORDS];
