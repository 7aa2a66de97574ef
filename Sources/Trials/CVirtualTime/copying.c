#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "copies.h"
#include "virtual_time_copies.h"
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

// The copied process's side. It allocates nothing between two requests, so every copy begins with the same memory.

typedef struct {
    vt_copy_request head;
    char text[VIRTUAL_TIME_MOST_COPY_TEXT];
    int descriptors[VT_COPY_DESCRIPTORS];
} request;

static _Noreturn void end_process(int code) {
    for (;;) vt_kernel(SYS_exit_group, code);
}

/// Returns false if the owner is gone or sent something other than a request.
static bool receive(int requests, request *request) {
    struct iovec parts[] = {{&request->head, sizeof request->head}, {request->text, sizeof request->text}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    vt_carried room;
    vt_make_room(&message, &room, VT_COPY_DESCRIPTORS);
    long count;
    do count = vt_kernel(SYS_recvmsg, requests, &message, 0);
    while (count == -EINTR);
    if (count < (long)sizeof request->head || (size_t)count != sizeof request->head + request->head.length) return false;
    if (request->head.kind == vt_copy_end) return true;
    if (request->head.kind != vt_copy_start) return false;
    if (!vt_take_carried(&message, request->descriptors, VT_COPY_DESCRIPTORS)) return false;
    return request->head.length > request->head.arguments && request->text[request->head.length - 1] == 0;
}

static _Noreturn void refuse(const char *what, const char *on) {
    fprintf(stderr, "virtual time: a copy cannot %s %s: %s.\n", what, on, strerror(errno));
    end_process(VIRTUAL_TIME_EXIT_STOPPED);
}

/// The end of this process's arguments, and their number.
static char **own_end;
static int own_count;

/// Writes the arguments in the place of the copied process's, where /proc/self/cmdline shows them, too. The process can
/// have more: those with which an interpreter runs a script.
static void take_arguments(const char *texts, const char *end) {
    int count = 0;
    for (const char *place = texts; place < end; place += strlen(place) + 1) count++;
    char **own = own_end - count;
    for (const char *place = texts; place < end; place += strlen(place) + 1, own++) {
        if (count >= own_count || strlen(*own) != strlen(place)) {
            errno = EINVAL;
            refuse("take the argument", place);
        }
        strcpy(*own, place);
    }
}

/// Does for a copy what posix_spawn does for a new program.
static void become(int requests, const request *request) {
    vt_kernel(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (setsid() < 0) refuse("create", "a session");
    if (chdir(request->text) != 0) refuse("work in", request->text);
    const int *descriptors = request->descriptors;
    if (dup2(descriptors[0], STDOUT_FILENO) < 0 || dup2(descriptors[1], STDERR_FILENO) < 0) refuse("write", "its output");
    vt_kernel(SYS_close, requests);
    if (dup2(descriptors[2], VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR) < 0) refuse("reach", "the conductor");
    for (int i = 0; i < VT_COPY_DESCRIPTORS; i++)
        if (descriptors[i] > VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR) vt_kernel(SYS_close, descriptors[i]);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(request->head.processor, &one);
    // Where this is not allowed, the copy runs on another processor, several times slower.
    vt_kernel(SYS_sched_setaffinity, 0, sizeof one, &one);
    const char *end = request->text + request->head.length, *arguments = end - request->head.arguments;
    if (!vt_replace_variables(request->text + strlen(request->text) + 1, arguments)) refuse("keep", "its environment");
    take_arguments(arguments, end);
}

bool virtual_time_serve_copies(int requests) {
    static request request;
    if (vt.on || !vt_has_one_thread()) {
        errno = vt.on ? EBUSY : EDEADLK;
        return false;
    }
    if (vt_kernel(SYS_fcntl, requests, F_SETFD, FD_CLOEXEC) < 0) {
        errno = ENOTSOCK;
        return false;
    }
    // Buffered output must not be written by each copy.
    fflush(NULL);
    for (;;) {
        if (!receive(requests, &request)) end_process(0);
        vt_copy_answer answer = {0, 0, 0};
        if (request.head.kind == vt_copy_end) {
            long ended;
            do ended = vt_kernel(SYS_wait4, request.head.process, &answer.status, 0, 0);
            while (ended == -EINTR);
            if (ended < 0) answer.error = (int)-ended;
        } else {
            pid_t copy = fork();
            if (copy == 0) {
                become(requests, &request);
                vt_begin_by_environment();
                return true;
            }
            if (copy < 0) answer.error = errno;
            answer.process = copy;
            for (int i = 0; i < VT_COPY_DESCRIPTORS; i++) vt_kernel(SYS_close, request.descriptors[i]);
        }
        if (vt_kernel(SYS_sendto, requests, &answer, sizeof answer, MSG_NOSIGNAL, 0, 0) != sizeof answer) end_process(0);
    }
}

/// Before the constructor that begins a world.
__attribute__((constructor(101))) static void serve_before_main(int count, char **arguments) {
    if (!vt_variable(VIRTUAL_TIME_COPIED)) return;
    own_end = arguments + count;
    own_count = count;
    if (!virtual_time_serve_copies(VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR)) refuse("serve from", "this process");
}
#endif
