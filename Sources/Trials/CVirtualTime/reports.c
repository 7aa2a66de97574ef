#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time_reports.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

// The conductor's side.

bool virtual_time_limit_waits(int channel, unsigned milliseconds) {
    struct timeval time = {milliseconds / 1000, milliseconds % 1000 * 1000};
    return setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0;
}

long virtual_time_receive_report(int channel, virtual_time_idle *report, int *watched) {
    *watched = -1;
    struct iovec part = {report, sizeof *report};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    long count;
    do count = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    const struct cmsghdr *head = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_len == CMSG_LEN(sizeof *watched)) memcpy(watched, CMSG_DATA(head), sizeof *watched);
    return count;
}

int virtual_time_make_observer(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool virtual_time_observe(int observer, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(observer, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void virtual_time_send_go_on(int channel, const virtual_time_go_on *answer, int others) {
    struct iovec part = {(void *)answer, sizeof *answer};
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (others >= 0) {
        memset(&control, 0, sizeof control);
        control.head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof others)};
        memcpy(CMSG_DATA(&control.head), &others, sizeof others);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
    }
    // Fails only if the process has closed its end: its next answer says so.
    while (sendmsg(channel, &message, MSG_NOSIGNAL) < 0 && errno == EINTR) continue;
}
