#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>

// A signal that the process sends itself is delivered by the world: its handler runs on the thread that the world
// chose, when that thread runs. Signals from outside are delivered by the kernel.

// The kernel's information about the last signal of each number; a signal sent twice before it is taken is taken once.
static siginfo_t information[64];

static uint64_t bit(int number) { return number >= 1 && number <= 64 ? 1ULL << (number - 1) : 0; }

/// Reads a signal mask from a line in /proc, in hexadecimal.
static uint64_t kernels_mask(int thread, const char *name) {
    char text[4096];
    snprintf(text, sizeof text, "/proc/self/task/%d/status", thread);
    if (!vt_read_text(text, text, sizeof text)) return 0;
    const char *line = strstr(text, name);
    return line ? strtoull(line + strlen(name), NULL, 16) : 0;
}

static bool blocks(const vt_thread *thread, int number) { return kernels_mask(thread->kernel_id, "SigBlk:") & bit(number); }

static bool has_handler(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

static bool awaits(const vt_thread *thread, int number) {
    return thread->state == vt_blocked && !thread->late && thread->wait.signals & bit(number);
}

static vt_thread *first_in_order(bool (*is_right)(const vt_thread *, int), int number) {
    vt_thread *found = NULL;
    for (vt_thread *t = vt.alive; t; t = t->next_alive)
        if (t->state != vt_dead && (!found || t->id < found->id) && is_right(t, number)) found = t;
    return found;
}

static bool lets_through(const vt_thread *thread, int number) { return !blocks(thread, number); }

/// Returns true if the thread can run a handler soon. A thread that waits for a lock does so only when it has the lock.
static bool is_reachable(const vt_thread *thread, int number) {
    bool may_run = thread->state != vt_blocked || thread->late || thread->wait.interruptible;
    return may_run && lets_through(thread, number);
}

static void send_to(vt_thread *thread, int number) {
    if (thread == vt_self && thread->state == vt_running) {
        vt_kernel(SYS_rt_tgsigqueueinfo, vt.process, thread->kernel_id, number, &information[number - 1]);
        return;
    }
    thread->pending_signals |= bit(number);
    if (thread->state == vt_blocked && !thread->late && thread->wait.interruptible) vt_wake(thread, vt_signalled);
}

static bool give_to_waiter(int number) {
    vt_thread *waiter = first_in_order(awaits, number);
    if (!waiter) return false;
    waiter->taken_signal = number;
    vt_wake(waiter, vt_signalled);
    return true;
}

void vt_send_signal(int number, const siginfo_t *what) {
    information[number - 1] = *what;
    information[number - 1].si_signo = number;
    if (give_to_waiter(number)) return;
    vt_thread *thread = has_handler(number) ? first_in_order(is_reachable, number) : NULL;
    if (!thread && has_handler(number)) thread = first_in_order(lets_through, number);
    // If no thread can handle it now, the kernel keeps it, or ends the process.
    if (thread) send_to(thread, number);
    // The kernel lets only the main thread name another sender.
    else if (what->si_code >= 0) vt_kernel(SYS_kill, vt.process, number);
    else vt_kernel(SYS_rt_sigqueueinfo, vt.process, number, &information[number - 1]);
}

static void send_to_thread(vt_thread *thread, int number, const siginfo_t *what) {
    information[number - 1] = *what;
    information[number - 1].si_signo = number;
    if (awaits(thread, number)) {
        thread->taken_signal = number;
        vt_wake(thread, vt_signalled);
    } else if (thread != vt_self && has_handler(number) && !blocks(thread, number)) {
        send_to(thread, number);
    } else {
        // With the value of sigqueue.
        if (what->si_code == SI_QUEUE) vt_kernel(SYS_rt_tgsigqueueinfo, vt.process, thread->kernel_id, number, &information[number - 1]);
        else vt_kernel(SYS_tgkill, vt.process, thread->kernel_id, number);
        // A signalfd shows a thread's signals only to that thread, which must therefore poll itself.
        bool looks = thread->state == vt_blocked && !thread->late && thread->wait.subject == vt_on_descriptors;
        if (looks) vt_wake(thread, vt_woken);
    }
}

void vt_take_signals(void) {
    while (vt_self->pending_signals) {
        int number = __builtin_ctzll(vt_self->pending_signals) + 1;
        vt_self->pending_signals &= ~bit(number);
        struct sigaction action;
        vt_self->restarts = sigaction(number, NULL, &action) == 0 && action.sa_flags & SA_RESTART;
        vt_kernel(SYS_rt_tgsigqueueinfo, vt.process, vt_self->kernel_id, number, &information[number - 1]);
    }
}

// ---- Sending

static siginfo_t from_here(int code) {
    siginfo_t what;
    memset(&what, 0, sizeof what);
    what.si_code = code;
    what.si_pid = getpid();
    what.si_uid = getuid();
    return what;
}

static bool is_own_process(pid_t process) { return process == getpid() || process == vt.process; }

static bool is_sendable(int number) { return number >= 1 && number <= 64; }

int kill(pid_t process, int number) {
    if (!vt_inside() || !is_own_process(process) || !is_sendable(number)) {
        vt.may_signal = true;
        return REAL(kill)(vt.on && is_own_process(process) ? vt.process : process, number);
    }
    siginfo_t what = from_here(SI_USER);
    vt_send_signal(number, &what);
    vt_step("kill");
    return 0;
}

int sigqueue(pid_t process, int number, const union sigval value) {
    if (!vt_inside() || !is_own_process(process) || !is_sendable(number)) {
        vt.may_signal = true;
        return REAL(sigqueue)(process, number, value);
    }
    siginfo_t what = from_here(SI_QUEUE);
    what.si_value = value;
    vt_send_signal(number, &what);
    vt_step("sigqueue");
    return 0;
}

int raise(int number) {
    if (!vt_inside() || !is_sendable(number)) return REAL(raise)(number);
    siginfo_t what = from_here(SI_TKILL);
    send_to_thread(vt_self, number, &what);
    return 0;
}

/// Returns the thread of a handle if the world sends it this signal.
static vt_thread *receiver(pthread_t handle, int number) {
    vt_thread *thread = vt_inside() && is_sendable(number) ? vt_thread_of_handle(handle) : NULL;
    return thread && thread->state != vt_dead ? thread : NULL;
}

int pthread_kill(pthread_t handle, int number) {
    vt_thread *thread = receiver(handle, number);
    if (!thread) return REAL(pthread_kill)(handle, number);
    siginfo_t what = from_here(SI_TKILL);
    send_to_thread(thread, number, &what);
    vt_step("pthread_kill");
    return 0;
}

int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
    vt_thread *thread = receiver(handle, number);
    if (!thread) return REAL(pthread_sigqueue)(handle, number, value);
    siginfo_t what = from_here(SI_QUEUE);
    what.si_value = value;
    send_to_thread(thread, number, &what);
    vt_step("pthread_sigqueue");
    return 0;
}

int tgkill(pid_t process, pid_t identifier, int number) {
    if (!vt_inside()) return REAL(tgkill)(process, identifier, number);
    vt_thread *thread = is_own_process(process) ? vt_thread_of_identifier(identifier) : NULL;
    if (!thread || !is_sendable(number)) {
        vt.may_signal = true;
        return REAL(tgkill)(is_own_process(process) ? vt.process : process, thread ? thread->kernel_id : identifier, number);
    }
    siginfo_t what = from_here(SI_TKILL);
    send_to_thread(thread, number, &what);
    vt_step("tgkill");
    return 0;
}

// ---- Waiting

/// Takes a pending signal of the set from the kernel, for this process or thread; returns 0 if there is none.
static int take_from_kernel(const sigset_t *set, siginfo_t *what) {
    const struct timespec none = {0, 0};
    long number = vt_kernel(SYS_rt_sigtimedwait, set, what, &none, 8);
    return number > 0 ? (int)number : 0;
}

static uint64_t bits_of(const sigset_t *set) {
    uint64_t bits;
    memcpy(&bits, set, sizeof bits);
    return bits;
}

/// Returns the signal's number, or an error such as -EAGAIN.
static int wait_for(const sigset_t *set, siginfo_t *what, int64_t deadline, const char *call) {
    vt_step(call);
    for (;;) {
        int number = take_from_kernel(set, what);
        if (number) return number;
        vt_self->taken_signal = 0;
        vt_wait wait = {.subject = vt_on_signal, .call = call, .signals = bits_of(set), .deadline = deadline, .interruptible = true};
        vt_outcome outcome = vt_block(&wait);
        if (vt_self->taken_signal) {
            if (what) *what = information[vt_self->taken_signal - 1];
            return vt_self->taken_signal;
        }
        if (outcome == vt_timed_out) return -EAGAIN;
        if (outcome == vt_signalled) return -EINTR;
    }
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict what, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(sigtimedwait)(set, what, time);
    return (int)vt_with_errno(wait_for(set, what, time ? vt_after(time) : VT_NEVER, "sigtimedwait"));
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict what) {
    if (!vt_inside()) return REAL(sigwaitinfo)(set, what);
    return (int)vt_with_errno(wait_for(set, what, VT_NEVER, "sigwaitinfo"));
}

int sigwait(const sigset_t *restrict set, int *restrict number) {
    if (!vt_inside()) return REAL(sigwait)(set, number);
    int result;
    do result = wait_for(set, NULL, VT_NEVER, "sigwait");
    while (result == -EINTR);
    *number = result;
    return 0;
}

bool vt_begin_mask(const sigset_t *mask, sigset_t *before) {
    sigset_t pending;
    sigpending(&pending);
    pthread_sigmask(SIG_SETMASK, mask, before);  // Pending signals are handled here.
    if ((bits_of(&pending) & ~bits_of(mask)) == 0) return true;
    errno = EINTR;
    return false;
}

void vt_end_mask(const sigset_t *before) {
    int error = errno;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

/// Waits, with another mask, until a handler has run.
static int suspend(const sigset_t *mask, const char *call) {
    sigset_t before;
    if (vt_begin_mask(mask, &before)) {
        vt_wait wait = {.subject = vt_on_signal, .call = call, .deadline = VT_NEVER, .interruptible = true};
        while (vt_block(&wait) != vt_signalled) {}
    }
    vt_end_mask(&before);
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *mask) { return vt_inside() ? suspend(mask, "sigsuspend") : REAL(sigsuspend)(mask); }

int pause(void) {
    if (!vt_inside()) return REAL(pause)();
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    return suspend(&mask, "pause");
}

bool vt_signals_have_come(void) {
    uint64_t pending = 0;
    bool is_looked_up = false, have_come = false;
    for (vt_thread *t = vt.waiting.first, *next; t; t = next) {
        next = t->next;
        if (t->late || t->wait.subject != vt_on_signal || !t->wait.signals) continue;
        if (!is_looked_up) vt_kernel(SYS_rt_sigpending, &pending, sizeof pending);
        is_looked_up = true;
        if (!(pending & t->wait.signals)) continue;
        vt_wake(t, vt_woken);
        have_come = true;
    }
    return have_come;
}
#endif
