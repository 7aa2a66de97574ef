#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>
#include <sys/times.h>

#define SECOND 1000000000LL
// The monotonic clocks at the beginning of a world: some programs interpret 0 as “never”.
#define UPTIME (1000 * SECOND)
// The cost of reading a clock, so that loops that wait for a time end.
#define READ_NANOSECONDS 50
// The last of the kernel's numbered clocks.
#define LAST_CLOCK CLOCK_TAI
// Later than any world, and far from the overflow of nanoseconds since 1970.
#define LATEST_SECOND 9000000000LL

bool vt_is_calendar(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

static int64_t shown_at_the_beginning(clockid_t clock) {
    if (vt_is_calendar(clock)) return vt.settings.epoch + vt.clock_shift;
    switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        return UPTIME;
    default:  // The processor time of a process or a thread is the virtual time itself.
        return 0;
    }
}

int64_t vt_nanoseconds(const struct timespec *time) {
    if (time->tv_sec > LATEST_SECOND) return VT_NEVER;
    return (int64_t)time->tv_sec * SECOND + time->tv_nsec;
}

int64_t vt_after(const struct timespec *time) {
    int64_t duration = vt_nanoseconds(time);
    return duration > VT_NEVER - vt.now ? VT_NEVER : vt.now + duration;
}

int64_t vt_after_milliseconds(int milliseconds) {
    return milliseconds < 0 ? VT_NEVER : vt.now + (int64_t)milliseconds * 1000000;
}

int64_t vt_at(clockid_t clock, const struct timespec *time) {
    int64_t shown = vt_nanoseconds(time);
    int64_t deadline = shown == VT_NEVER ? VT_NEVER : shown - shown_at_the_beginning(clock);
    if (vt_is_calendar(clock)) vt_self->calendar_deadline = deadline;
    return deadline;
}

int64_t vt_calendar(void) { return vt.now + shown_at_the_beginning(CLOCK_REALTIME); }

void vt_set_clock(int64_t shift) {
    int64_t ahead = shift - vt.clock_shift;
    if (ahead == 0) return;
    vt.clock_shift = shift;
    for (vt_thread *t = vt.waiting.first; t; t = t->next)
        if (t->wait.is_by_calendar) t->wait.deadline -= ahead;
    vt_calendar_timers_come_sooner(ahead);
    vt_calendar_alarms_come_sooner(ahead);
    vt.earliest = vt.now;
}

void vt_tell_time(clockid_t clock, struct timespec *time) {
    vt.record->counts.clock_reads++;
    vt_self->yields = 0;
    vt.beat++;
    vt.now += READ_NANOSECONDS;
    int64_t shown = vt.now + shown_at_the_beginning(clock);
    time->tv_sec = shown / SECOND;
    time->tv_nsec = shown % SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (!vt_inside()) return REAL(clock_gettime)(clock, time);
    // Negative ones are the processor times of processes and threads.
    if (clock > LAST_CLOCK) return (int)vt_with_errno(-EINVAL);
    vt_tell_time(clock, time);
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    if (!vt_inside()) return REAL(gettimeofday)(time, zone);
    struct timespec precise;
    vt_tell_time(CLOCK_REALTIME, &precise);
    time->tv_sec = precise.tv_sec;
    time->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    if (!vt_inside()) return REAL(time)(result);
    struct timespec precise;
    vt_tell_time(CLOCK_REALTIME, &precise);
    if (result) *result = precise.tv_sec;
    return precise.tv_sec;
}

int timespec_get(struct timespec *time, int base) {
    if (!vt_inside()) return REAL(timespec_get)(time, base);
    if (base != TIME_UTC) return 0;
    vt_tell_time(CLOCK_REALTIME, time);
    return base;
}

clock_t clock(void) {
    if (!vt_inside()) return REAL(clock)();
    struct timespec precise;
    vt_tell_time(CLOCK_PROCESS_CPUTIME_ID, &precise);
    return precise.tv_sec * CLOCKS_PER_SEC + precise.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}

clock_t times(struct tms *result) {
    if (!vt_inside()) return REAL(times)(result);
    struct timespec precise;
    vt_tell_time(CLOCK_MONOTONIC, &precise);
    clock_t ticks = precise.tv_sec * 100 + precise.tv_nsec / (SECOND / 100);
    if (result) *result = (struct tms){.tms_utime = ticks};
    return ticks;
}
#endif
