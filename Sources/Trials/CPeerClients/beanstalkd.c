#include "protocol.h"

#include <stdio.h>

// https://raw.githubusercontent.com/beanstalkd/beanstalkd/master/doc/protocol.txt

static bool greet(int socket) {
    (void)socket;
    return true;
}

static uint8_t *write_put(uint8_t *to, const uint8_t *payload, size_t bytes, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        to += sprintf((char *)to, "put 0 0 60 %zu\r\n", bytes);
        to = peer_put(peer_put(to, payload, bytes), "\r\n", 2);
    }
    return to;
}

static long read_inserted(const uint8_t *bytes, size_t count, size_t *used) {
    return peer_count_lines(bytes, count, "INSERTED", used);
}

const peer_protocol peer_beanstalkd = {"beanstalkd", 48, greet, write_put, read_inserted};
