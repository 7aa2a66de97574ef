#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// The kernel refuses a call so often before it lets it through, as if other programs of the user held all there is; to hold it would fail the tests
// that run at the same time.

// The sixth argument of a call that is let through: the calls in question have fewer.
#define LET_THROUGH 0x57A7C4

/// How often each of the two calls is still refused; for ever if negative.
static int refusals[2];

static void answer(int number, siginfo_t *what, void *context) {
    (void)number;
    int error = errno;
#if defined(__x86_64__)
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long a = registers[REG_RDI], b = registers[REG_RSI], c = registers[REG_RDX];
    greg_t *result = &registers[REG_RAX];
#else
    unsigned long long *registers = ((ucontext_t *)context)->uc_mcontext.regs;
    long a = (long)registers[0], b = (long)registers[1], c = (long)registers[2];
    unsigned long long *result = &registers[0];
#endif
    bool is_instance = what->si_syscall == SYS_inotify_init1;
    int *left = &refusals[is_instance ? 0 : 1];
    long answer;
    if (*left == 0) {
        answer = syscall(what->si_syscall, a, b, c, 0, 0, LET_THROUGH);
        if (answer < 0) answer = -errno;
    } else {
        if (*left > 0) --*left;
        answer = is_instance ? -EMFILE : -ENOSPC;
    }
    *result = (__typeof__(*result))answer;
    errno = error;
}

static bool refuse(int times) {
    refusals[0] = refusals[1] = times;
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_init1, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_inotify_add_watch, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LET_THROUGH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
           && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void trace_event(int instance) {
    _Alignas(struct inotify_event) char bytes[4096];
    struct pollfd one = {instance, POLLIN, 0};
    poll(&one, 1, 60000);
    ssize_t count = read(instance, bytes, sizeof bytes);
    char line[128];
    snprintf(line, sizeof line, "made: %s", count > 0 ? ((struct inotify_event *)bytes)->name : "nothing");
    virtual_time_trace(line);
}

void probe_file_watches(void) {
    const char *times = getenv("PROBE_REFUSALS");
    if (!times || !refuse(atoi(times))) virtual_time_finish("the kernel cannot be made to refuse");
    errno = 0;
    int instance = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    int watch = inotify_add_watch(instance, ".", IN_CREATE);
    char line[128];
    snprintf(line, sizeof line, "instance %d, watch %d, error %d", instance >= 0, watch, errno);
    virtual_time_trace(line);
    sleep(3);
    close(open("file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    trace_event(instance);
    // A limit of the process's own is the world's, and is told at once.
    struct rlimit own, none;
    getrlimit(RLIMIT_NOFILE, &own);
    none = (struct rlimit){0, own.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    int more = inotify_init();
    bool is_full = errno == EMFILE;
    setrlimit(RLIMIT_NOFILE, &own);
    snprintf(line, sizeof line, "no descriptor left: %d %d", more, is_full);
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
