#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

// A template is a process with one thread that forks a world for each request. It allocates nothing itself, so every
// world begins with the same memory. A world's record is in memory shared with its owner.

typedef struct {
    virtual_time_settings settings;
    uint64_t count;
    uint32_t milliseconds;
} request;

typedef struct {
    int32_t status;
    int32_t error;
} answer;

struct virtual_time_template {
    pid_t process;
    int channel;
    virtual_time_record *record;
    virtual_time_decision *given;
};

#define GIVEN_SIZE (VIRTUAL_TIME_MOST_DECISIONS * sizeof(virtual_time_decision))

static bool read_all(int descriptor, void *bytes, size_t count) {
    for (char *place = bytes; count > 0;) {
        long part = vt_kernel(SYS_read, descriptor, place, count);
        if (part == -EINTR) continue;
        if (part <= 0) return false;
        place += part;
        count -= (size_t)part;
    }
    return true;
}

static bool write_all(int descriptor, const void *bytes, size_t count) {
    for (const char *place = bytes; count > 0;) {
        // A template that is gone must cause an error, not a signal.
        long part = vt_kernel(SYS_sendto, descriptor, place, count, MSG_NOSIGNAL, 0, 0);
        if (part == -EINTR) continue;
        if (part <= 0) return false;
        place += part;
        count -= (size_t)part;
    }
    return true;
}

static _Noreturn void end_process(int code) {
    for (;;) vt_kernel(SYS_exit_group, code);
}

/// Waits for a world, and kills it when its time is up or its owner is gone.
static int wait_for_world(pid_t world, int requests, uint32_t milliseconds) {
    int status = 0;
    int end = (int)vt_kernel(SYS_pidfd_open, world, 0);
    if (end >= 0) {
        struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
        struct pollfd descriptors[] = {{end, POLLIN, 0}, {requests, POLLRDHUP, 0}};
        vt_kernel(SYS_ppoll, descriptors, 2, milliseconds ? &time : NULL, 0, 8);
        if (!descriptors[0].revents) vt_kernel(SYS_kill, world, SIGKILL);
        vt_kernel(SYS_close, end);
    }
    while (vt_kernel(SYS_wait4, world, &status, 0, 0) == -EINTR) {}
    return status;
}

/// Runs the template. Returns only in a world.
static void serve(struct virtual_time_template *worlds, int channel) {
    static request request;
    for (;;) {
        if (!read_all(channel, &request, sizeof request)) end_process(0);
        answer answer = {0, 0};
        vt_begin_record(worlds->record, request.settings.seed);
        vt.record = NULL;
        pid_t world = fork();
        if (world == 0) {
            vt_kernel(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            vt_kernel(SYS_close, channel);
            if (!vt_begin(worlds->record, &request.settings, worlds->given, request.count)) end_process(VIRTUAL_TIME_EXIT_STOPPED);
            return;
        }
        if (world < 0) answer.error = errno;
        else answer.status = wait_for_world(world, channel, request.milliseconds);
        if (!write_all(channel, &answer, sizeof answer)) end_process(0);
    }
}

virtual_time_template *virtual_time_template_open(void) {
    static struct virtual_time_template in_template;
    if (vt.on) {
        errno = EBUSY;
        return NULL;
    }
    struct virtual_time_template worlds = {.record = vt_map_record(-1)};
    void *given = mmap(NULL, GIVEN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int ends[2] = {-1, -1};
    struct virtual_time_template *opened = malloc(sizeof *opened);
    if (!opened || !worlds.record || given == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) goto failed;
    worlds.given = given;
    worlds.process = fork();
    if (worlds.process < 0) goto failed;
    if (worlds.process == 0) {
        vt_kernel(SYS_close, ends[0]);
        in_template = worlds;
        serve(&in_template, ends[1]);
        return NULL;
    }
    vt_kernel(SYS_close, ends[1]);
    worlds.channel = ends[0];
    *opened = worlds;
    return opened;

failed:;
    int error = errno;
    if (worlds.record) munmap(worlds.record, VIRTUAL_TIME_RECORD_SIZE);
    if (given != MAP_FAILED) munmap(given, GIVEN_SIZE);
    if (ends[0] >= 0) close(ends[0]);
    if (ends[1] >= 0) close(ends[1]);
    free(opened);
    errno = error;
    return NULL;
}

const virtual_time_record *virtual_time_template_run(
    virtual_time_template *worlds, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count,
    uint32_t milliseconds, int *status) {
    if (!vt_is_valid(settings) || count > VIRTUAL_TIME_MOST_DECISIONS || (count > 0 && !given) || !vt_are_in_order(given, count)) {
        errno = EINVAL;
        return NULL;
    }
    if (count > 0) memcpy(worlds->given, given, count * sizeof *given);
    request request = {*settings, count, milliseconds};
    answer answer;
    if (!write_all(worlds->channel, &request, sizeof request) || !read_all(worlds->channel, &answer, sizeof answer)) {
        errno = EPIPE;
        return NULL;
    }
    if (answer.error) {
        errno = answer.error;
        return NULL;
    }
    if (status) *status = answer.status;
    return worlds->record;
}

void virtual_time_template_close(virtual_time_template *worlds) {
    if (!worlds) return;
    close(worlds->channel);
    while (waitpid(worlds->process, NULL, 0) < 0 && errno == EINTR) {}
    munmap(worlds->record, VIRTUAL_TIME_RECORD_SIZE);
    munmap(worlds->given, GIVEN_SIZE);
    free(worlds);
}
#endif
