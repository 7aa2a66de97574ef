#include "CProbe.h"
#include "virtual_time.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void handle(int number) {
    (void)number;
    virtual_time_trace("alarm");
}

static void count(union sigval value) {
    char line[32];
    snprintf(line, sizeof line, "called with %d", value.sival_int);
    virtual_time_trace(line);
}

static void count_slowly(union sigval value) {
    (void)value;
    virtual_time_trace("slow call begins");
    sleep(65);
    virtual_time_trace("slow call ends");
}

// The main thread, the watchdog, the last timer's, and some of libdispatch.
#define FEW_THREADS 10

static int threads(void) {
    DIR *tasks = opendir("/proc/self/task");
    int count = -2;  // “.” and “..”
    while (tasks && readdir(tasks)) count++;
    if (tasks) closedir(tasks);
    return count;
}

void probe_alarms(void) {
    signal(SIGALRM, handle);
    alarm(5);
    pause();

    struct itimerval repeated = {{2, 0}, {1, 0}}, none = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &repeated, NULL);
    for (int i = 0; i < 3; i++) pause();
    setitimer(ITIMER_REAL, &none, NULL);

    timer_t timer;
    struct itimerspec once = {{0, 0}, {60, 0}};
    if (timer_create(CLOCK_MONOTONIC, NULL, &timer) != 0) virtual_time_finish("no timer");
    timer_settime(timer, 0, &once, NULL);
    pause();
    timer_delete(timer);

    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 7, .sigev_notify_function = count};
    if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) virtual_time_finish("no timer that calls");
    once.it_interval.tv_sec = 60;
    timer_settime(timer, 0, &once, NULL);
    sleep(130);
    timer_delete(timer);

    // Calls that last longer than the interval overlap, and a deleted timer's place serves only the next one.
    event.sigev_notify_function = count_slowly;
    if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) virtual_time_finish("no timer that calls slowly");
    timer_settime(timer, 0, &once, NULL);
    sleep(130);
    timer_delete(timer);
    event.sigev_value.sival_int = 8;
    event.sigev_notify_function = count;
    if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) virtual_time_finish("no timer after that");
    timer_settime(timer, 0, &once, NULL);
    sleep(70);
    timer_delete(timer);

    // The threads of deleted timers end, although the next one takes their place before they run.
    for (int i = 0; i < 100; i++) {
        if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) virtual_time_finish("no timer among many");
        timer_delete(timer);
    }
    if (timer_create(CLOCK_REALTIME, &event, &timer) != 0) virtual_time_finish("no last timer");
    sleep(1);
    virtual_time_trace(threads() <= FEW_THREADS ? "few threads" : "many threads");
    virtual_time_finish(NULL);
}
