/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of @TOP: see @FILE.h. Three macros tell it about the machine; define your own before, or with -D, where these
 * are not right:
 *
 *   @NAME_BARRIER()                          what was done before is seen by the bus before what is done after it
 *   @NAME_CACHE_CLEAN(address, bytes)        before a run: no cache has anything newer than the memory of an array
 *   @NAME_CACHE_INVALIDATE(address, bytes)   after a run: no cache has anything older than the memory of a result
 *
 * Addresses are those of the kernel's bus. The caches of AArch64, of ARMv7-A and of RISC-V with Zicbom are looked after by default
 * where no operating system is below, for addresses that are the same to the processor. Under an operating system
 * map the memory without cache, or coherent with the bus, or define the macros. Results should share no cache line with other data.
 */
#include "@FILE.h"
@INCLUDE
#ifndef @NAME_BARRIER
#if defined(__aarch64__) || (defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7)
#define @NAME_BARRIER() __asm__ volatile("dsb sy" : : : "memory")
#elif defined(__riscv)
#define @NAME_BARRIER() __asm__ volatile("fence iorw, iorw" : : : "memory")
#elif defined(__GNUC__)
#define @NAME_BARRIER() __sync_synchronize()
#else
#error "define @NAME_BARRIER(): a barrier between memory and registers"
#endif
#endif

#if defined(@NAME_CACHE_CLEAN) && defined(@NAME_CACHE_INVALIDATE)
/* The user's. */
#elif defined(@NAME_CACHE_CLEAN) || defined(@NAME_CACHE_INVALIDATE)
#error "define both @NAME_CACHE_CLEAN(address, bytes) and @NAME_CACHE_INVALIDATE(address, bytes)"
#elif __STDC_HOSTED__ && (defined(__unix__) || defined(__APPLE__) || defined(_WIN32))
/* An operating system. */
#elif defined(__aarch64__)
#define @NAME_CACHE_LINE_OUT(at) __asm__ volatile("dc civac, %0" : : "r"(at) : "memory")
#elif defined(__arm__) && defined(__ARM_ARCH) && __ARM_ARCH >= 7 && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'A'
#define @NAME_CACHE_LINE_OUT(at) __asm__ volatile("mcr p15, 0, %0, c7, c14, 1" : : "r"(at) : "memory")
#elif defined(__riscv_zicbom)
#define @NAME_CACHE_LINE_OUT(at) __asm__ volatile("cbo.flush 0(%0)" : : "r"(at) : "memory")
#endif

#ifdef @NAME_CACHE_LINE_OUT
/* Writes back what caches have of these bytes, and drops it. No cache has lines of fewer than 16 bytes. */
static void @name_out_of_caches(uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    @NAME_BARRIER();
    for (address &= ~(uint64_t)15u; address < end; address += 16u)
        @NAME_CACHE_LINE_OUT((uintptr_t)address);
    @NAME_BARRIER();
}
#define @NAME_CACHE_CLEAN(address, bytes) @name_out_of_caches(address, bytes)
#define @NAME_CACHE_INVALIDATE(address, bytes) @name_out_of_caches(address, bytes)
#endif

#ifndef @NAME_CACHE_CLEAN
#define @NAME_CACHE_CLEAN(address, bytes) ((void)0)
#define @NAME_CACHE_INVALIDATE(address, bytes) ((void)0)
#endif

uint32_t @name_read(const struct @name_kernel *k, uint32_t address)
{
    return k->read ? k->read(k->context, address) : k->registers[address / 4u];
}

void @name_write(const struct @name_kernel *k, uint32_t address, uint32_t value)
{
    if (k->write)
        k->write(k->context, address, value);
    else
        k->registers[address / 4u] = value;
}

int @name_check(const struct @name_kernel *k)
{
    uint64_t hash;
    if (@name_read(k, @NAME_ID) != 0x53414d48u || @name_read(k, @NAME_VERSION) != 1u)
        return @NAME_ERROR_HASH;
    hash = @name_read(k, @NAME_HASH_LO) | (uint64_t)@name_read(k, @NAME_HASH_HI) << 32;
    return hash == @NAME_KERNEL_HASH ? 0 : @NAME_ERROR_HASH;
}

static int @name_beyond(uint64_t base, uint64_t bytes)
{
    const uint64_t last = ~(uint64_t)0u >> (64u - @NAME_ADDRESS_WIDTH);
    return (base & ~last) != 0u || (bytes != 0u && bytes - 1u > last - base);
}

int @name_accepts(const struct @name_run *a, uint32_t *port)
{
    *port = @NAME_NO_PORT;
@RANGES
    return 0;
}

/* Waits until none of these bits of STATUS, or one of them, is set; `from`: when the limit began to count. */
static int @name_wait(const struct @name_kernel *k, uint32_t bits, int set, uint64_t from, uint64_t limit)
{
    while (((@name_read(k, @NAME_STATUS) & bits) != 0u) != (set != 0))
        if (limit != 0u && k->now(k->context) - from >= limit)
            return @NAME_ERROR_TIMEOUT;
    @NAME_BARRIER();
    return 0;
}

int @name_reset(const struct @name_kernel *k, uint64_t limit)
{
    if (limit != 0u && !k->now)
        return @NAME_ERROR_CLOCK;
    @name_write(k, @NAME_CONTROL, @NAME_CONTROL_RESET);
    return @name_wait(k, @NAME_STATUS_BUSY, 0, limit != 0u ? k->now(k->context) : 0u, limit);
}

int @name_start(const struct @name_kernel *k, const struct @name_run *a, int irq)
{
    uint32_t port;
    int wrong = @name_accepts(a, &port);
    if (wrong != 0)
        return wrong;
@STORES
    @name_write(k, @NAME_CONTROL, @NAME_CONTROL_CLEAR);
    @name_write(k, @NAME_IRQ_ENABLE, irq ? 1u : 0u);
@CLEAN
    /* The arrays are in memory before the kernel begins. */
    @NAME_BARRIER();
    @name_write(k, @NAME_CONTROL, @NAME_CONTROL_START);
    return 0;
}

int @name_poll(const struct @name_kernel *k)
{
    int over = (@name_read(k, @NAME_STATUS) & @NAME_STATUS_DONE) != 0u;
    /* No result is read before the kernel has said that it is there. */
    @NAME_BARRIER();
    return over;
}

/* What the registers say of a run, over or not. */
static void @name_look(const struct @name_kernel *k, struct @name_result *r)
{
    uint32_t error = @name_read(k, @NAME_ERROR), high = @name_read(k, @NAME_CYCLES_HI), low;
    r->error = error & 0xffu;
    r->port = r->error == 0u || r->error == @NAME_ERROR_SIZE ? @NAME_NO_PORT : error >> 8 & 0xffu;
    /* They may still count. */
    low = @name_read(k, @NAME_CYCLES_LO);
    if (@name_read(k, @NAME_CYCLES_HI) != high) {
        high = @name_read(k, @NAME_CYCLES_HI);
        low = @name_read(k, @NAME_CYCLES_LO);
    }
    r->cycles = low | (uint64_t)high << 32;
@READS
@FULL}

void @name_finish(const struct @name_kernel *k, struct @name_result *r)
{
    @name_look(k, r);
    @name_write(k, @NAME_CONTROL, @NAME_CONTROL_CLEAR);
    @NAME_BARRIER();
@INVALIDATE
}

int @name_call(const struct @name_kernel *k, const struct @name_run *a, struct @name_result *r, uint64_t limit)
{
    uint64_t from = 0u;
    int wrong;
    r->cycles = 0u;
    r->port = @NAME_NO_PORT;
@ZEROS
    wrong = limit != 0u && !k->now ? @NAME_ERROR_CLOCK : @name_accepts(a, &r->port);
    if (wrong == 0)
        wrong = @name_check(k);
    if (wrong != 0) {
        r->error = (uint32_t)wrong;
        return wrong;
    }
    if (limit != 0u)
        from = k->now(k->context);
    wrong = @name_wait(k, @NAME_STATUS_BUSY, 0, from, limit);
    if (wrong == 0) {
        wrong = @name_start(k, a, 0);
        if (wrong == 0)
            wrong = @name_wait(k, @NAME_STATUS_DONE, 1, from, limit);
    }
    if (wrong != 0) {
        @name_look(k, r);
        r->error = (uint32_t)wrong;
        r->port = @NAME_NO_PORT;
        return wrong;
    }
    @name_finish(k, r);
    return (int)r->error;
}
