#include "CProbe.h"
#include "virtual_time.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

// What the compiler puts at each edge of code with -sanitize-coverage=edge,trace-pc-guard; here it is written out.
extern void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
static uint32_t guard = 1;

enum { rounds = 100 };
static volatile int count, is_over;

static void *add(void *nothing) {
    for (int i = 0; i < rounds; i++) {
        int seen = count;
        __sanitizer_cov_trace_pc_guard(&guard);
        count = seen + 1;
        __sanitizer_cov_trace_pc_guard(&guard);
    }
    return nothing;
}

static void *wait_by_spinning(void *nothing) {
    while (!is_over) __sanitizer_cov_trace_pc_guard(&guard);
    return nothing;
}

void probe_edges(void) {
    pthread_t first, second, spinning;
    pthread_create(&spinning, NULL, wait_by_spinning, NULL);
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    is_over = 1;
    pthread_join(spinning, NULL);
    char line[32];
    snprintf(line, sizeof line, "lost %d", 2 * rounds - count);
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
