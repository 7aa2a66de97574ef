#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// Code compiled with -sanitize-coverage=edge,trace-pc-guard calls this at each edge: a loop without calls then takes
// time, and a thread can be interrupted between reading and writing. Weak, because a fuzzer defines its own.

__attribute__((weak)) void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    if (vt_inside()) vt_step_at_edge();
}

__attribute__((weak)) void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    // Some versions of the instrumentation never call a guard of 0.
    for (uint32_t number = 0; start < stop; start++) *start = ++number;
}
#endif
