#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <linux/futex.h>
#include <stdarg.h>

// libdispatch, libstdc++ and Swift's Mutex call futexes through syscall(2).

static long wait_on(uint32_t *word, uint32_t value, uint32_t bits, int64_t deadline) {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return -EAGAIN;
    vt_wait wait = {
        .subject = vt_on_address, .call = "futex", .address = word, .bits = bits, .deadline = deadline, .interruptible = true,
        .holder = vt_self->queue ? vt_dispatch_queue : vt_nobody,
    };
    switch (vt_block(&wait)) {
    case vt_woken: return 0;
    case vt_timed_out: return -ETIMEDOUT;
    case vt_signalled: return -EINTR;  // Callers retry.
    }
    return 0;
}

static long wake(uint32_t *word, uint32_t bits, uint32_t most) {
    int woken = vt_wake_address(word, bits, most > INT32_MAX ? INT32_MAX : (int)most);
    if (woken > 0) vt_step("futex wake");
    return woken;
}

/// Locks a word that holds its owner's identifier, which is the one that gettid returns in the world.
static long lock(uint32_t *word, bool only_try, int64_t deadline) {
    uint32_t me = (uint32_t)gettid();
    for (;;) {
        uint32_t value = __atomic_load_n(word, __ATOMIC_SEQ_CST);
        if (!(value & FUTEX_TID_MASK)) {
            __atomic_store_n(word, me | (value & FUTEX_WAITERS), __ATOMIC_SEQ_CST);
            return 0;
        }
        if (only_try) return -EAGAIN;
        // A lock that waits for itself: the kernel would refuse, and Swift's runtime would try again for ever.
        if ((value & FUTEX_TID_MASK) == me && deadline != VT_NEVER) return -EDEADLK;
        __atomic_store_n(word, value | FUTEX_WAITERS, __ATOMIC_SEQ_CST);
        if (vt_block_on_address(word, vt_word, deadline, "futex lock") == vt_timed_out) return -ETIMEDOUT;
    }
}

static long unlock(uint32_t *word) {
    __atomic_store_n(word, 0, __ATOMIC_SEQ_CST);
    vt_wake_address(word, ~0u, INT32_MAX);
    vt_step("futex unlock");
    return 0;
}

static long futex(uint32_t *word, int operation, uint32_t value, const struct timespec *time, void *second, uint32_t bits) {
    clockid_t clock = operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: return wait_on(word, value, ~0u, time ? vt_after(time) : VT_NEVER);
    case FUTEX_WAIT_BITSET: return wait_on(word, value, bits, time ? vt_at(clock, time) : VT_NEVER);
    case FUTEX_WAKE: return wake(word, ~0u, value);
    case FUTEX_WAKE_BITSET: return wake(word, bits, value);
    case FUTEX_LOCK_PI: return lock(word, false, time ? vt_at(CLOCK_REALTIME, time) : VT_NEVER);
    case FUTEX_LOCK_PI2: return lock(word, false, time ? vt_at(clock, time) : VT_NEVER);
    case FUTEX_TRYLOCK_PI: return lock(word, true, VT_NEVER);
    case FUTEX_UNLOCK_PI: return unlock(word);
    default: return vt_kernel(SYS_futex, word, operation, value, time, second, bits);
    }
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (!vt_inside()) return REAL(syscall)(number, a, b, c, d, e, f);
    switch (number) {
    case SYS_futex:
        return vt_with_errno(futex((uint32_t *)a, (int)b, (uint32_t)c, (const struct timespec *)d, (void *)e, (uint32_t)f));
    case SYS_getrandom: return getrandom((void *)a, (size_t)b, (unsigned)c);
    case SYS_gettid: return gettid();
    case SYS_getpid: return getpid();
    case SYS_getppid: return getppid();
    case SYS_clock_gettime: return clock_gettime((clockid_t)a, (struct timespec *)b);
    case SYS_sched_yield: return sched_yield();
    case SYS_ppoll: return ppoll((struct pollfd *)a, (nfds_t)b, (const struct timespec *)c, NULL);
    case SYS_nanosleep: return nanosleep((const struct timespec *)a, (struct timespec *)b);
    // As in a kernel without it: programs have a fallback that the world supports.
    case SYS_io_uring_setup: return vt_with_errno(-ENOSYS);
    default: return REAL(syscall)(number, a, b, c, d, e, f);
    }
}
#endif
