#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// select and pselect are mapped to poll.

typedef struct {
    fd_set *readable, *writable, *exceptional;
} sets;

static nfds_t to_poll(int count, sets sets, struct pollfd *descriptors) {
    nfds_t used = 0;
    for (int i = 0; i < count && i < FD_SETSIZE; i++) {
        int events = 0;
        if (sets.readable && FD_ISSET(i, sets.readable)) events |= POLLIN;
        if (sets.writable && FD_ISSET(i, sets.writable)) events |= POLLOUT;
        if (sets.exceptional && FD_ISSET(i, sets.exceptional)) events |= POLLPRI;
        if (events) descriptors[used++] = (struct pollfd){i, (short)events, 0};
    }
    return used;
}

static int mark(fd_set *set, const struct pollfd *descriptor, int asked, int answers) {
    if (!(descriptor->events & asked)) return 0;
    if (descriptor->revents & answers) return 1;
    FD_CLR(descriptor->fd, set);
    return 0;
}

static int select_until(int count, sets sets, const struct timespec *time, const sigset_t *mask) {
    struct pollfd descriptors[FD_SETSIZE];
    nfds_t used = to_poll(count, sets, descriptors);
    int found = ppoll(descriptors, used, time, mask);
    if (found < 0) return found;
    int marked = 0;
    for (nfds_t i = 0; i < used; i++) {
        const struct pollfd *one = &descriptors[i];
        if (one->revents & POLLNVAL) return (int)vt_with_errno(-EBADF);
        marked += mark(sets.readable, one, POLLIN, POLLIN | POLLHUP | POLLERR);
        marked += mark(sets.writable, one, POLLOUT, POLLOUT | POLLERR);
        marked += mark(sets.exceptional, one, POLLPRI, POLLPRI);
    }
    return marked;
}

int select(
    int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
    struct timeval *restrict time) {
    if (!vt_inside()) return REAL(select)(count, readable, writable, exceptional, time);
    struct timespec precise = {0, 0};
    if (time) precise = (struct timespec){time->tv_sec, (long)time->tv_usec * 1000};
    return select_until(count, (sets){readable, writable, exceptional}, time ? &precise : NULL, NULL);
}

int pselect(
    int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
    const struct timespec *restrict time, const sigset_t *restrict mask) {
    if (!vt_inside()) return REAL(pselect)(count, readable, writable, exceptional, time, mask);
    return select_until(count, (sets){readable, writable, exceptional}, time, mask);
}
#endif
