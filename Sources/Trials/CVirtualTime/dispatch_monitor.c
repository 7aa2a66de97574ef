#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>
#include <string.h>

// libdispatch checks once a second whether the workers of a pool are blocked, and adds one if so. In a world that
// periodic timer would cost 3,600 wake-ups an hour, and hide deadlocks. So it is armed for one check only, and again
// one second after the last thread has come to rest: its manager is then woken from its wait for events to do so. When
// a check changes nothing, there is no second one, and there is none while no worker is blocked.
//
// A worker without work ends after five seconds. In a world, which may have work for it each minute, it waits on:
// otherwise hours would consist mostly of the ends and the starts of workers.

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
    const void *caller = vt_caller();
    if (!real_set_timer) real_set_timer = (set_timer)dlsym(RTLD_NEXT, "dispatch_source_set_timer");
    if (vt_inside() && interval == MONITOR_INTERVAL && leeway == 0 && is_in_libdispatch(caller)) {
        monitor = source;
        interval = DISPATCH_TIME_FOREVER;
    }
    real_set_timer(source, start, interval, leeway);
}

bool vt_is_worker_of_dispatch(void *(*body)(void *)) {
    // All workers have the same body, and the search for its library takes longer than the rest of a thread's start.
    static void *(*last)(void *);
    static bool is_worker;
    if (body != last) is_worker = is_in_libdispatch((const void *)body);
    last = body;
    return is_worker;
}

bool vt_waits_for_work(const sem_t *semaphore) {
    if (!vt_self->is_dispatch_worker) return false;
    // Those of programs are not in the library's memory, but on the heap.
    if (semaphore != vt_self->idle_on && is_in_libdispatch(semaphore)) vt_self->idle_on = semaphore;
    return semaphore == vt_self->idle_on;
}

static bool is_idle(const vt_thread *worker) {
    const vt_wait *wait = &worker->wait;
    return worker->state == vt_blocked && !worker->late && wait->subject == vt_on_address && wait->address == worker->idle_on;
}

/// Returns true if there is a worker that a check could find blocked.
static bool has_busy_workers(void) {
    for (const vt_thread *t = vt.alive; t; t = t->next_alive)
        if (t->is_dispatch_worker && !t->is_dispatch_manager && t->state != vt_dead && !is_idle(t)) return true;
    return false;
}

static uint64_t done_by_others(void) { return vt.activity - vt.manager_activity; }

int64_t vt_monitor_deadline(void) {
    if (!monitor || !manager) return VT_NEVER;
    if (deadline == VT_NEVER && done_by_others() != seen && has_busy_workers()) deadline = vt.now + (int64_t)MONITOR_INTERVAL;
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
