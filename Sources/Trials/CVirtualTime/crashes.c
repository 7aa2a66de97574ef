#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>

// Swift's runtime says why it stops a program, and where in the source the check is: often a place in the standard
// library. The stack and the time are added here.

static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

static void report(int number) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    // What the report calls is glibc's.
    vt.scheduling = true;
    vt.outside = "a report";
    size_t length = (size_t)snprintf(
        text, sizeof text, VIRTUAL_TIME_CRASH " at %lld.%09lld s, thread %d:\n", (long long)(vt.now / 1000000000),
        (long long)(vt.now % 1000000000), vt_self ? vt_self->id : -1);
    length += vt_describe_crash(text + length, sizeof text - length);
    vt_kernel(SYS_write, 2, text, length);
    vt.record->now = vt.now;
    // The handler is gone; the signal ends the process as soon as this one returns.
    vt_kernel(SYS_tgkill, vt.process, vt_kernel(SYS_gettid), number);
}

void vt_begin_crash_reports(void) {
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sigaction action;
        // A handler of the program's own or of a sanitizer stays.
        if (sigaction(faults[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        memset(&action, 0, sizeof action);
        action.sa_handler = report;
        action.sa_flags = (int)SA_RESETHAND | SA_ONSTACK;
        sigaction(faults[i], &action, NULL);
    }
}
#endif
