#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time_reports.h"

#include <errno.h>
#include <string.h>
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
