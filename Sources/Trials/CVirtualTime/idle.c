#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>

void vt_stop_at_the_horizon(void) {
    char text[128];
    int length = snprintf(
        text, sizeof text, "virtual time: the horizon of %lld virtual seconds was reached.\n",
        (long long)(vt.settings.horizon / 1000000000));
    vt_stop(virtual_time_end_horizon, text, (size_t)length);
}

// The thread that waits until all others wait.
static struct {
    char address;
    bool waits;
    bool is_settled;  // all threads have waited since the watcher began to wait
    uint64_t seen;    // the activity at that time, without libdispatch's pool monitor, which is active each second
} watcher;

void virtual_time_wait_until_idle(void) {
    if (!vt_inside()) return;
    watcher.waits = true;
    watcher.is_settled = false;
    vt_block_on_address(&watcher.address, vt_nobody, VT_NEVER, "virtual_time_wait_until_idle");
}

bool vt_waits_until_idle(const vt_thread *thread) { return thread->wait.address == &watcher.address; }

/// Returns false if there is no watcher, or nothing has happened. The watcher's own actions, and their immediate
/// effects, do not count.
static bool wake_watcher(void) {
    if (!watcher.waits) return false;
    uint64_t activity = vt.activity - vt.manager_activity;
    if (!watcher.is_settled) {
        watcher.is_settled = true;
        watcher.seen = activity;
        return false;
    }
    if (activity == watcher.seen) return false;
    watcher.waits = false;
    return vt_wake_address(&watcher.address, UINT32_MAX, 1) > 0;
}

void vt_wait_for_the_next_event(void) {
    if (vt_signals_have_come() || vt_wait_for_children() || wake_watcher()) return;
    int64_t deadline = vt_earliest_deadline();
    int64_t monitor = vt_monitor_deadline();
    if (monitor <= vt.now) {
        vt_monitor_is_due();
        return;
    }
    if (monitor < deadline) deadline = monitor;
    int64_t stuck = vt_main_thread_deadline();
    if (stuck <= vt.now) {
        vt_judge_main_thread();
        stuck = VT_NEVER;
    }
    // If nothing else can end its wait, it is a deadlock already.
    if (stuck < deadline && !(deadline == VT_NEVER && vt_main_thread_is_stuck())) deadline = stuck;
    if (vt.conductor >= 0) {
        vt_ask_conductor(deadline);
        return;
    }
    if (deadline == VT_NEVER) {
        if (!vt_wait_for_the_outside()) vt_stop_in_deadlock();
        return;
    }
    if (deadline > vt.settings.horizon) {
        vt.now = vt.settings.horizon;
        vt_stop_at_the_horizon();
    }
    if (deadline <= vt.now) return;
    vt.now = deadline;
    vt.record->counts.jumps++;
}
#endif
