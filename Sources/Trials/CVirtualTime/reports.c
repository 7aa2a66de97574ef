#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time_reports.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "carried.h"

// The conductor's side.

bool virtual_time_limit_waits(int channel, unsigned milliseconds) {
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    return setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0;
}

long virtual_time_receive_report(int channel, virtual_time_idle *report, int *watched) {
    *watched = -1;
    struct iovec part = {report, sizeof *report};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    vt_carried room;
    vt_make_room(&message, &room, 1);
    long count;
    do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count > 0) vt_take_carried(&message, watched, 1);
    return count;
}

const char *virtual_time_signal_name(int signal) { return sigabbrev_np(signal); }

int virtual_time_make_observer(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool virtual_time_observe(int observer, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(observer, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void virtual_time_send_go_on(int channel, const virtual_time_go_on *answer, int others) {
    struct iovec part = {(void *)answer, sizeof *answer};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    vt_carried room;
    if (others >= 0) vt_carry(&message, &room, &others, 1);
    // Fails only if the process has closed its end: its next answer says so.
    while (sendmsg(channel, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}
