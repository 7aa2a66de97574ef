#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <sys/stat.h>

// Reading and writing. If a descriptor would block, the thread first waits in the world; then glibc's function is
// called.

typedef enum { other, is_file, is_pipe, is_socket } species;

/// Returns the kind of a descriptor: a pipe or a socket if a call on it can block, with the wait in the world, and it does
/// not lead outside.
static species species_of(int descriptor) {
    long flags = vt_kernel(SYS_fcntl, descriptor, F_GETFL, 0);
    if (flags < 0 || flags & O_NONBLOCK) return other;
    struct stat status;
    if (REAL(fstat)(descriptor, &status) != 0) return other;
    if (S_ISSOCK(status.st_mode)) return is_socket;
    if (S_ISREG(status.st_mode)) return is_file;
    // Descriptors of events and timers have no file type.
    return S_ISFIFO(status.st_mode) || (status.st_mode & S_IFMT) == 0 ? is_pipe : other;
}

static bool blocks(species species) { return species == is_pipe || species == is_socket; }

/// Returns the time at which a call on a descriptor gives up: that of SO_RCVTIMEO or SO_SNDTIMEO.
static int64_t deadline_of(int descriptor, int option, species species) {
    struct timeval time = {0, 0};
    socklen_t size = sizeof time;
    if (species != is_socket || getsockopt(descriptor, SOL_SOCKET, option, &time, &size) != 0) return VT_NEVER;
    if (time.tv_sec == 0 && time.tv_usec == 0) return VT_NEVER;
    const struct timespec limit = {time.tv_sec, time.tv_usec * 1000};
    return vt_after(&limit);
}

/// Returns false if a signal arrived first, or the socket's time is over.
static bool until_readable(int descriptor, const char *call) {
    vt_step(call);
    if (vt_is_inherited(descriptor)) {
        vt.outside = call;
        return true;
    }
    species species = species_of(descriptor);
    return !blocks(species)
           || vt_wait_for_descriptor(descriptor, POLLIN, deadline_of(descriptor, SO_RCVTIMEO, species), call);
}

/// Ends a call to the outside, and returns its result.
static ssize_t after_reading(ssize_t result) {
    vt.outside = NULL;
    return result;
}

ssize_t read(int descriptor, void *bytes, size_t count) {
    if (!vt_inside()) return REAL(read)(descriptor, bytes, count);
    if (vt_is_random_file(descriptor)) {
        vt_entropy(bytes, count);
        return (ssize_t)count;
    }
    if (!until_readable(descriptor, "read")) return -1;
    return after_reading(REAL(read)(descriptor, bytes, count));
}

ssize_t readv(int descriptor, const struct iovec *parts, int count) {
    if (!vt_inside()) return REAL(readv)(descriptor, parts, count);
    if (!until_readable(descriptor, "readv")) return -1;
    return after_reading(REAL(readv)(descriptor, parts, count));
}

ssize_t recvfrom(
    int descriptor, void *restrict bytes, size_t count, int flags, struct sockaddr *restrict address, socklen_t *restrict size) {
    if (!vt_inside()) return REAL(recvfrom)(descriptor, bytes, count, flags, address, size);
    if (!(flags & MSG_DONTWAIT) && !until_readable(descriptor, "recv")) return -1;
    size_t received = 0;
    // What is only looked at would be taken for the next part.
    if (flags & MSG_PEEK) flags &= ~MSG_WAITALL;
    // The caller wants all bytes: wait for each part.
    while (flags & MSG_WAITALL && received < count) {
        ssize_t part = REAL(recvfrom)(descriptor, (char *)bytes + received, count - received, flags & ~MSG_WAITALL, address, size);
        if (part <= 0) return after_reading(received > 0 ? (ssize_t)received : part);
        received += (size_t)part;
        if (received < count && !until_readable(descriptor, "recv")) break;
    }
    if (flags & MSG_WAITALL) return after_reading((ssize_t)received);
    return after_reading(REAL(recvfrom)(descriptor, bytes, count, flags, address, size));
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    if (!vt_inside()) return REAL(recv)(descriptor, bytes, count, flags);
    return recvfrom(descriptor, bytes, count, flags, NULL, NULL);
}

// The most parts of a message that the kernel takes.
#define MOST_PARTS 1024

/// Parts of a message that are still to be sent or filled.
typedef struct {
    struct iovec *parts;
    size_t count;
    size_t bytes;
} remainder;

/// Makes a copy of parts, which `copy` has room for.
static remainder remainder_of(const struct iovec *parts, size_t count, struct iovec *copy) {
    remainder rest = {copy, count, 0};
    for (size_t i = 0; i < count; i++) rest.bytes += (copy[i] = parts[i]).iov_len;
    return rest;
}

static void skip(remainder *rest, size_t bytes) {
    rest->bytes -= bytes;
    while (bytes > 0) {
        struct iovec *part = rest->parts;
        size_t skipped = bytes < part->iov_len ? bytes : part->iov_len;
        part->iov_base = (char *)part->iov_base + skipped;
        part->iov_len -= skipped;
        bytes -= skipped;
        if (part->iov_len > 0) continue;
        rest->parts++;
        rest->count--;
    }
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
    if (!vt_inside()) return REAL(recvmsg)(descriptor, message, flags);
    if (!(flags & MSG_DONTWAIT) && !until_readable(descriptor, "recvmsg")) return -1;
    if (!(flags & MSG_WAITALL) || message->msg_iovlen > MOST_PARTS)
        return after_reading(REAL(recvmsg)(descriptor, message, flags & ~MSG_WAITALL));
    struct iovec copy[message->msg_iovlen + 1];
    remainder rest = remainder_of(message->msg_iov, message->msg_iovlen, copy);
    // The caller wants all bytes: wait for each part. Only the first has an address and other data.
    ssize_t part = REAL(recvmsg)(descriptor, message, flags & ~MSG_WAITALL), received = part;
    while (part > 0 && (size_t)part < rest.bytes && !(flags & MSG_PEEK)) {
        skip(&rest, (size_t)part);
        if (!until_readable(descriptor, "recvmsg")) break;
        struct msghdr next = {.msg_iov = rest.parts, .msg_iovlen = rest.count};
        part = REAL(recvmsg)(descriptor, &next, flags & ~MSG_WAITALL);
        if (part > 0) received += part;
    }
    return after_reading(received);
}

int accept4(int descriptor, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
    if (!vt_inside()) return REAL(accept4)(descriptor, address, size, flags);
    if (!until_readable(descriptor, "accept")) return -1;
    return (int)after_reading(REAL(accept4)(descriptor, address, size, flags));
}

int accept(int descriptor, struct sockaddr *restrict address, socklen_t *restrict size) {
    if (!vt_inside()) return REAL(accept)(descriptor, address, size);
    return accept4(descriptor, address, size, 0);
}

int eventfd_read(int descriptor, eventfd_t *value) {
    if (!vt_inside()) return REAL(eventfd_read)(descriptor, value);
    if (!until_readable(descriptor, "eventfd_read")) return -1;
    return (int)after_reading(REAL(eventfd_read)(descriptor, value));
}

int eventfd_write(int descriptor, eventfd_t value) {
    int result = REAL(eventfd_write)(descriptor, value);
    if (vt_inside()) {
        vt_may_be_ready();
        vt_step("eventfd_write");
    }
    return result;
}

// ---- Writing

// A ready pipe accepts this many bytes atomically without blocking.
#define PIPE_PART 4096

static ssize_t write_to_pipe(int descriptor, const char *bytes, size_t count) {
    size_t written = 0;
    do {
        if (!vt_wait_for_descriptor(descriptor, POLLOUT, VT_NEVER, "write")) return written > 0 ? (ssize_t)written : -1;
        size_t part = count - written < PIPE_PART ? count - written : PIPE_PART;
        ssize_t result = REAL(write)(descriptor, bytes + written, part);
        if (result < 0) return written > 0 ? (ssize_t)written : -1;
        written += (size_t)result;
    } while (written < count);
    return (ssize_t)written;
}

/// Sends all of a stream's bytes, as a blocking call does, or one datagram.
static ssize_t send_all(int descriptor, const char *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
    size_t sent = 0;
    const int64_t deadline = deadline_of(descriptor, SO_SNDTIMEO, is_socket);
    for (;;) {
        ssize_t result = REAL(sendto)(descriptor, bytes + sent, count - sent, flags | MSG_DONTWAIT, address, size);
        if (result >= 0) sent += (size_t)result;
        if (sent >= count && result >= 0) return (ssize_t)sent;
        if (result < 0 && errno != EAGAIN) return sent > 0 ? (ssize_t)sent : -1;
        if (!vt_wait_for_descriptor(descriptor, POLLOUT, deadline, "send")) return sent > 0 ? (ssize_t)sent : -1;
    }
}

/// Sends all of a stream's bytes, or one datagram, with what belongs to it.
static ssize_t send_message(int descriptor, const struct msghdr *message, int flags, const char *call) {
    if (message->msg_iovlen > MOST_PARTS) {
        errno = EMSGSIZE;
        return -1;
    }
    struct iovec copy[message->msg_iovlen + 1];
    remainder rest = remainder_of(message->msg_iov, message->msg_iovlen, copy);
    struct msghdr next = *message;
    ssize_t sent = 0;
    const int64_t deadline = deadline_of(descriptor, SO_SNDTIMEO, is_socket);
    for (;;) {
        next.msg_iov = rest.parts;
        next.msg_iovlen = rest.count;
        ssize_t result = REAL(sendmsg)(descriptor, &next, flags | MSG_DONTWAIT);
        if (result >= 0) {
            sent += result;
            skip(&rest, (size_t)result);
            if (rest.bytes == 0) return sent;
            // Descriptors have gone with the first part.
            next.msg_control = NULL;
            next.msg_controllen = 0;
        } else if (errno != EAGAIN) {
            return sent > 0 ? sent : -1;
        } else if (!vt_wait_for_descriptor(descriptor, POLLOUT, deadline, call)) {
            return sent > 0 ? sent : -1;
        }
    }
}

/// Writes parts as one write that the pipe takes as a whole, or each by itself.
static ssize_t write_parts_to_pipe(int descriptor, const struct iovec *parts, int count) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
    if (bytes <= PIPE_PART)
        return vt_wait_for_descriptor(descriptor, POLLOUT, VT_NEVER, "writev") ? REAL(writev)(descriptor, parts, count) : -1;
    ssize_t written = 0;
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len == 0) continue;
        ssize_t result = write_to_pipe(descriptor, parts[i].iov_base, parts[i].iov_len);
        if (result < 0) return written > 0 ? written : -1;
        written += result;
        if ((size_t)result < parts[i].iov_len) break;
    }
    return written;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (!vt_inside()) return REAL(write)(descriptor, bytes, count);
    vt_step("write");
    if (vt_is_inherited(descriptor)) {
        vt_may_be_ready();
        vt.outside = "write";
        return after_reading(REAL(write)(descriptor, bytes, count));
    }
    species species = species_of(descriptor);
    // Nobody waits for a file; programs write many lines of a log.
    if (species != is_file) vt_may_be_ready();
    if (species == is_pipe) return write_to_pipe(descriptor, bytes, count);
    if (species == is_socket) return send_all(descriptor, bytes, count, 0, NULL, 0);
    if (vt_disk_is_full_for(descriptor, -1, count)) return -1;
    vt_file_was_changed(descriptor);
    return REAL(write)(descriptor, bytes, count);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    if (!vt_inside()) return REAL(writev)(descriptor, parts, count);
    vt_step("writev");
    vt_may_be_ready();
    species species = vt_is_inherited(descriptor) || count < 0 || count > MOST_PARTS ? other : species_of(descriptor);
    const struct msghdr message = {.msg_iov = (struct iovec *)parts, .msg_iovlen = species == is_socket ? (size_t)count : 0};
    if (species == is_socket) return send_message(descriptor, &message, 0, "writev");
    if (species == is_pipe) return write_parts_to_pipe(descriptor, parts, count);
    size_t size = 0;
    for (int i = 0; vt.is_disk_full && i < count; i++) size += parts[i].iov_len;
    if (vt_disk_is_full_for(descriptor, -1, size)) return -1;
    vt_file_was_changed(descriptor);
    vt.outside = "writev";
    return after_reading(REAL(writev)(descriptor, parts, count));
}

ssize_t sendto(
    int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
    if (!vt_inside()) return REAL(sendto)(descriptor, bytes, count, flags, address, size);
    vt_step("send");
    vt_may_be_ready();
    if (flags & MSG_DONTWAIT || !blocks(species_of(descriptor))) return REAL(sendto)(descriptor, bytes, count, flags, address, size);
    return send_all(descriptor, bytes, count, flags, address, size);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    if (!vt_inside()) return REAL(send)(descriptor, bytes, count, flags);
    return sendto(descriptor, bytes, count, flags, NULL, 0);
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    if (!vt_inside()) return REAL(sendmsg)(descriptor, message, flags);
    vt_step("sendmsg");
    vt_may_be_ready();
    if (flags & MSG_DONTWAIT || species_of(descriptor) != is_socket) return REAL(sendmsg)(descriptor, message, flags);
    return send_message(descriptor, message, flags, "sendmsg");
}

/// Makes a blocking connection by starting a non-blocking one and waiting for it in the world.
int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
    if (!vt_inside()) return REAL(connect)(descriptor, address, size);
    vt_step("connect");
    vt_may_be_ready();
    if (species_of(descriptor) != is_socket) return REAL(connect)(descriptor, address, size);
    // The retry interval for a full queue of connections, which does not report free space.
    const int64_t pause = 1000000;
    long flags = vt_kernel(SYS_fcntl, descriptor, F_GETFL, 0);
    vt_kernel(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
    int result;
    while ((result = REAL(connect)(descriptor, address, size)) != 0 && errno == EAGAIN) vt_sleep_until(vt.now + pause, "connect");
    if (result != 0 && errno == EINPROGRESS) {
        if (vt_wait_for_descriptor(descriptor, POLLOUT, deadline_of(descriptor, SO_SNDTIMEO, is_socket), "connect")) {
            int error = 0;
            socklen_t length = sizeof error;
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length);
            errno = error;
            result = error ? -1 : 0;
        } else if (errno == EAGAIN) {
            // As the kernel reports that the time of SO_SNDTIMEO is over.
            errno = EINPROGRESS;
        }
    }
    int error = errno;
    vt_kernel(SYS_fcntl, descriptor, F_SETFL, flags);
    errno = error;
    return result;
}
#endif
