#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define LARGE 1000000

__attribute__((format(printf, 1, 2))) static void trace(const char *format, ...) {
    char line[128];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    virtual_time_trace(line);
}

static char bytes[LARGE];

/// Reads all that arrives from a descriptor, later than it is written.
static void *count_bytes(void *descriptor) {
    char part[70000];
    long count = 0, sum = 0;
    sleep(1);
    for (ssize_t read_now; (read_now = read(*(int *)descriptor, part, sizeof part)) > 0; count += read_now)
        for (ssize_t i = 0; i < read_now; i++) sum += part[i];
    trace("read %ld, sum %ld", count, sum);
    return NULL;
}

static void *send_later(void *descriptor) {
    sleep(2);
    send(*(int *)descriptor, "cd", 2, 0);
    return NULL;
}

/// Writes parts that are larger than a buffer to a descriptor, with a reader at the other end.
static void write_large(int reading, int writing, ssize_t (*write_parts)(int, struct iovec *, int)) {
    pthread_t reader;
    struct iovec parts[] = {{bytes, 10}, {bytes + 10, 0}, {bytes + 10, 300000}, {bytes + 300010, LARGE - 300010}};
    pthread_create(&reader, NULL, count_bytes, &reading);
    ssize_t written = write_parts(writing, parts, 4);
    close(writing);
    pthread_join(reader, NULL);
    close(reading);
    trace("written %zd", written);
}

static ssize_t by_writev(int descriptor, struct iovec *parts, int count) { return writev(descriptor, parts, count); }

static ssize_t by_sendmsg(int descriptor, struct iovec *parts, int count) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    return sendmsg(descriptor, &message, 0);
}

void probe_large_messages(void) {
    for (int i = 0; i < LARGE; i++) bytes[i] = (char)(i % 7);
    int ends[2];
    if (pipe(ends) == 0) write_large(ends[0], ends[1], by_writev);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) write_large(ends[0], ends[1], by_writev);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) write_large(ends[0], ends[1], by_sendmsg);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    char text[8] = "";
    pthread_t sender;
    struct iovec parts[] = {{text, 3}, {text + 3, 1}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    pthread_create(&sender, NULL, send_later, &ends[1]);
    send(ends[1], "ab", 2, 0);
    ssize_t peeked = recv(ends[0], text, 4, MSG_PEEK | MSG_WAITALL);
    trace("looked at %zd: %s", peeked, text);
    ssize_t received = recvmsg(ends[0], &message, MSG_WAITALL);
    trace("received %zd: %s", received, text);
    pthread_join(sender, NULL);
    virtual_time_finish(NULL);
}

/// Traces the result of a call, its error, and the seconds that it took.
#define MEASURED(call) \
    do { \
        struct timespec start, end; \
        clock_gettime(CLOCK_MONOTONIC, &start); \
        ssize_t result = call; \
        int error = errno; \
        clock_gettime(CLOCK_MONOTONIC, &end); \
        long tenths = ((end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000) / 100; \
        trace(#call " %s after %ld", result >= 0 ? "made" : error == EAGAIN ? "EAGAIN" : strerror(error), tenths); \
    } while (0)

void probe_socket_timeouts(void) {
    int ends[2];
    char byte = 1;
    const struct timeval two = {2, 0}, half = {0, 500000};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &two, sizeof two);
    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &half, sizeof half);
    MEASURED(recv(ends[0], &byte, 1, 0));
    MEASURED(read(ends[0], &byte, 1));
    // The buffer takes some, and then no more.
    MEASURED(send(ends[0], bytes, LARGE, 0));
    MEASURED(send(ends[0], bytes, LARGE, 0));
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "timeouts"};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 5) != 0) return;
    setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &half, sizeof half);
    MEASURED(accept(listener, NULL, NULL));
    virtual_time_finish(NULL);
}

void probe_temporary_names(void) {
    char first[] = "name-XXXXXX", second[] = "name-XXXXXX.txt", folder[] = "folder-XXXXXX", wrong[] = "name-XXXXX";
    int made = mkstemp(first), other = mkostemps(second, 4, O_APPEND);
    trace("%s %s %s", first, second, mkdtemp(folder));
    trace("made %d %d, with O_APPEND %d", made >= 0, other >= 0, (fcntl(other, F_GETFL) & O_APPEND) != 0);
    trace("wrong: %d %s", mkstemp(wrong), errno == EINVAL ? "EINVAL" : strerror(errno));
    unsigned long value = 0;
    FILE *stream = fopen("/dev/urandom", "rb");
    if (stream) trace("drawn %zu: %lx", fread(&value, sizeof value, 1, stream), value);
    virtual_time_finish(NULL);
}

void probe_closing_all(void) {
    int file = open("closing", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 3; i < 1024; i++) close(i);
    trace("closed %d", fcntl(file, F_GETFD) < 0);
    sleep(1);
    file = open("closing", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    trace("a range %d, closed %d", close_range(3, ~0u, 0), fcntl(file, F_GETFD) < 0);
    sleep(1);
    file = open("closing", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    closefrom(3);
    trace("from a number on, closed %d", fcntl(file, F_GETFD) < 0);
    sleep(1);
    virtual_time_finish(NULL);
}
