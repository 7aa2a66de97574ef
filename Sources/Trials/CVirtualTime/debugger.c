#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The interval between checks for a debugger, which a person attaches.
#define LOOK_NANOSECONDS 50000000

/// Returns true if a debugger is attached to this process.
static bool is_traced(void) {
    char text[4096];
    if (!vt_read_text("/proc/self/status", text, sizeof text)) return false;
    const char *tracer = strstr(text, "TracerPid:");
    return tracer && strtol(tracer + strlen("TracerPid:"), NULL, 10) != 0;
}

void vt_wait_for_debugger(void) {
    const struct timespec pause = {0, LOOK_NANOSECONDS};
    // Meanwhile no other thread runs, and no clock advances.
    vt.outside = "a debugger";
    while (!is_traced()) vt_kernel(SYS_nanosleep, &pause, 0);
    vt.outside = NULL;
    // The debugger stops here, in the deciding thread.
    vt_kernel(SYS_tgkill, vt_kernel(SYS_getpid), vt_kernel(SYS_gettid), SIGTRAP);
}
#endif
