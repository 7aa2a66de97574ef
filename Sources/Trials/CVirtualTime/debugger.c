#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// Between two looks for a debugger: a person has to attach it by hand.
#define LOOK_NANOSECONDS 50000000

/// Is a debugger attached to this process?
static bool is_traced(void) {
    char text[4096];
    if (!vt_read_text("/proc/self/status", text, sizeof text)) return false;
    const char *tracer = strstr(text, "TracerPid:");
    return tracer && strtol(tracer + strlen("TracerPid:"), NULL, 10) != 0;
}

void vt_wait_for_debugger(void) {
    const struct timespec pause = {0, LOOK_NANOSECONDS};
    // Nobody else has the processor meanwhile, and no clock goes on.
    vt.outside = "a debugger";
    while (!is_traced()) vt_kernel(SYS_nanosleep, &pause, 0);
    vt.outside = NULL;
    // The debugger stops here, where the thread stands that decides.
    vt_kernel(SYS_tgkill, vt_kernel(SYS_getpid), vt_kernel(SYS_gettid), SIGTRAP);
}
#endif
