#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

// Children of a world are outside it: they run in real time, and take none of the world's time. A child that ends soon
// does so before its parent continues, so its results are always the same; the world does not control when output of a
// longer-lived child arrives.

#define MOST_CHILDREN 256
// The time for which a child's start waits for its end: most children do one thing and do not wait for their parent.
#define SOON_SECONDS 1
// A child that runs this long while the world is idle is not a helper but a second program, which is the conductor's
// task.
#define PATIENCE_SECONDS 60

static struct child {
    pid_t process;
    int end;  // a descriptor that is ready when the child has ended
} running[MOST_CHILDREN];
static int running_count;
/// Threads that wait for a child wait on this address.
static const char any_child;

static void forget(int number) {
    vt_kernel(SYS_close, running[number].end);
    running[number] = running[--running_count];
    vt_wake_address(&any_child, ~0u, INT32_MAX);
}

static void remember(pid_t process) {
    vt.may_signal = true;
    int end = (int)vt_kernel(SYS_pidfd_open, process, 0);
    if (end < 0 || running_count == MOST_CHILDREN) return;
    // Moved out of the way of the program's own descriptors, whose numbers it may rely on.
    long moved = vt_kernel(SYS_fcntl, end, F_DUPFD_CLOEXEC, 1000);
    if (moved >= 0) {
        vt_kernel(SYS_close, end);
        end = (int)moved;
    }
    running[running_count++] = (struct child){process, end};
    struct pollfd one = {end, POLLIN, 0};
    const struct timespec soon = {SOON_SECONDS, 0};
    vt.outside = "children";
    if (vt_kernel(SYS_ppoll, &one, 1, &soon, 0, 8) == 1) forget(running_count - 1);
    vt.outside = NULL;
}

static bool forget_ended(void) {
    bool has_ended = false;
    for (int i = running_count - 1; i >= 0; i--) {
        struct pollfd one = {running[i].end, POLLIN, 0};
        const struct timespec none = {0, 0};
        if (vt_kernel(SYS_ppoll, &one, 1, &none, 0, 8) != 1) continue;
        forget(i);
        has_ended = true;
    }
    return has_ended;
}

static _Noreturn void stop_waiting(void) {
    char text[256];
    int length = snprintf(
        text, sizeof text,
        "virtual time: process %d, a child of this world, has run for %d s while no thread could run.\n"
        "It runs in real time; start it from the conductor.\n",
        running[0].process, PATIENCE_SECONDS);
    vt_stop(virtual_time_end_uncontrolled, text, (size_t)length);
}

bool vt_wait_for_children(void) {
    if (running_count == 0) return false;
    vt.may_signal = true;
    if (forget_ended()) return true;
    struct pollfd descriptors[MOST_CHILDREN + 64];
    nfds_t count = 0;
    for (int i = 0; i < running_count; i++) descriptors[count++] = (struct pollfd){running[i].end, POLLIN, 0};
    for (const vt_thread *t = vt.waiting.first; t; t = t->next) {
        if (t->late || t->wait.subject != vt_on_descriptors) continue;
        for (nfds_t i = 0; i < t->wait.descriptor_count && count < sizeof descriptors / sizeof *descriptors; i++)
            descriptors[count++] = t->wait.descriptors[i];
    }
    const struct timespec patience = {PATIENCE_SECONDS, 0};
    vt.outside = "children";
    long found = vt_kernel(SYS_ppoll, descriptors, count, &patience, 0, 8);
    vt.outside = NULL;
    if (found == 0) stop_waiting();
    forget_ended();
    return true;
}

// ---- Starting

pid_t fork(void) {
    if (!vt_inside()) return REAL(fork)();
    pid_t child = REAL(fork)();
    // The child has one thread and real clocks, and usually executes another program.
    if (child == 0) vt.on = false;
    else if (child > 0) remember(child);
    return child;
}

static int spawn(
    __typeof__(&posix_spawn) real, pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    if (!vt_inside()) return real(process, program, actions, attributes, arguments, environment);
    pid_t child = 0;
    int error = real(&child, program, actions, attributes, arguments, environment);
    if (error) return error;
    remember(child);
    if (process) *process = child;
    return 0;
}

int posix_spawn(
    pid_t *restrict process, const char *restrict path, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    return spawn(REAL(posix_spawn), process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(
    pid_t *restrict process, const char *restrict file, const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict], char *const environment[restrict]) {
    return spawn(REAL(posix_spawnp), process, file, actions, attributes, arguments, environment);
}

/// A child of vfork would share its parent's memory, and with it the state of the world.
pid_t vfork(void) {
    if (vt_inside()) return fork();
    // A jump, not a call: this function's frame must be gone when the child, and then the parent, returns.
    __attribute__((musttail)) return REAL(vfork)();
}

// ---- Waiting

static vt_outcome wait_for_any(const char *call) {
    vt_wait wait = {
        .subject = vt_on_address, .call = call, .address = &any_child, .bits = ~0u, .deadline = VT_NEVER, .interruptible = true,
    };
    return vt_block(&wait);
}

pid_t wait4(pid_t process, int *status, int options, struct rusage *usage) {
    if (!vt_inside()) return REAL(wait4)(process, status, options, usage);
    for (;;) {
        pid_t found = REAL(wait4)(process, status, options | WNOHANG, usage);
        if (found != 0) return found;
        if (options & WNOHANG) {
            vt_look();
            return 0;
        }
        if (wait_for_any("wait4") == vt_signalled) return (pid_t)vt_with_errno(-EINTR);
    }
}

pid_t waitpid(pid_t process, int *status, int options) {
    return vt_inside() ? wait4(process, status, options, NULL) : REAL(waitpid)(process, status, options);
}

pid_t wait(int *status) { return vt_inside() ? wait4(-1, status, 0, NULL) : REAL(wait)(status); }

pid_t wait3(int *status, int options, struct rusage *usage) {
    return vt_inside() ? wait4(-1, status, options, usage) : REAL(wait3)(status, options, usage);
}

int waitid(idtype_t type, id_t identifier, siginfo_t *what, int options) {
    if (!vt_inside()) return REAL(waitid)(type, identifier, what, options);
    siginfo_t found;
    for (;;) {
        found.si_pid = 0;
        int result = REAL(waitid)(type, identifier, &found, options | WNOHANG);
        if (result != 0 || found.si_pid != 0 || options & WNOHANG) {
            if (what) *what = found;
            return result;
        }
        if (wait_for_any("waitid") == vt_signalled) return (int)vt_with_errno(-EINTR);
    }
}
#endif
