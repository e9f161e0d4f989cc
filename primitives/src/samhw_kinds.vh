// SPDX-License-Identifier: Apache-2.0
//
// Kinds of beats.
localparam [1:0] DATA  = 2'd0; // a leaf with a value
localparam [1:0] EMPTY = 2'd1; // a leaf without a value
localparam [1:0] NIL   = 2'd2; // an empty list, whose height is in the lower bits
localparam [1:0] DONE  = 2'd3; // the end of the run
