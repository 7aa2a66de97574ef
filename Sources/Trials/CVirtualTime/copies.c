#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "copies.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "virtual_time_copies.h"

// The owner's side.

static bool fail(int error) {
    errno = error;
    return false;
}

/// Appends a text and its zero byte; returns the place after it, or NULL if it does not fit.
static char *add(char *place, const char *end, const char *text) {
    size_t size = strlen(text) + 1;
    if (size > (size_t)(end - place)) return NULL;
    memcpy(place, text, size);
    return place + size;
}

static bool send_request(int requests, const vt_copy_request *request, const char *text, const int *descriptors) {
    struct iovec parts[] = {{(void *)request, sizeof *request}, {(void *)text, request->length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    vt_carried room;
    if (descriptors) vt_carry(&message, &room, descriptors, VT_COPY_DESCRIPTORS);
    long count;
    do count = sendmsg(requests, &message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    if (count < 0 && errno == ECONNRESET) errno = EPIPE;
    return count >= 0;
}

static bool receive_answer(int requests, unsigned milliseconds, vt_copy_answer *answer) {
    struct pollfd descriptor = {requests, POLLIN, 0};
    int ready;
    do ready = poll(&descriptor, 1, milliseconds == 0 ? -1 : (int)milliseconds);
    while (ready < 0 && errno == EINTR);
    if (ready < 0) return false;
    if (ready == 0) return fail(ETIME);
    long count;
    do count = recv(requests, answer, sizeof *answer, 0);
    while (count < 0 && errno == EINTR);
    if (count != sizeof *answer) return fail(EPIPE);
    return answer->error ? fail(answer->error) : true;
}

bool virtual_time_copy_process(
    int requests, const virtual_time_launch *launch, bool with_arguments, unsigned milliseconds,
    virtual_time_process *process) {
    char text[VIRTUAL_TIME_MOST_COPY_TEXT];
    const char *end = text + sizeof text;
    char *place = add(text, end, launch->directory);
    for (char *const *variable = launch->environment; place && *variable; variable++) place = add(place, end, *variable);
    const char *variables_end = place;
    for (char *const *argument = launch->arguments + 1; with_arguments && place && argument[-1] && *argument; argument++)
        place = add(place, end, *argument);
    if (!place) return fail(E2BIG);
    unsigned processor = 0;
    if (syscall(SYS_getcpu, &processor, NULL, NULL) != 0) return false;
    vt_copy_request request = {.kind = vt_copy_start, .processor = processor, .length = (uint32_t)(place - text),
        .arguments = (uint32_t)(place - variables_end)};
    const int descriptors[VT_COPY_DESCRIPTORS] = {launch->output, launch->errors, launch->conductor};
    vt_copy_answer answer;
    if (!send_request(requests, &request, text, descriptors) || !receive_answer(requests, milliseconds, &answer)) return false;
    // The identifier is not reused until the copy's end has been requested.
    int handle = (int)syscall(SYS_pidfd_open, answer.process, 0);
    if (handle < 0) return false;
    *process = (virtual_time_process){.identifier = answer.process, .handle = handle};
    return true;
}

bool virtual_time_end_of_copy(int requests, int identifier, unsigned milliseconds, int *status) {
    vt_copy_request request = {.kind = vt_copy_end, .process = identifier};
    vt_copy_answer answer;
    if (!send_request(requests, &request, "", NULL) || !receive_answer(requests, milliseconds, &answer)) return false;
    *status = answer.status;
    return true;
}
