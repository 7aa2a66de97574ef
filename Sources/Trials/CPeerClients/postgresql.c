#include "protocol.h"

// Version 3 of the protocol: https://www.postgresql.org/docs/15/protocol.html

#define VERSION 196608
// The code and the length of a message.
#define HEADER 5

static const char user[] = "user\0watchlink\0database\0postgres\0";
static const char table[] = "CREATE TABLE IF NOT EXISTS peer_quizzes (sequence BIGSERIAL PRIMARY KEY, archive BYTEA NOT NULL)";
static const char insertion[] = "INSERT INTO peer_quizzes (archive) VALUES ($1)";
static const char statement[] = "insertion";

/// Reads messages until the server is ready for the next query.
static bool await_ready(int socket) {
    for (;;) {
        uint8_t header[HEADER];
        uint8_t body[4096];
        if (!peer_receive(socket, header, sizeof header)) return false;
        uint32_t length = peer_get32(header + 1) - 4;
        if (length > sizeof body || !peer_receive(socket, body, length) || header[0] == 'E') return false;
        if (header[0] == 'Z') return true;
    }
}

static bool ask(int socket, char code, const uint8_t *body, size_t count) {
    uint8_t message[512], *to = message;
    if (code) *to++ = (uint8_t)code;
    to = peer_put(peer_put32(to, (uint32_t)(count + 4)), body, count);
    return peer_send(socket, message, (size_t)(to - message));
}

static bool greet(int socket) {
    uint8_t body[256], *end = peer_put(peer_put32(body, VERSION), user, sizeof user);
    if (!ask(socket, 0, body, (size_t)(end - body)) || !await_ready(socket)) return false;
    if (!ask(socket, 'Q', (const uint8_t *)table, sizeof table) || !await_ready(socket)) return false;
    end = peer_put16(peer_put(peer_put(body, statement, sizeof statement), insertion, sizeof insertion), 0);
    return ask(socket, 'P', body, (size_t)(end - body)) && ask(socket, 'S', NULL, 0) && await_ready(socket);
}

/// All in one transaction: the server commits at the synchronization that ends them.
static uint8_t *write_insertions(uint8_t *to, const uint8_t *payload, size_t bytes, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        *to++ = 'B';
        uint8_t *length = to;
        to = peer_put(to + 4, "", 1);
        to = peer_put(to, statement, sizeof statement);
        // One format for all values, binary; one value; the results as text.
        to = peer_put32(peer_put16(peer_put16(peer_put16(to, 1), 1), 1), (uint32_t)bytes);
        to = peer_put16(peer_put(to, payload, bytes), 0);
        peer_put32(length, (uint32_t)(to - length));
        *to++ = 'E';
        to = peer_put32(peer_put(peer_put32(to, 9), "", 1), 0);
    }
    *to++ = 'S';
    return peer_put32(to, 4);
}

/// An insertion is answered when its transaction is committed.
static long read_committed(const uint8_t *bytes, size_t count, size_t *used) {
    long committed = 0, complete = 0;
    for (size_t at = 0; count - at >= HEADER;) {
        size_t length = 1 + (size_t)peer_get32(bytes + at + 1);
        if (count - at < length) break;
        if (bytes[at] == 'E') return -1;
        if (bytes[at] == 'C') complete++;
        at += length;
        if (bytes[at - length] != 'Z') continue;
        committed += complete;
        complete = 0;
        *used = at;
    }
    return committed;
}

const peer_protocol peer_postgresql = {"postgresql", 80, greet, write_insertions, read_committed};
