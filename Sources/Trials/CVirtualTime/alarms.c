#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// Timers that send a signal: alarm, setitimer, timer_create. Timers of processor time are left to the kernel.

// POSIX guarantees 32; a program with more than this forgets to delete them.
#define MOST_ALARMS 256
// The first one belongs to alarm and setitimer.
#define PROCESS_ALARM 0
// Above the small identifiers that the kernel assigns.
#define FIRST_IDENTIFIER (1u << 20)

static struct alarm {
    bool is_used;
    clockid_t clock;
    struct sigevent event;
    int64_t deadline, interval;
    bool is_by_calendar;  // waits for a time on a clock that can be set
    int overrun;
    unsigned generation;  // the number of earlier alarms at this place
    unsigned due;         // calls of its function that have not begun
} alarms[MOST_ALARMS] = {{.is_used = true, .clock = CLOCK_REALTIME, .event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM}, .deadline = VT_NEVER}};

/// No alarm from this index on was ever used: few programs have one, and each hand-over checks for due alarms.
static int alarm_count = PROCESS_ALARM + 1;

int64_t vt_earliest_alarm(void) {
    int64_t earliest = VT_NEVER;
    for (int i = 0; i < alarm_count; i++)
        if (alarms[i].is_used && alarms[i].deadline < earliest) earliest = alarms[i].deadline;
    return earliest;
}

static void fire(struct alarm *alarm, int number) {
    alarm->overrun = alarm->interval > 0 ? (int)((vt.now - alarm->deadline) / alarm->interval) : 0;
    alarm->deadline = alarm->interval > 0 ? alarm->deadline + (alarm->overrun + 1) * alarm->interval : VT_NEVER;
    if (alarm->event.sigev_notify == SIGEV_THREAD) {
        alarm->due++;
        vt_wake_address(alarm, ~0u, INT32_MAX);
    }
    if (alarm->event.sigev_notify != SIGEV_SIGNAL && alarm->event.sigev_notify != SIGEV_THREAD_ID) return;
    siginfo_t what;
    memset(&what, 0, sizeof what);
    what.si_code = number == PROCESS_ALARM ? SI_KERNEL : SI_TIMER;
    what.si_timerid = number;
    what.si_overrun = alarm->overrun;
    what.si_value = alarm->event.sigev_value;
    vt_send_signal(alarm->event.sigev_signo, &what);
}

void vt_fire_alarms(void) {
    for (int i = 0; i < alarm_count; i++)
        if (alarms[i].is_used && alarms[i].deadline <= vt.now) fire(&alarms[i], i);
}

void vt_calendar_alarms_come_sooner(int64_t by) {
    for (int i = 0; i < alarm_count; i++)
        if (alarms[i].is_by_calendar && alarms[i].deadline != VT_NEVER) alarms[i].deadline -= by;
}

static int64_t left(const struct alarm *alarm) {
    if (alarm->deadline == VT_NEVER) return 0;
    return alarm->deadline > vt.now ? alarm->deadline - vt.now : 1;
}

static int64_t of_timeval(const struct timeval *time) { return (int64_t)time->tv_sec * 1000000000 + (int64_t)time->tv_usec * 1000; }

static struct timeval to_timeval(int64_t time) { return (struct timeval){time / 1000000000, time % 1000000000 / 1000}; }

static void set(struct alarm *alarm, int64_t first, int64_t interval) {
    alarm->interval = interval;
    alarm->deadline = first > 0 ? vt.now + first : VT_NEVER;
}

unsigned alarm(unsigned seconds) {
    if (!vt_inside()) return REAL(alarm)(seconds);
    struct alarm *alarm = &alarms[PROCESS_ALARM];
    int64_t before = left(alarm);
    set(alarm, (int64_t)seconds * 1000000000, 0);
    return (unsigned)((before + 999999999) / 1000000000);
}

int setitimer(enum __itimer_which which, const struct itimerval *restrict new, struct itimerval *restrict old) {
    if (!vt_inside() || which != ITIMER_REAL) return REAL(setitimer)(which, new, old);
    struct alarm *alarm = &alarms[PROCESS_ALARM];
    if (old) *old = (struct itimerval){to_timeval(alarm->interval), to_timeval(left(alarm))};
    if (new) set(alarm, of_timeval(&new->it_value), of_timeval(&new->it_interval));
    return 0;
}

int getitimer(enum __itimer_which which, struct itimerval *current) {
    if (!vt_inside() || which != ITIMER_REAL) return REAL(getitimer)(which, current);
    const struct alarm *alarm = &alarms[PROCESS_ALARM];
    *current = (struct itimerval){to_timeval(alarm->interval), to_timeval(left(alarm))};
    return 0;
}

// ---- timer_create

static bool is_of_world(clockid_t clock) { return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID; }

static struct alarm *find(timer_t timer) {
    uintptr_t number = (uintptr_t)timer;
    if (number <= FIRST_IDENTIFIER || number >= FIRST_IDENTIFIER + MOST_ALARMS) return NULL;
    struct alarm *alarm = &alarms[number - FIRST_IDENTIFIER];
    return alarm->is_used ? alarm : NULL;
}

/// The body of a thread that calls an alarm's function once.
static void *call(void *value) {
    struct sigevent event = *(struct sigevent *)value;
    free(value);
    event.sigev_notify_function(event.sigev_value);
    return NULL;
}

/// Starts a thread for a call, as glibc does: a call may last longer than the interval. Without memory or threads the
/// call is lost, as with glibc.
static void start_call(const struct sigevent *event) {
    struct sigevent *copy = malloc(sizeof *copy);
    if (!copy) return;
    *copy = *event;
    pthread_t thread;
    if (pthread_create(&thread, NULL, call, copy) == 0) pthread_detach(thread);
    else free(copy);
}

/// The body of the thread that starts the calls of an alarm until the alarm is deleted.
static void *serve(void *value) {
    struct alarm *alarm = &alarms[(uintptr_t)value % MOST_ALARMS];
    unsigned generation = (unsigned)((uintptr_t)value / MOST_ALARMS);
    while (alarm->is_used && alarm->generation == generation) {
        if (alarm->due == 0) vt_block_on_address(alarm, vt_nobody, VT_NEVER, "waiting for its timer");
        else {
            alarm->due--;
            start_call(&alarm->event);
        }
    }
    return NULL;
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
    if (!vt_inside() || !is_of_world(clock)) return REAL(timer_create)(clock, event, timer);
    uintptr_t number = PROCESS_ALARM + 1;
    while (number < MOST_ALARMS && alarms[number].is_used) number++;
    if (number == MOST_ALARMS) return (int)vt_with_errno(-EAGAIN);
    if (alarm_count <= (int)number) alarm_count = (int)number + 1;
    struct alarm *alarm = &alarms[number];
    *alarm = (struct alarm){.is_used = true, .clock = clock, .deadline = VT_NEVER, .generation = alarm->generation + 1};
    if (event) alarm->event = *event;
    else alarm->event = (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM, .sigev_value.sival_ptr = (void *)number};
    pthread_t thread;
    if (alarm->event.sigev_notify == SIGEV_THREAD) {
        void *served = (void *)((uintptr_t)alarm->generation * MOST_ALARMS + number);
        if (pthread_create(&thread, NULL, serve, served) != 0) {
            alarm->is_used = false;
            return (int)vt_with_errno(-EAGAIN);
        }
        pthread_detach(thread);
    }
    *timer = (timer_t)(FIRST_IDENTIFIER + number);
    return 0;
}

static struct timespec to_timespec(int64_t time) { return (struct timespec){time / 1000000000, time % 1000000000}; }

int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old) {
    struct alarm *alarm = vt_inside() ? find(timer) : NULL;
    if (!alarm) return REAL(timer_settime)(timer, flags, new, old);
    if (old) *old = (struct itimerspec){to_timespec(alarm->interval), to_timespec(left(alarm))};
    alarm->interval = vt_nanoseconds(&new->it_interval);
    if (vt_nanoseconds(&new->it_value) == 0) alarm->deadline = VT_NEVER;
    else alarm->deadline = flags & TIMER_ABSTIME ? vt_at(alarm->clock, &new->it_value) : vt_after(&new->it_value);
    alarm->is_by_calendar = flags & TIMER_ABSTIME && vt_is_calendar(alarm->clock);
    return 0;
}

int timer_gettime(timer_t timer, struct itimerspec *current) {
    const struct alarm *alarm = vt_inside() ? find(timer) : NULL;
    if (!alarm) return REAL(timer_gettime)(timer, current);
    *current = (struct itimerspec){to_timespec(alarm->interval), to_timespec(left(alarm))};
    return 0;
}

int timer_getoverrun(timer_t timer) {
    const struct alarm *alarm = vt_inside() ? find(timer) : NULL;
    return alarm ? alarm->overrun : REAL(timer_getoverrun)(timer);
}

int timer_delete(timer_t timer) {
    struct alarm *alarm = vt_inside() ? find(timer) : NULL;
    if (!alarm) return REAL(timer_delete)(timer);
    alarm->is_used = false;
    alarm->deadline = VT_NEVER;
    vt_wake_address(alarm, ~0u, INT32_MAX);
    return 0;
}
#endif
