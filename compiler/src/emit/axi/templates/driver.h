/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers of @TOP, and a driver in freestanding C99 without allocation: @FILE.c. For C++, too.
 */
#ifndef @NAME_H
#define @NAME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the registers HASH hold: this header and the hardware belong together. */
#define @NAME_KERNEL_HASH 0x@HASHull
/* Bits of a byte address of the kernel's bus. */
#define @NAME_ADDRESS_WIDTH @WIDTHu

/* Byte addresses of registers. */
@REGISTERS

/* What is written to CONTROL. */
#define @NAME_CONTROL_START 1u
#define @NAME_CONTROL_RESET 2u
#define @NAME_CONTROL_CLEAR 4u /* done, error, refused and the interrupt */

/* Bits of STATUS. */
#define @NAME_STATUS_BUSY 1u
#define @NAME_STATUS_DONE 2u
#define @NAME_STATUS_ERROR 4u
#define @NAME_STATUS_REFUSED 8u /* a start while busy */

/* Errors of a run: what it returns. */
@ERRORS
/* Those of the driver. */
#define @NAME_ERROR_TIMEOUT 100 /* the limit has passed; the run goes on, and the kernel still owns the memory */
#define @NAME_ERROR_HASH 101 /* this is other hardware */
#define @NAME_ERROR_ADDRESS 102 /* an array does not lie within the addresses of the bus; nothing was started */
#define @NAME_ERROR_CLOCK 103 /* a limit without a clock; nothing was started */

/* Ports: what errors name. */
@PORTS
#define @NAME_NO_PORT 0xffffffffu

/* A kernel at its registers. Where they are not simply in memory, give functions to read and write them. */
struct @name_kernel {
    volatile uint32_t *registers;
    uint32_t (*read)(void *context, uint32_t address);
    void (*write)(void *context, uint32_t address, uint32_t value);
    void *context;
    uint64_t (*now)(void *context); /* a clock that counts up, for limits; 0: there is none */
};

/* What a run is told. */
struct @name_run {
@ARGUMENTS
};

/* What is known after one. */
struct @name_result {
    uint64_t cycles;
    uint32_t error; /* 0: none */
    uint32_t port;  /* that it is about, or @NAME_NO_PORT */
@STATUSES
};

uint32_t @name_read(const struct @name_kernel *k, uint32_t address);
void @name_write(const struct @name_kernel *k, uint32_t address, uint32_t value);
/* 0 if this is the hardware that the header was made for. */
int @name_check(const struct @name_kernel *k);
/* 0 if all arrays lie within the addresses of the bus; otherwise @NAME_ERROR_ADDRESS, and the port of one that does not. */
int @name_accepts(const struct @name_run *a, uint32_t *port);
/* Ends what goes on, whatever it is, and waits until all is still: 0, and the memory is the caller's again; or
   @NAME_ERROR_TIMEOUT after `limit` units of the clock (0: no limit), and the kernel still owns it. */
int @name_reset(const struct @name_kernel *k, uint64_t limit);
/* Starts a run; irq: with an interrupt at its end. It is over when @name_poll gives 1. What @name_accepts does not accept is
   not started: it returns the error. From here to the end of the run all arrays are the kernel's. */
int @name_start(const struct @name_kernel *k, const struct @name_run *a, int irq);
int @name_poll(const struct @name_kernel *k);
/* What a run that is over has left; clears done and the interrupt. */
void @name_finish(const struct @name_kernel *k, struct @name_result *r);
/* All of it: check, wait until the kernel is not busy, start, wait for the end, finish. Returns the error.

   After `limit` units of the clock (0: no limit) it gives up with @NAME_ERROR_TIMEOUT. The result then has the cycles and counts so
   far, and the run goes on: the kernel reads and writes the memory of all arrays until @name_poll gives 1 or @name_reset
   gives 0. Until then do not use that memory for anything else. */
int @name_call(const struct @name_kernel *k, const struct @name_run *a, struct @name_result *r, uint64_t limit);
@COUNTERS@JOINED
#ifdef __cplusplus
}
#endif

#endif
