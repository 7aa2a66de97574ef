#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <threads.h>

// C11 threads are POSIX threads under other names: glibc uses the same types, and the same numbers for locks. These
// functions call the POSIX ones, also outside a world.

static int result_of(int error) {
    switch (error) {
    case 0: return thrd_success;
    case ENOMEM:
    case EAGAIN: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
    }
}

// ---- Threads

typedef struct {
    thrd_start_t body;
    void *argument;
} start;

static void *run(void *value) {
    start what = *(start *)value;
    free(value);
    return (void *)(intptr_t)what.body(what.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t body, void *argument) {
    start *what = malloc(sizeof *what);
    if (!what) return thrd_nomem;
    *what = (start){body, argument};
    int error = pthread_create(thread, NULL, run, what);
    if (error) free(what);
    return result_of(error);
}

int thrd_join(thrd_t thread, int *value) {
    void *end = NULL;
    int error = pthread_join(thread, &end);
    if (error == 0 && value) *value = (int)(intptr_t)end;
    return result_of(error);
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }

_Noreturn void thrd_exit(int value) { pthread_exit((void *)(intptr_t)value); }

int thrd_sleep(const struct timespec *time, struct timespec *left) {
    if (nanosleep(time, left) == 0) return 0;
    return errno == EINTR ? -1 : -2;
}

void thrd_yield(void) { sched_yield(); }

void call_once(once_flag *flag, void (*initializer)(void)) {
    _Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "glibc uses the same layout for both");
    pthread_once((pthread_once_t *)flag, initializer);
}

// ---- Locks and conditions

int mtx_lock(mtx_t *lock) { return result_of(pthread_mutex_lock((pthread_mutex_t *)lock)); }
int mtx_trylock(mtx_t *lock) { return result_of(pthread_mutex_trylock((pthread_mutex_t *)lock)); }
int mtx_unlock(mtx_t *lock) { return result_of(pthread_mutex_unlock((pthread_mutex_t *)lock)); }

int mtx_timedlock(mtx_t *restrict lock, const struct timespec *restrict time) {
    return result_of(pthread_mutex_timedlock((pthread_mutex_t *)lock, time));
}

int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal((pthread_cond_t *)condition)); }
int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast((pthread_cond_t *)condition)); }

int cnd_wait(cnd_t *condition, mtx_t *lock) {
    return result_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)lock));
}

int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict lock, const struct timespec *restrict time) {
    return result_of(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)lock, time));
}
#endif
