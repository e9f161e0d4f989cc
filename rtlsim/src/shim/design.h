// What shim.cpp knows of a design. Verilator's classes differ from design to design, and are in one translation
// unit with these functions, which compile.rs writes: what is the same for all designs is compiled but once.
#ifndef SAMHW_DESIGN_H
#define SAMHW_DESIGN_H
#include <cstdint>

class Vtop;
class VerilatedContext;
class VerilatedVcdC;

struct Signal {
    void* data;
    uint32_t width;
};

Vtop* design_new(VerilatedContext* context);
void design_eval(Vtop* top);
void design_final(Vtop* top);
void design_free(Vtop* top);
// The signals, in order.
extern const uint32_t design_signals;
void design_bind(Vtop* top, Signal* signals);
// Null where there is none.
uint8_t* design_clock(Vtop* top);
uint8_t* design_reset(Vtop* top);
// Where the library is built with tracing.
void design_trace(Vtop* top, VerilatedVcdC* vcd);
#endif
