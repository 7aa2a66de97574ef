#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>

// The kernel limits some resources for all programs of a user together, so other programs determine whether one is
// left. A call that fails because none is left waits, in real time, until one is released. The world's clocks stop
// meanwhile, so its course is the same as on an idle machine.

// Most worlds end, and release their resources, in less than a second. Must be shorter than a conductor's limit.
#define PATIENCE_SECONDS 20
// Scarce resources are held for milliseconds.
#define PAUSE_NANOSECONDS 5000000

typedef struct {
    const char *call;
    const char *things;
    const char *setting;  // of sysctl
} shared_limit;

static const shared_limit instances = {"inotify_init", "inotify instances", "fs.inotify.max_user_instances"};
static const shared_limit watches = {"inotify_add_watch", "inotify watches", "fs.inotify.max_user_watches"};

static int64_t real_time(void) {
    struct timespec time = {0, 0};
    vt_kernel(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return vt_nanoseconds(&time);
}

static _Noreturn void stop_waiting(const shared_limit *limit) {
    char text[320];
    int length = snprintf(
        text, sizeof text,
        "virtual time: the user's %s are used up, and none was given back within %d s: "
        "raise %s (sysctl) or run fewer worlds at a time.\n",
        limit->things, PATIENCE_SECONDS, limit->setting);
    vt_stop(virtual_time_end_crowded_out, text, (size_t)length);
}

/// Waits briefly, and ends the world once `end`, which the first wait sets, has passed.
static void wait_for_others(const shared_limit *limit, int64_t *end) {
    int64_t now = real_time();
    if (*end == 0) *end = now + (int64_t)PATIENCE_SECONDS * 1000000000;
    if (now >= *end) stop_waiting(limit);
    const struct timespec pause = {0, PAUSE_NANOSECONDS};
    vt.outside = limit->call;
    vt_kernel(SYS_nanosleep, &pause, 0);
    vt.outside = NULL;
}

/// EMFILE has two meanings. If this process can open another descriptor, its own limit was not the cause.
static bool has_descriptor_left(void) {
    long descriptor = vt_kernel(SYS_eventfd2, 0, EFD_CLOEXEC);
    if (descriptor < 0) return false;
    vt_kernel(SYS_close, descriptor);
    return true;
}

int inotify_init1(int flags) {
    if (!vt_inside()) return REAL(inotify_init1)(flags);
    int error = errno, descriptor;
    int64_t end = 0;
    while ((descriptor = REAL(inotify_init1)(flags)) < 0 && errno == EMFILE && has_descriptor_left()) wait_for_others(&instances, &end);
    if (descriptor >= 0) errno = error;
    return descriptor;
}

int inotify_init(void) { return inotify_init1(0); }

int inotify_add_watch(int descriptor, const char *path, uint32_t events) {
    if (!vt_inside()) return REAL(inotify_add_watch)(descriptor, path, events);
    int error = errno, watch;
    int64_t end = 0;
    while ((watch = REAL(inotify_add_watch)(descriptor, path, events)) < 0 && errno == ENOSPC) wait_for_others(&watches, &end);
    if (watch >= 0) errno = error;
    return watch;
}
#endif
