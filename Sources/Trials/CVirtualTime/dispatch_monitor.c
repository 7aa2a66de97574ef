#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>
#include <string.h>

// libdispatch checks once a second whether the workers of a pool are blocked, and adds one if so. In a world that
// periodic timer would cost 3,600 wake-ups an hour, and hide deadlocks. So it is armed for one check only, and again
// one second after the last thread has come to rest: its manager is then woken from its wait for events to do so. When
// a check changes nothing, there is no second one.

#define MONITOR_INTERVAL 1000000000ULL
#define DISPATCH_TIME_NOW 0ULL
#define DISPATCH_TIME_FOREVER (~0ULL)

typedef void (*set_timer)(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

static void *monitor;  // the source
static set_timer real_set_timer;
static vt_thread *manager;
static bool is_due;
static int64_t deadline = VT_NEVER;
static uint64_t seen;  // the activity of the other threads at the last check

static bool is_in_libdispatch(const void *address) {
    Dl_info where;
    return dladdr(address, &where) && where.dli_fname && strstr(where.dli_fname, "libdispatch");
}

// Weak: if libdispatch is linked statically, its own function is used, and the monitor is unchanged.
__attribute__((weak)) void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    if (!real_set_timer) real_set_timer = (set_timer)dlsym(RTLD_NEXT, "dispatch_source_set_timer");
    if (vt_inside() && interval == MONITOR_INTERVAL && leeway == 0 && is_in_libdispatch(__builtin_return_address(0))) {
        monitor = source;
        interval = DISPATCH_TIME_FOREVER;
    }
    real_set_timer(source, start, interval, leeway);
}

static uint64_t done_by_others(void) { return vt.activity - vt.manager_activity; }

int64_t vt_monitor_deadline(void) {
    if (!monitor || !manager) return VT_NEVER;
    if (deadline == VT_NEVER && done_by_others() != seen) deadline = vt.now + (int64_t)MONITOR_INTERVAL;
    return deadline;
}

void vt_monitor_is_due(void) {
    deadline = VT_NEVER;
    seen = done_by_others();
    bool waits_for_events = manager->state == vt_blocked && !manager->late && manager->wait.subject == vt_on_descriptors;
    if (!waits_for_events) return;
    is_due = true;
    vt_wake(manager, vt_woken);
}

void vt_before_dispatch_waits(const void *caller) {
    if (manager || !is_in_libdispatch(caller)) return;
    manager = vt_self;
    manager->is_dispatch_manager = true;
}

bool vt_arm_monitor(void) {
    if (!is_due || vt_self != manager) return false;
    is_due = false;
    real_set_timer(monitor, DISPATCH_TIME_NOW, DISPATCH_TIME_FOREVER, 0);
    return true;
}
#endif
