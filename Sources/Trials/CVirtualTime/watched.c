#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The descriptors for which this process waits, in an epoll instance that it shares with the conductor. The conductor
// polls it after another process was active: a process whose descriptors are not ready needs no turn. An epoll instance
// does not keep its descriptors open, so a connection still ends when the process closes it.

// A program waits for a few descriptors, usually of event loops, at the same time. With more it is always given a turn.
#define MOST_WATCHED 64
// Above the descriptors of usual programs, so that theirs have the usual numbers.
#define LOWEST_DESCRIPTOR 512

typedef struct {
    int number;
    uint32_t events;  // poll and epoll have the same numbers
    bool is_new;      // a wait for it began after the last report
} watched;

static int set = -1;
static watched current[MOST_WATCHED];
static int current_count;

void vt_make_room_for_own_descriptors(void) {
    if (vt.conductor < 0) return;
    // The last of them.
    int last = (int)vt_kernel(SYS_fcntl, vt.conductor, F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR + VT_MOST_OWN_DESCRIPTORS - 1);
    if (last >= 0) vt_kernel(SYS_close, last);
}

int vt_move_out_of_the_way(int descriptor) {
    int high = (int)vt_kernel(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, LOWEST_DESCRIPTOR);
    // A lower limit of descriptors.
    if (high < 0) high = descriptor;
    else vt_kernel(SYS_close, descriptor);
    vt_own_descriptor(high);
    return high;
}

int vt_begin_watched(void) {
    int made = (int)vt_kernel(SYS_epoll_create1, EPOLL_CLOEXEC);
    return set = made < 0 ? -1 : vt_move_out_of_the_way(made);
}

static watched *find(watched *list, int count, int number) {
    for (int i = 0; i < count; i++)
        if (list[i].number == number) return &list[i];
    return NULL;
}

/// Lists the descriptors for which threads wait; returns their number, or -1 if there are too many.
static int wanted(watched *list) {
    int count = 0;
    for (vt_thread *t = vt.waiting.first; t; t = t->next) {
        if (t->late || t->wait.subject != vt_on_descriptors) continue;
        for (nfds_t i = 0; i < t->wait.descriptor_count; i++) {
            const struct pollfd *one = &t->wait.descriptors[i];
            if (one->fd < 0) continue;
            watched *same = find(list, count, one->fd);
            if (!same && count == MOST_WATCHED) return -1;
            if (!same) *(same = &list[count++]) = (watched){one->fd, 0, false};
            same->events |= (uint16_t)one->events;
            same->is_new |= !t->wait.is_watched;
        }
        t->wait.is_watched = true;
    }
    return count;
}

/// A descriptor that is already watched is added again when a wait for it begins: it may have been closed, and its
/// number given to another. While a thread waits for it, the kernel keeps what it waits for.
static bool watch(const watched *one) {
    const watched *before = find(current, current_count, one->number);
    bool is_same = before && before->events == one->events;
    if (is_same && !one->is_new) return true;
    struct epoll_event event = {.events = one->events};
    long error = vt_kernel(SYS_epoll_ctl, set, EPOLL_CTL_ADD, one->number, &event);
    if (error != -EEXIST) return error == 0;
    if (is_same) return true;
    return vt_kernel(SYS_epoll_ctl, set, EPOLL_CTL_MOD, one->number, &event) == 0;
}

bool vt_watch_descriptors(void) {
    if (set < 0) return false;
    watched list[MOST_WATCHED];
    int count = wanted(list);
    for (int i = 0; i < current_count; i++)
        if (count < 0 || !find(list, count, current[i].number)) vt_kernel(SYS_epoll_ctl, set, EPOLL_CTL_DEL, current[i].number, 0);
    bool is_complete = count >= 0;
    for (int i = 0; i < count; i++) is_complete = watch(&list[i]) && is_complete;
    current_count = count < 0 ? 0 : count;
    memcpy(current, list, (size_t)current_count * sizeof *current);
    return is_complete;
}
#endif
