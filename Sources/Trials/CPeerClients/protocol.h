#ifndef WATCHLINK_PEER_PROTOCOL_H
#define WATCHLINK_PEER_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/// The protocol of a server, without its socket.
typedef struct {
    const char *name;
    /// The most bytes of a request besides its payload.
    size_t overhead;
    /// Prepares a connection; returns false if the server refuses.
    bool (*greet)(int socket);
    /// Writes requests that are sent together; returns the end.
    uint8_t *(*write)(uint8_t *to, const uint8_t *payload, size_t bytes, unsigned count);
    /// Returns the number of requests that the bytes answer, and how many bytes that took; -1 for an error.
    long (*read)(const uint8_t *bytes, size_t count, size_t *used);
} peer_protocol;

extern const peer_protocol peer_redis, peer_beanstalkd, peer_mqtt, peer_postgresql;

bool peer_send(int socket, const uint8_t *bytes, size_t count);
/// Reads exactly so many bytes.
bool peer_receive(int socket, uint8_t *bytes, size_t count);

/// The monotonic time in nanoseconds.
static inline int64_t peer_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline uint8_t *peer_put(uint8_t *to, const void *bytes, size_t count) {
    memcpy(to, bytes, count);
    return to + count;
}

static inline uint8_t *peer_put16(uint8_t *to, unsigned value) {
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
    return to + 2;
}

static inline uint8_t *peer_put32(uint8_t *to, uint32_t value) { return peer_put16(peer_put16(to, value >> 16), value & 0xFFFF); }

static inline uint32_t peer_get32(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

/// Counts complete lines, all of which must begin with the given text.
static inline long peer_count_lines(const uint8_t *bytes, size_t count, const char *beginning, size_t *used) {
    long lines = 0;
    const uint8_t *at = bytes, *end = bytes + count, *line_end;
    size_t length = strlen(beginning);
    while ((line_end = memchr(at, '\n', (size_t)(end - at)))) {
        if ((size_t)(line_end - at) < length || memcmp(at, beginning, length) != 0) return -1;
        lines++;
        at = line_end + 1;
    }
    *used = (size_t)(at - bytes);
    return lines;
}

#endif
