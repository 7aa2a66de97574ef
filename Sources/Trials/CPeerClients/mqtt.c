#include "protocol.h"

// MQTT 3.1.1: https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/os/mqtt-v3.1.1-os.html

enum { connack = 0x20, publish_at_least_once = 0x32, puback = 0x40 };
#define PUBACK_BYTES 4

static const char topic[] = "quiz";

static bool greet(int socket) {
    // CONNECT: protocol name and level, a clean session, no keep-alive, and no client identifier.
    static const uint8_t hello[] = {0x10, 12, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 0};
    uint8_t answer[4];
    return peer_send(socket, hello, sizeof hello) && peer_receive(socket, answer, sizeof answer) && answer[0] == connack && answer[3] == 0;
}

static uint8_t *write_publish(uint8_t *to, const uint8_t *payload, size_t bytes, unsigned count) {
    static uint16_t identifier;
    for (unsigned i = 0; i < count; i++) {
        if (++identifier == 0) identifier = 1;
        *to++ = publish_at_least_once;
        size_t rest = 2 + (sizeof topic - 1) + 2 + bytes;
        do {
            *to++ = (uint8_t)(rest % 128 | (rest >= 128 ? 128 : 0));
            rest /= 128;
        } while (rest > 0);
        to = peer_put(peer_put16(to, sizeof topic - 1), topic, sizeof topic - 1);
        to = peer_put(peer_put16(to, identifier), payload, bytes);
    }
    return to;
}

static long read_puback(const uint8_t *bytes, size_t count, size_t *used) {
    long answers = (long)(count / PUBACK_BYTES);
    for (long i = 0; i < answers; i++)
        if (bytes[i * PUBACK_BYTES] != puback) return -1;
    *used = (size_t)answers * PUBACK_BYTES;
    return answers;
}

const peer_protocol peer_mqtt = {"mqtt", 16, greet, write_publish, read_puback};
