#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// A condition consists only of its waiters, which the world manages; glibc's state is not touched. The same holds for
// barriers.

/// The clock that a condition was created with, as glibc stores it.
static clockid_t clock_of(const pthread_cond_t *condition) {
    enum { monotonic = 2 };
    return condition->__data.__wrefs & monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int wait_for(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline, const char *call) {
    int error = vt_unlock_mutex(mutex);
    if (error) return error;
    vt_outcome outcome = vt_block_on_address(condition, vt_nobody, deadline, call);
    error = vt_lock_mutex(mutex, VT_NEVER, call);
    if (error) return error;
    return outcome == vt_timed_out ? ETIMEDOUT : 0;
}

static bool is_time(const struct timespec *time) { return time->tv_nsec >= 0 && time->tv_nsec < 1000000000; }

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex) {
    if (!vt_inside()) return REAL(pthread_cond_wait)(condition, mutex);
    return wait_for(condition, mutex, VT_NEVER, "pthread_cond_wait");
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_cond_timedwait)(condition, mutex, time);
    if (!is_time(time)) return EINVAL;
    return wait_for(condition, mutex, vt_at(clock_of(condition), time), "pthread_cond_timedwait");
}

int pthread_cond_clockwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_cond_clockwait)(condition, mutex, clock, time);
    if (!is_time(time)) return EINVAL;
    return wait_for(condition, mutex, vt_at(clock, time), "pthread_cond_clockwait");
}

int pthread_cond_signal(pthread_cond_t *condition) {
    if (!vt_inside()) return REAL(pthread_cond_signal)(condition);
    vt_wake_address(condition, ~0u, 1);
    vt_step("pthread_cond_signal");
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (!vt_inside()) return REAL(pthread_cond_broadcast)(condition);
    vt_wake_address(condition, ~0u, INT32_MAX);
    vt_step("pthread_cond_broadcast");
    return 0;
}

/// glibc's layout of a barrier.
struct barrier {
    unsigned in, round, count;
};

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    if (!vt_inside()) return REAL(pthread_barrier_wait)(barrier);
    vt_step("pthread_barrier_wait");
    unsigned arrived = 1;
    for (const vt_thread *t = vt.waiting.first; t; t = t->next) arrived += t->wait.subject == vt_on_address && t->wait.address == barrier;
    if (arrived < ((const struct barrier *)barrier)->count) {
        vt_block_on_address(barrier, vt_nobody, VT_NEVER, "pthread_barrier_wait");
        return 0;
    }
    vt_wake_address(barrier, ~0u, INT32_MAX);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}
#endif
