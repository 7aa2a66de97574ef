#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// glibc's values; the bits above hold the process (a count of its forks) in which the initializer runs.
enum { under_way = 1, done = 2 };

/// glibc's function would wait in the kernel for a thread that was interrupted in its initializer.
int pthread_once(pthread_once_t *once, void (*initializer)(void)) {
    if (!vt_inside()) return REAL(pthread_once)(once, initializer);
    for (;;) {
        int state = __atomic_load_n(once, __ATOMIC_ACQUIRE);
        if (state & done) return 0;
        if (!(state & under_way)) break;
        vt_block_on_address(once, vt_nobody, VT_NEVER, "pthread_once");
    }
    __atomic_store_n(once, under_way, __ATOMIC_RELAXED);
    initializer();
    __atomic_store_n(once, done, __ATOMIC_RELEASE);
    vt_wake_address(once, ~0u, INT32_MAX);
    return 0;
}
#endif
