#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>

// Each advances the clocks by 50 µs: ten seconds of waiting without a look at a clock. No lock is held for so long.
#define MOST_YIELDS 200000

static bool is_duration(const struct timespec *time) {
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/// Returns 0 or an error number.
static int sleep_until(int64_t deadline, struct timespec *left, const char *call) {
    if (vt_sleep_until(deadline, call) != vt_signalled) return 0;
    int64_t missing = deadline > vt.now ? deadline - vt.now : 0;
    if (left) *left = (struct timespec){missing / 1000000000, missing % 1000000000};
    return EINTR;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    if (!vt_inside()) return REAL(nanosleep)(time, left);
    int error = is_duration(time) ? sleep_until(vt_after(time), left, "nanosleep") : EINVAL;
    if (error) errno = error;
    return error ? -1 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    if (!vt_inside()) return REAL(clock_nanosleep)(clock, flags, time, left);
    if (!is_duration(time)) return EINVAL;
    bool absolute = flags & TIMER_ABSTIME;
    return sleep_until(absolute ? vt_at(clock, time) : vt_after(time), absolute ? NULL : left, "clock_nanosleep");
}

int usleep(useconds_t microseconds) {
    if (!vt_inside()) return REAL(usleep)(microseconds);
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned sleep(unsigned seconds) {
    if (!vt_inside()) return REAL(sleep)(seconds);
    struct timespec time = {seconds, 0}, left = {0, 0};
    if (nanosleep(&time, &left) == 0) return 0;
    return (unsigned)(left.tv_sec + (left.tv_nsec >= 500000000));
}

/// Ends the world of a thread that waits by yielding, for a lock that nobody gives back.
static _Noreturn void stop_yielding(void) {
    char what[256];
    snprintf(
        what, sizeof what,
        "virtual time: thread %d has yielded its processor %d times and done nothing else.\n"
        "It may wait for a lock that nobody gives back.\n",
        vt_self->id, MOST_YIELDS);
    vt_stop_here(virtual_time_end_spinning, what);
}

int sched_yield(void) {
    if (!vt_inside()) return REAL(sched_yield)();
    if (++vt_self->yields > MOST_YIELDS) stop_yielding();
    vt_look();
    return 0;
}
#endif
