#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>

// The functions that code compiled with _FORTIFY_SOURCE calls instead of the plain ones, with the size of the buffer.
// Each checks the size and calls the plain function.

/// Ends the process in the same way as glibc.
static void check(size_t count, size_t room) {
    if (count <= room) return;
    fputs("*** buffer overflow detected ***: terminated\n", stderr);
    abort();
}

ssize_t __read_chk(int descriptor, void *bytes, size_t count, size_t room) {
    check(count, room);
    return read(descriptor, bytes, count);
}

ssize_t __recv_chk(int descriptor, void *bytes, size_t count, size_t room, int flags) {
    check(count, room);
    return recv(descriptor, bytes, count, flags);
}

ssize_t __recvfrom_chk(
    int descriptor, void *restrict bytes, size_t count, size_t room, int flags, struct sockaddr *restrict address,
    socklen_t *restrict size) {
    check(count, room);
    return recvfrom(descriptor, bytes, count, flags, address, size);
}

int __poll_chk(struct pollfd *descriptors, nfds_t count, int milliseconds, size_t room) {
    check(count, room / sizeof *descriptors);
    return poll(descriptors, count, milliseconds);
}

int __ppoll_chk(
    struct pollfd *descriptors, nfds_t count, const struct timespec *time, const sigset_t *signals, size_t room) {
    check(count, room / sizeof *descriptors);
    return ppoll(descriptors, count, time, signals);
}

// These open without a mode, which is allowed if no file is created.
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return openat64(folder, path, flags); }
#endif
