#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Traces what a call said.
static void say(const char *call, int result) {
    char line[64];
    snprintf(line, sizeof line, "%s: %d", call, result);
    virtual_time_trace(line);
}

static struct timespec in_seconds(clockid_t clock, int seconds) {
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += seconds;
    return time;
}

// Each is held by the main thread, and waited for in vain by another.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;

static void *wait_in_vain(void *nothing) {
    struct timespec time = in_seconds(CLOCK_REALTIME, 5);
    say("mutex", pthread_mutex_timedlock(&mutex, &time) == ETIMEDOUT);
    time = in_seconds(CLOCK_MONOTONIC, 5);
    say("mutex by clock", pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
    time = in_seconds(CLOCK_REALTIME, 5);
    say("reader", pthread_rwlock_timedrdlock(&lock, &time));
    pthread_rwlock_unlock(&lock);
    time = in_seconds(CLOCK_REALTIME, 5);
    say("writer", pthread_rwlock_timedwrlock(&lock, &time) == ETIMEDOUT);
    time = in_seconds(CLOCK_MONOTONIC, 5);
    say("writer by clock", pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
    time = in_seconds(CLOCK_REALTIME, 5);
    say("semaphore", sem_timedwait(&semaphore, &time) == -1 && errno == ETIMEDOUT);
    time = in_seconds(CLOCK_MONOTONIC, 5);
    say("semaphore by clock", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &time) == -1 && errno == ETIMEDOUT);
    say("spin", pthread_spin_lock(&spin));
    return nothing;
}

static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;

/// Holds one lock and waits for the main thread's, but not for ever.
static void *wait_in_a_cycle(void *nothing) {
    pthread_mutex_lock(&other_mutex);
    struct timespec time = in_seconds(CLOCK_REALTIME, 5);
    say("cycle", pthread_mutex_timedlock(&mutex, &time) == ETIMEDOUT);
    pthread_mutex_unlock(&other_mutex);
    return nothing;
}

void probe_timed_locks(void) {
    sem_init(&semaphore, 0, 0);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_lock(&mutex);
    pthread_rwlock_rdlock(&lock);
    pthread_spin_lock(&spin);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_in_vain, NULL);
    sleep(100);
    pthread_spin_unlock(&spin);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, wait_in_a_cycle, NULL);
    sleep(1);
    say("end of the cycle", pthread_mutex_lock(&other_mutex));
    virtual_time_finish(NULL);
}

void probe_timed_polls(void) {
    int ends[2];
    if (pipe(ends) != 0) virtual_time_finish("no pipe");
    struct pollfd one = {ends[0], POLLIN, 0};
    struct timespec time = {3, 0};
    say("poll", poll(&one, 1, 2000));
    say("ppoll", ppoll(&one, 1, &time, NULL));
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    say("pselect", pselect(ends[0] + 1, &set, NULL, NULL, &time, NULL));
    int events = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &event);
    say("epoll_wait", epoll_wait(events, &event, 1, 4000));
    say("epoll_pwait2", epoll_pwait2(events, &event, 1, &time, NULL));
    say("by number: ppoll", (int)syscall(SYS_ppoll, &one, 1, &time, NULL, 0));
    say("by number: nanosleep", (int)syscall(SYS_nanosleep, &time, NULL));
    if (write(ends[1], "a", 1) != 1) virtual_time_finish("not written");
    FD_SET(ends[0], &set);
    say("ready: pselect", pselect(ends[0] + 1, &set, NULL, NULL, &time, NULL));
    say("ready: epoll_wait", epoll_wait(events, &event, 1, -1));
    virtual_time_finish(NULL);
}

static void *sleep_seven(void *value) {
    sleep(7);
    return value;
}

void probe_joins(void) {
    pthread_t slow;
    int seven = 7;
    void *value = NULL;
    pthread_create(&slow, NULL, sleep_seven, &seven);
    struct timespec time = in_seconds(CLOCK_REALTIME, 2);
    say("try", pthread_tryjoin_np(slow, NULL) == EBUSY);
    say("timed", pthread_timedjoin_np(slow, NULL, &time) == ETIMEDOUT);
    time = in_seconds(CLOCK_MONOTONIC, 2);
    say("by clock", pthread_clockjoin_np(slow, NULL, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
    say("joined", pthread_join(slow, &value));
    say("its value", value == &seven);
    virtual_time_finish(NULL);
}
