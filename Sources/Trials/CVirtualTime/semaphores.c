#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

static int wait_for(sem_t *semaphore, int64_t deadline, const char *call) {
    vt_wait wait = {
        .subject = vt_on_address, .call = call, .address = semaphore, .bits = ~0u, .deadline = deadline, .interruptible = true,
    };
    while (REAL(sem_trywait)(semaphore) != 0) {
        if (errno != EAGAIN) return -1;
        switch (vt_block(&wait)) {
        case vt_woken: break;
        case vt_timed_out: errno = ETIMEDOUT; return -1;
        case vt_signalled:
            if (vt_self->restarts) break;
            errno = EINTR;
            return -1;
        }
    }
    return 0;
}

int sem_wait(sem_t *semaphore) {
    if (!vt_inside()) return REAL(sem_wait)(semaphore);
    vt_step("sem_wait");
    return wait_for(semaphore, VT_NEVER, "sem_wait");
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(sem_timedwait)(semaphore, time);
    vt_step("sem_timedwait");
    return wait_for(semaphore, vt_waits_for_work(semaphore) ? VT_NEVER : vt_at(CLOCK_REALTIME, time), "sem_timedwait");
}

int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(sem_clockwait)(semaphore, clock, time);
    vt_step("sem_clockwait");
    return wait_for(semaphore, vt_at(clock, time), "sem_clockwait");
}

int sem_post(sem_t *semaphore) {
    int result = REAL(sem_post)(semaphore);
    if (result == 0 && vt_inside()) {
        vt_wake_address(semaphore, ~0u, 1);
        vt_step("sem_post");
    }
    return result;
}
#endif
