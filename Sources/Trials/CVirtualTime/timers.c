#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// In a world, a timer descriptor is an event descriptor, to which the world writes when the timer is due.

// libdispatch has at most four, a program a few more.
#define MOST_TIMERS 1024

static struct timer {
    int descriptor;
    clockid_t clock;
    int64_t deadline, interval;
    bool is_by_calendar;  // waits for a time on a clock that can be set
    bool has_fired;       // since it was last set
    const vt_thread *creator;
} timers[MOST_TIMERS];
static int timer_count;

static struct timer *find(int descriptor) {
    for (int i = 0; i < timer_count; i++)
        if (timers[i].descriptor == descriptor) return &timers[i];
    return NULL;
}

static struct timespec to_timespec(int64_t nanoseconds) {
    return (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
}

static void fire(struct timer *timer) {
    uint64_t times = 1;
    if (timer->interval > 0) {
        times += (uint64_t)((vt.now - timer->deadline) / timer->interval);
        timer->deadline += (int64_t)times * timer->interval;
    } else {
        timer->deadline = VT_NEVER;
    }
    vt_kernel(SYS_write, timer->descriptor, &times, sizeof times);
    timer->has_fired = true;
    vt_may_be_ready();
}

int64_t vt_earliest_timer(void) {
    int64_t earliest = VT_NEVER;
    for (int i = 0; i < timer_count; i++)
        if (timers[i].deadline < earliest) earliest = timers[i].deadline;
    return earliest;
}

void vt_fire_timers(void) {
    for (int i = 0; i < timer_count; i++)
        if (timers[i].deadline <= vt.now) fire(&timers[i]);
}

bool vt_has_left_timer(const vt_thread *thread) {
    for (int i = 0; i < timer_count; i++) {
        if (timers[i].creator != thread || !timers[i].has_fired) continue;
        struct pollfd unread = {timers[i].descriptor, POLLIN, 0};
        const struct timespec now = {0, 0};
        if (vt_kernel(SYS_ppoll, &unread, 1, &now) == 1) return true;
    }
    return false;
}

void vt_calendar_timers_come_sooner(int64_t by) {
    for (int i = 0; i < timer_count; i++)
        if (timers[i].is_by_calendar && timers[i].deadline != VT_NEVER) timers[i].deadline -= by;
}

bool vt_forget_timer(int descriptor) {
    struct timer *timer = find(descriptor);
    if (timer) *timer = timers[--timer_count];
    return timer != NULL;
}

static struct itimerspec setting_of(const struct timer *timer) {
    int64_t left = timer->deadline == VT_NEVER ? 0 : timer->deadline - vt.now;
    return (struct itimerspec){to_timespec(timer->interval), to_timespec(left > 0 ? left : 0)};
}

int timerfd_create(clockid_t clock, int flags) {
    if (!vt_inside()) return REAL(timerfd_create)(clock, flags);
    if (timer_count == MOST_TIMERS) {
        errno = EMFILE;
        return -1;
    }
    int descriptor = (int)vt_with_errno(vt_kernel(SYS_eventfd2, 0, flags & (O_NONBLOCK | O_CLOEXEC)));
    if (descriptor >= 0) timers[timer_count++] = (struct timer){descriptor, clock, VT_NEVER, 0, false, false, vt_self};
    return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    struct timer *timer = vt_inside() ? find(descriptor) : NULL;
    if (!timer) return REAL(timerfd_settime)(descriptor, flags, new, old);
    if (old) *old = setting_of(timer);
    if (timer->has_fired) {
        // Forget earlier expirations. Writing 1 first ensures that there is something to read.
        uint64_t fired = 1;
        vt_kernel(SYS_write, descriptor, &fired, sizeof fired);
        vt_kernel(SYS_read, descriptor, &fired, sizeof fired);
        timer->has_fired = false;
    }
    timer->interval = vt_nanoseconds(&new->it_interval);
    if (vt_nanoseconds(&new->it_value) == 0) timer->deadline = VT_NEVER;
    else timer->deadline = flags & TFD_TIMER_ABSTIME ? vt_at(timer->clock, &new->it_value) : vt_after(&new->it_value);
    timer->is_by_calendar = flags & TFD_TIMER_ABSTIME && vt_is_calendar(timer->clock);
    if (timer->deadline <= vt.now) fire(timer);
    return 0;
}

int timerfd_gettime(int descriptor, struct itimerspec *current) {
    const struct timer *timer = vt_inside() ? find(descriptor) : NULL;
    if (!timer) return REAL(timerfd_gettime)(descriptor, current);
    *current = setting_of(timer);
    return 0;
}
#endif
