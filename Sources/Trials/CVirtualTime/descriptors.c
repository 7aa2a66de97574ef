#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// The most descriptors in one call of ppoll; there are as many calls as needed.
#define MOST_IN_A_LOOK 256
// Descriptors below this number that were open when the world began are known to lead outside.
#define MOST_INHERITED 1024

static bool inherited[MOST_INHERITED];

static long look(struct pollfd *descriptors, nfds_t count) {
    struct timespec none = {0, 0};
    return vt_kernel(SYS_ppoll, descriptors, count, &none, 0, 8);
}

static bool waits(const vt_thread *thread) { return !thread->late && thread->wait.subject == vt_on_descriptors; }

/// Polls for the threads from `first` on whose descriptors fit into one call; returns the thread after them.
static vt_thread *look_for_some(vt_thread *first) {
    struct pollfd descriptors[MOST_IN_A_LOOK];
    nfds_t count = 0;
    vt_thread *end = first;
    for (; end; end = end->next) {
        if (!waits(end)) continue;
        if (count + end->wait.descriptor_count > MOST_IN_A_LOOK) break;
        memcpy(&descriptors[count], end->wait.descriptors, end->wait.descriptor_count * sizeof *descriptors);
        count += end->wait.descriptor_count;
    }
    vt.record->counts.polls++;
    if (count == 0 && end) {  // This thread alone exceeds the limit.
        vt_thread *next = end->next;
        if (look(end->wait.descriptors, end->wait.descriptor_count) > 0) vt_wake(end, vt_woken);
        return next;
    }
    if (look(descriptors, count) <= 0) return end;
    nfds_t i = 0;
    for (vt_thread *t = first, *next; t != end; t = next) {
        next = t->next;
        if (!waits(t)) continue;
        bool ready = false;
        for (nfds_t k = 0; k < t->wait.descriptor_count; k++) ready |= descriptors[i++].revents != 0;
        if (ready) vt_wake(t, vt_woken);
    }
    return end;
}

void vt_look_at_descriptors(void) {
    if (vt.descriptor_waiters == 0) return;
    for (vt_thread *t = vt.waiting.first; t;) t = look_for_some(t);
}

static vt_outcome wait_for(struct pollfd *descriptors, nfds_t count, int64_t deadline, const char *call) {
    vt_wait wait = {
        .subject = vt_on_descriptors, .call = call, .descriptors = descriptors, .descriptor_count = count,
        .deadline = deadline, .interruptible = true,
    };
    return vt_block(&wait);
}

bool vt_wait_for_descriptor(int descriptor, short events, int64_t deadline, const char *call) {
    struct pollfd one = {descriptor, events, 0};
    while (look(&one, 1) == 0) {
        vt_outcome outcome = wait_for(&one, 1, deadline, call);
        if (outcome == vt_woken || (outcome == vt_signalled && vt_self->restarts)) continue;
        errno = outcome == vt_signalled ? EINTR : EAGAIN;
        return false;
    }
    // The caller may write now.
    vt_may_be_ready();
    return true;
}

// ---- Inherited descriptors

void vt_begin_descriptors(void) {
    // One call finds the few that are open.
    static struct pollfd all[MOST_INHERITED];
    for (int i = 0; i < MOST_INHERITED; i++) all[i] = (struct pollfd){i, 0, 0};
    long found = look(all, MOST_INHERITED);
    for (int i = 0; i < MOST_INHERITED; i++) {
        struct stat status;
        bool is_open = found < 0 || !(all[i].revents & POLLNVAL);
        inherited[i] = is_open && i != vt.conductor && REAL(fstat)(i, &status) == 0
                       && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || (S_ISCHR(status.st_mode) && isatty(i)));
    }
}

void vt_forget_inherited(int descriptor) {
    if (descriptor >= 0 && descriptor < MOST_INHERITED) inherited[descriptor] = false;
}

bool vt_is_inherited(int descriptor) { return descriptor >= 0 && descriptor < MOST_INHERITED && inherited[descriptor]; }

/// Returns true if an epoll descriptor watches a descriptor of the given kind.
static bool watches(int descriptor, bool (*is_of_kind)(int)) {
    char text[4096];
    snprintf(text, sizeof text, "/proc/self/fdinfo/%d", descriptor);
    if (!vt_read_text(text, text, sizeof text)) return false;
    for (const char *line = strstr(text, "tfd:"); line; line = strstr(line + 1, "tfd:"))
        if (is_of_kind(atoi(line + 4))) return true;
    return false;
}

/// Returns true if another process can make a descriptor ready. Only the process itself can do so for events and
/// timers; unknown kinds count as leading outside.
static bool leads_outside(int descriptor) {
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    long length = vt_kernel(SYS_readlinkat, AT_FDCWD, path, name, sizeof name - 1);
    if (length < 0) return false;
    name[length] = 0;
    if (strcmp(name, "anon_inode:[eventpoll]") == 0) return watches(descriptor, leads_outside);
    return strcmp(name, "anon_inode:[eventfd]") != 0 && strcmp(name, "anon_inode:[timerfd]") != 0;
}

bool vt_main_thread_is_stuck(void) {
    const vt_thread *first = vt.waiting.first;
    while (first && first->id != 0) first = first->next;
    // Usually it waits for events, and nothing else needs to be checked.
    if (!first || first->wait.subject != vt_on_address) return false;
    for (const vt_thread *t = vt.waiting.first; t; t = t->next) {
        if (t->wait.subject == vt_on_signal) return false;
        for (nfds_t i = 0; waits(t) && i < t->wait.descriptor_count; i++)
            if (leads_outside(t->wait.descriptors[i].fd)) return false;
    }
    return true;
}

bool vt_wait_for_the_outside(void) {
    struct pollfd descriptors[MOST_IN_A_LOOK];
    nfds_t count = 0;
    for (const vt_thread *t = vt.waiting.first; t; t = t->next)
        for (nfds_t i = 0; waits(t) && i < t->wait.descriptor_count && count < MOST_IN_A_LOOK; i++) {
            int descriptor = t->wait.descriptors[i].fd;
            if (vt_is_inherited(descriptor) || watches(descriptor, vt_is_inherited)) descriptors[count++] = t->wait.descriptors[i];
        }
    if (count == 0) return false;
    vt.outside = "input from outside of the world";
    vt_kernel(SYS_ppoll, descriptors, count, 0, 0, 8);
    vt.outside = NULL;
    return true;
}

// ---- Polling

/// Waits until a descriptor is ready, polling fails, or the deadline has passed.
static int poll_until(struct pollfd *descriptors, nfds_t count, int64_t deadline, const char *call) {
    for (;;) {
        long found = look(descriptors, count);
        if (found != 0) return (int)vt_with_errno(found);
        if (deadline <= vt.now) {
            vt_look();
            return 0;
        }
        if (wait_for(descriptors, count, deadline, call) == vt_signalled) return (int)vt_with_errno(-EINTR);
    }
}

int ppoll(struct pollfd *descriptors, nfds_t count, const struct timespec *time, const sigset_t *mask) {
    if (!vt_inside()) return REAL(ppoll)(descriptors, count, time, mask);
    vt_step("ppoll");
    int64_t deadline = time ? vt_after(time) : VT_NEVER;
    if (!mask) return poll_until(descriptors, count, deadline, "ppoll");
    // What is ready comes before a signal.
    long found = look(descriptors, count);
    if (found != 0) return (int)vt_with_errno(found);
    sigset_t before;
    int result = vt_begin_mask(mask, &before) ? poll_until(descriptors, count, deadline, "ppoll") : -1;
    vt_end_mask(&before);
    return result;
}

int poll(struct pollfd *descriptors, nfds_t count, int milliseconds) {
    if (!vt_inside()) return REAL(poll)(descriptors, count, milliseconds);
    vt_step("poll");
    return poll_until(descriptors, count, vt_after_milliseconds(milliseconds), "poll");
}

static int wait_for_epoll(int descriptor, struct epoll_event *events, int most, int64_t deadline, const char *call) {
    for (;;) {
        long found = vt_kernel(SYS_epoll_pwait, descriptor, events, most, 0, 0, 8);
        if (found != 0) return (int)vt_with_errno(found);
        if (deadline <= vt.now) {
            vt_look();
            return 0;
        }
        struct pollfd one = {descriptor, POLLIN, 0};
        if (wait_for(&one, 1, deadline, call) == vt_signalled) return (int)vt_with_errno(-EINTR);
        if (vt_arm_monitor()) return 0;
    }
}

static int wait_with_mask(
    int descriptor, struct epoll_event *events, int most, int64_t deadline, const sigset_t *mask, const char *call) {
    vt_step(call);
    if (!mask) return wait_for_epoll(descriptor, events, most, deadline, call);
    long found = vt_kernel(SYS_epoll_pwait, descriptor, events, most, 0, 0, 8);
    if (found != 0) return (int)vt_with_errno(found);
    sigset_t before;
    int result = vt_begin_mask(mask, &before) ? wait_for_epoll(descriptor, events, most, deadline, call) : -1;
    vt_end_mask(&before);
    return result;
}

int epoll_wait(int descriptor, struct epoll_event *events, int most, int milliseconds) {
    const void *caller = vt_caller();
    if (!vt_inside()) return REAL(epoll_wait)(descriptor, events, most, milliseconds);
    vt_before_dispatch_waits(caller);
    vt_step("epoll_wait");
    return wait_for_epoll(descriptor, events, most, vt_after_milliseconds(milliseconds), "epoll_wait");
}

int epoll_pwait(int descriptor, struct epoll_event *events, int most, int milliseconds, const sigset_t *mask) {
    if (!vt_inside()) return REAL(epoll_pwait)(descriptor, events, most, milliseconds, mask);
    return wait_with_mask(descriptor, events, most, vt_after_milliseconds(milliseconds), mask, "epoll_pwait");
}

int epoll_pwait2(int descriptor, struct epoll_event *events, int most, const struct timespec *time, const sigset_t *mask) {
    if (!vt_inside()) return REAL(epoll_pwait2)(descriptor, events, most, time, mask);
    return wait_with_mask(descriptor, events, most, time ? vt_after(time) : VT_NEVER, mask, "epoll_pwait2");
}
#endif
