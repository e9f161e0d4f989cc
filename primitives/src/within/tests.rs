//! Within against its meaning and its Verilog.
