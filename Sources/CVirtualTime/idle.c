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

void vt_wait_for_the_next_event(void) {
    if (vt_signals_have_come() || vt_wait_for_children()) return;
    int64_t deadline = vt_earliest_deadline();
    int64_t monitor = vt_monitor_deadline();
    if (monitor <= vt.now) {
        vt_monitor_is_due();
        return;
    }
    if (monitor < deadline) deadline = monitor;
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
