#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static void say(const char *call, int result) {
    char line[64];
    snprintf(line, sizeof line, "%s: %d", call, result);
    virtual_time_trace(line);
}

static void handle(int number, siginfo_t *what, void *nothing) {
    (void)number;
    (void)nothing;
    say("handled", what->si_value.sival_int);
}

static pthread_t main_thread;

static void *send_some(void *nothing) {
    for (int i = 1; i <= 4; i++) {
        sleep(10);
        pthread_sigqueue(main_thread, SIGUSR1, (union sigval){.sival_int = i});
    }
    return nothing;
}

void probe_signal_masks(void) {
    struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = handle};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t blocked, none;
    sigemptyset(&none);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    int ends[2], events = epoll_create1(0);
    if (pipe(ends) != 0) virtual_time_finish("no pipe");
    struct pollfd one = {ends[0], POLLIN, 0};
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(events, EPOLL_CTL_ADD, ends[0], &event);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);

    main_thread = pthread_self();
    pthread_t sender;
    pthread_create(&sender, NULL, send_some, NULL);
    struct timespec time = {60, 0};
    say("ppoll, interrupted", ppoll(&one, 1, &time, &none) == -1 && errno == EINTR);
    say("pselect, interrupted", pselect(ends[0] + 1, &set, NULL, NULL, &time, &none) == -1 && errno == EINTR);
    say("epoll_pwait, interrupted", epoll_pwait(events, &event, 1, 60000, &none) == -1 && errno == EINTR);
    sleep(20);  // The signal is blocked.
    say("ppoll, ready first", write(ends[1], "a", 1) == 1 && ppoll(&one, 1, &time, &none) == 1);
    char byte;
    say("ppoll, pending", read(ends[0], &byte, 1) == 1 && ppoll(&one, 1, &time, &none) == -1 && errno == EINTR);
    say("epoll_pwait2, in vain", epoll_pwait2(events, &event, 1, &time, &none));
    say("an unknown clock", clock_gettime(77, &time) == -1 && errno == EINVAL);
    pthread_join(sender, NULL);
    virtual_time_finish(NULL);
}
