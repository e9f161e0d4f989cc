// What the Verilator runtime is compiled against: its printing goes to the shim.
#ifndef SAMHW_HOST_H
#define SAMHW_HOST_H
extern int samhw_printf(const char* format, ...);
#endif
