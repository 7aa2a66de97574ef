#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>

// A thread outside the world that checks, in real time, whether the running thread sleeps in a call that the world does
// not control, or computes endlessly. The other threads cannot run meanwhile, so the world itself could not detect it.

#define LOOK_MILLISECONDS 10
// The interval while there is nothing suspicious: an idle world is not woken for nothing.
#define QUIET_MILLISECONDS 40
// A running thread that has slept in one call for this long is waiting for something, not for brief work to finish.
#define ASLEEP_MILLISECONDS 50
// The watchdog's stack, on which it formats a report.
#define STACK_SIZE (256 << 10)

/// The watchdog's last observation of the running thread.
typedef struct {
    uint64_t beat;
    const vt_thread *thread;
    int asleep_milliseconds;
    int64_t processor_time;  // at the first observation of the beat
    long call;
} sight;

static char state_of(int thread) {
    char text[256];
    snprintf(text, sizeof text, "/proc/self/task/%d/stat", thread);
    if (!vt_read_text(text, text, sizeof text)) return 0;
    const char *end = strrchr(text, ')');
    return end && end[1] ? end[2] : 0;
}

/// Returns the number of the call in which a thread is, and its first argument; -1 if it is not in a call.
static long call_of(int thread, unsigned long *argument) {
    char text[256];
    snprintf(text, sizeof text, "/proc/self/task/%d/syscall", thread);
    if (!vt_read_text(text, text, sizeof text)) return -1;
    long number;
    return sscanf(text, "%ld 0x%lx", &number, argument) == 2 ? number : -1;
}

static int64_t processor_time_of(int thread) {
    // The kernel's encoding of a thread's clock: the identifier, and the flags for the scheduler's time of one thread.
    clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6);
    struct timespec time = {0, 0};
    vt_kernel(SYS_clock_gettime, clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static const char *name_of(long call) {
    static const struct {
        long number;
        const char *name;
    } names[] = {
        {SYS_futex, "futex (a lock or a wait within glibc)"},
        {SYS_wait4, "wait4 (waiting for a child)"},
        {SYS_waitid, "waitid (waiting for a child)"},
        {SYS_flock, "flock"},
        {SYS_fcntl, "fcntl (a lock of a file)"},
        {SYS_ppoll, "ppoll"},
        {SYS_clock_nanosleep, "clock_nanosleep"},
        {SYS_rt_sigtimedwait, "sigtimedwait"},
        {SYS_rt_sigsuspend, "sigsuspend"},
        {SYS_read, "read"},
        {SYS_readv, "readv"},
        {SYS_write, "write"},
        {SYS_writev, "writev"},
        {SYS_recvfrom, "recvfrom"},
        {SYS_recvmsg, "recvmsg"},
        {SYS_sendto, "sendto"},
        {SYS_sendmsg, "sendmsg"},
        {SYS_accept4, "accept4"},
        {SYS_accept, "accept"},
        {SYS_connect, "connect"},
        {SYS_epoll_pwait, "epoll_pwait"},
        {SYS_openat, "openat (a pipe without its other end)"},
        {SYS_mq_timedreceive, "mq_receive"},
        {SYS_mq_timedsend, "mq_send"},
        {SYS_msgrcv, "msgrcv"},
        {SYS_msgsnd, "msgsnd"},
        {SYS_recvmmsg, "recvmmsg"},
        {SYS_sendmmsg, "sendmmsg"},
        {SYS_preadv2, "preadv2"},
        {SYS_pwritev2, "pwritev2"},
        {SYS_splice, "splice"},
        {SYS_tee, "tee"},
        {SYS_vmsplice, "vmsplice"},
        {SYS_io_getevents, "io_getevents"},
        {SYS_semtimedop, "semtimedop"},
        {SYS_io_uring_enter, "io_uring_enter"},
#if defined(__x86_64__)
        {SYS_poll, "poll"},
        {SYS_select, "select"},
        {SYS_pause, "pause"},
        {SYS_open, "open (a pipe without its other end)"},
        {SYS_epoll_wait, "epoll_wait"},
        {SYS_semop, "semop"},
#endif
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == call) return names[i].name;
    return NULL;
}

static _Noreturn void stop(virtual_time_end end, const vt_thread *thread, long call) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    int length;
    if (end == virtual_time_end_uncontrolled) {
        char number[32];
        snprintf(number, sizeof number, "call number %ld", call);
        length = snprintf(
            text, sizeof text,
            "virtual time: thread %d is asleep in %s, which this world does not control: no other thread can run.\n"
            "Keep the call out of the world, or wait with poll, a condition or a semaphore.\n",
            thread->id, name_of(call) ? name_of(call) : number);
    } else {
        length = snprintf(
            text, sizeof text,
            "virtual time: thread %d has computed for %u ms without a call: no other thread can run.\n"
            "Compile it with -sanitize-coverage=edge,trace-pc-guard, so that it can be interrupted, or make it wait.\n",
            thread->id, vt.settings.spin_milliseconds);
    }
    size_t used = (size_t)length;
    used += vt_describe_stack(thread, text + used, sizeof text - used);
    vt_stop(end, text, used);
}

/// Returns true if this sleep is legitimate: the turn is handed over by a futex, and descriptors that were open before
/// the world lead outside.
static bool may_sleep(const vt_thread *thread, long call, unsigned long argument) {
    if (call < 0 || vt.outside) return true;
    bool is_stream = call == SYS_read || call == SYS_readv || call == SYS_write || call == SYS_writev;
    if (is_stream && vt_is_inherited((int)argument)) return true;
    return call == SYS_futex && argument == (unsigned long)&thread->turn;
}

/// Returns true if there is nothing suspicious.
static bool look(sight *seen) {
    if (vt.outside) {
        *seen = (sight){0};
        return true;
    }
    const vt_thread *thread = __atomic_load_n(&vt.running, __ATOMIC_ACQUIRE);
    uint64_t beat = __atomic_load_n(&vt.beat, __ATOMIC_RELAXED);
    int kernel_id = __atomic_load_n(&thread->kernel_id, __ATOMIC_RELAXED);
    if (kernel_id == 0) return true;  // It has not begun.
    int64_t processor_time = processor_time_of(kernel_id);
    if (beat != seen->beat || thread != seen->thread) {
        *seen = (sight){.beat = beat, .thread = thread, .processor_time = processor_time};
        return true;
    }
    if (processor_time - seen->processor_time > (int64_t)vt.settings.spin_milliseconds * 1000000)
        stop(virtual_time_end_spinning, thread, 0);
    unsigned long argument = 0;
    long call = call_of(kernel_id, &argument);
    if (state_of(kernel_id) != 'S' || may_sleep(thread, call, argument) || call != seen->call) {
        seen->asleep_milliseconds = 0;
        seen->call = call;
        return false;
    }
    seen->asleep_milliseconds += LOOK_MILLISECONDS;
    bool is_still_there = beat == __atomic_load_n(&vt.beat, __ATOMIC_ACQUIRE);
    if (seen->asleep_milliseconds >= ASLEEP_MILLISECONDS && is_still_there) stop(virtual_time_end_uncontrolled, thread, call);
    return false;
}

static void *watch(void *nothing) {
    (void)nothing;
    sight seen = {0};
    for (bool is_quiet = true;;) {
        const struct timespec pause = {0, (is_quiet ? QUIET_MILLISECONDS : LOOK_MILLISECONDS) * 1000000};
        vt_kernel(SYS_nanosleep, &pause, 0);
        is_quiet = look(&seen);
    }
    return NULL;
}

void vt_begin_watchdog(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The program's signals must go to its own threads.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    REAL(pthread_create)(&thread, &attributes, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}
#endif
