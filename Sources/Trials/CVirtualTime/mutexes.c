#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// glibc manages the state of a lock; only the waiting takes place in the world.

/// Returns true if the thread holds this error-checking lock: locking it again must fail rather than wait.
static bool is_own_checked(const pthread_mutex_t *mutex) {
    return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK && mutex->__data.__owner == vt_self->kernel_id;
}

int vt_lock_mutex(pthread_mutex_t *mutex, int64_t deadline, const char *call) {
    for (;;) {
        int error = REAL(pthread_mutex_trylock)(mutex);
        if (error != EBUSY) return error;
        if (is_own_checked(mutex)) return EDEADLK;
        if (vt_block_on_address(mutex, vt_mutex, deadline, call) == vt_timed_out) return ETIMEDOUT;
    }
}

int vt_unlock_mutex(pthread_mutex_t *mutex) {
    int error = REAL(pthread_mutex_unlock)(mutex);
    if (error == 0) vt_wake_address(mutex, ~0u, INT32_MAX);
    return error;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    const void *caller = vt_caller();
    if (!vt_inside()) return REAL(pthread_mutex_lock)(mutex);
    vt_step("pthread_mutex_lock");
    // The other forms have deadlines: their waits end by themselves.
    bool is_noted = vt_is_lock_of_program(caller);
    if (is_noted) vt_will_take(mutex, false);
    int error = vt_lock_mutex(mutex, VT_NEVER, "pthread_mutex_lock");
    if (is_noted && error == 0) vt_has_taken(mutex, false);
    return error;
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_mutex_timedlock)(mutex, time);
    vt_step("pthread_mutex_timedlock");
    return vt_lock_mutex(mutex, vt_at(CLOCK_REALTIME, time), "pthread_mutex_timedlock");
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_mutex_clocklock)(mutex, clock, time);
    vt_step("pthread_mutex_clocklock");
    return vt_lock_mutex(mutex, vt_at(clock, time), "pthread_mutex_clocklock");
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!vt_inside()) return REAL(pthread_mutex_unlock)(mutex);
    vt_has_given_back(mutex);
    return vt_unlock_mutex(mutex);
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (!vt_inside()) return REAL(pthread_spin_lock)(lock);
    vt_step("pthread_spin_lock");
    for (;;) {
        int error = REAL(pthread_spin_trylock)(lock);
        if (error != EBUSY) return error;
        vt_block_on_address((const void *)lock, vt_nobody, VT_NEVER, "pthread_spin_lock");
    }
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
    int error = REAL(pthread_spin_unlock)(lock);
    if (vt_inside()) vt_wake_address((const void *)lock, ~0u, INT32_MAX);
    return error;
}
#endif
