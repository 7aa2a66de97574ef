#include "protocol.h"

#include <stdio.h>

// https://redis.io/docs/latest/develop/reference/protocol-spec/

// The number of different keys, so that the server's memory stays within some 100 MB.
#define KEYS 100000

static bool greet(int socket) {
    (void)socket;
    return true;
}

static uint8_t *write_set(uint8_t *to, const uint8_t *payload, size_t bytes, unsigned count) {
    static unsigned number;
    for (unsigned i = 0; i < count; i++) {
        number = (number + 1) % KEYS;
        to += sprintf((char *)to, "*3\r\n$3\r\nSET\r\n$10\r\nquiz:%05u\r\n$%zu\r\n", number, bytes);
        to = peer_put(peer_put(to, payload, bytes), "\r\n", 2);
    }
    return to;
}

static long read_ok(const uint8_t *bytes, size_t count, size_t *used) { return peer_count_lines(bytes, count, "+OK", used); }

const peer_protocol peer_redis = {"redis", 80, greet, write_set, read_ok};
