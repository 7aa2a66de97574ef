#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// Code that is compiled with -sanitize-coverage=edge,trace-pc-guard calls this at each edge: a loop that calls nothing then costs time,
// and a thread can be interrupted between reading and writing. Weak, as a fuzzer has its own.

__attribute__((weak)) void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    if (vt_inside()) vt_step_at_edge();
}

__attribute__((weak)) void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    // A guard of 0 would never be called in some versions of the instrumentation.
    for (uint32_t number = 0; start < stop; start++) *start = ++number;
}
#endif
