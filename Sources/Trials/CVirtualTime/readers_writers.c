#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

static int lock_by(int (*attempt)(pthread_rwlock_t *), pthread_rwlock_t *lock, int64_t deadline, const char *call) {
    vt_step(call);
    for (;;) {
        int error = attempt(lock);
        if (error != EBUSY) return error;
        if (lock->__data.__cur_writer == vt_self->kernel_id) return EDEADLK;
        if (vt_block_on_address(lock, vt_rwlock, deadline, call) == vt_timed_out) return ETIMEDOUT;
    }
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (!vt_inside()) return REAL(pthread_rwlock_rdlock)(lock);
    return lock_by(REAL(pthread_rwlock_tryrdlock), lock, VT_NEVER, "pthread_rwlock_rdlock");
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (!vt_inside()) return REAL(pthread_rwlock_wrlock)(lock);
    return lock_by(REAL(pthread_rwlock_trywrlock), lock, VT_NEVER, "pthread_rwlock_wrlock");
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_rwlock_timedrdlock)(lock, time);
    return lock_by(REAL(pthread_rwlock_tryrdlock), lock, vt_at(CLOCK_REALTIME, time), "pthread_rwlock_timedrdlock");
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_rwlock_timedwrlock)(lock, time);
    return lock_by(REAL(pthread_rwlock_trywrlock), lock, vt_at(CLOCK_REALTIME, time), "pthread_rwlock_timedwrlock");
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_rwlock_clockrdlock)(lock, clock, time);
    return lock_by(REAL(pthread_rwlock_tryrdlock), lock, vt_at(clock, time), "pthread_rwlock_clockrdlock");
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(pthread_rwlock_clockwrlock)(lock, clock, time);
    return lock_by(REAL(pthread_rwlock_trywrlock), lock, vt_at(clock, time), "pthread_rwlock_clockwrlock");
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    int error = REAL(pthread_rwlock_unlock)(lock);
    if (vt_inside()) vt_wake_address(lock, ~0u, INT32_MAX);
    return error;
}
#endif
