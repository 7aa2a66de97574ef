#include "CProbe.h"
#include "virtual_time.h"

#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t condition;
static once_flag once = ONCE_FLAG_INIT;
static int turns, initialized;

static void initialize(void) { initialized++; }

static struct timespec in_seconds(int seconds) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    time.tv_sec += seconds;
    return time;
}

static int work(void *name) {
    call_once(&once, initialize);
    mtx_lock(&lock);
    struct timespec time = in_seconds(10);
    while (turns == 0)
        if (cnd_timedwait(&condition, &lock, &time) == thrd_timedout) virtual_time_finish("the condition came too late");
    turns++;
    mtx_unlock(&lock);
    virtual_time_trace(name);
    return 7;
}

void probe_c11_threads(void) {
    mtx_init(&lock, mtx_timed);
    cnd_init(&condition);
    thrd_t threads[3];
    char *names[] = {"first", "second", "third"};
    for (int i = 0; i < 3; i++) thrd_create(&threads[i], work, names[i]);
    thrd_sleep(&(struct timespec){.tv_sec = 5}, NULL);
    mtx_lock(&lock);
    struct timespec soon = in_seconds(2);
    // It is held: by this thread, and nobody else may have it.
    int again = mtx_timedlock(&lock, &soon), at_once = mtx_trylock(&lock);
    turns = 1;
    cnd_broadcast(&condition);
    mtx_unlock(&lock);
    int sum = 0, value = 0;
    for (int i = 0; i < 3; i++) sum += thrd_join(threads[i], &value) == thrd_success ? value : 100;
    char line[128];
    snprintf(
        line, sizeof line, "joined %d, turns %d, initialized %d, again: timed out %d, busy %d", sum, turns, initialized,
        again == thrd_timedout, at_once == thrd_busy);
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
