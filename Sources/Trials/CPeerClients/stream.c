#include "include/peer_clients.h"
#include "protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Answers are short, and no more than one buffer of them is on its way.
#define ANSWER_BYTES (1 << 20)
// A server that answers nothing for so long has lost a request.
#define PATIENCE_SECONDS 10

static const peer_protocol *const protocols[] = {&peer_redis, &peer_beanstalkd, &peer_mqtt, &peer_postgresql};

bool peer_send(int socket, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        count -= (size_t)sent;
    }
    return true;
}

bool peer_receive(int socket, uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t received = recv(socket, bytes, count, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return false;
        bytes += received;
        count -= (size_t)received;
    }
    return true;
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    const struct timeval patience = {PATIENCE_SECONDS, 0};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(descriptor, (const struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/// The state of a connection: what was sent when, in order, and what was read but not understood yet.
typedef struct {
    const peer_protocol *protocol;
    const watchlink_load *load;
    int socket;
    uint8_t *requests;
    uint8_t *answers;
    size_t kept;
    int64_t *sent_at;  // a ring
    unsigned first;
} connection;

/// Sends requests; `place` is the ring's place of the first.
static bool send_requests(connection *c, unsigned place, unsigned count) {
    int64_t time = peer_now();
    for (unsigned i = 0; i < count; i++) c->sent_at[(place + i) % c->load->in_flight] = time;
    const uint8_t *end = c->protocol->write(c->requests, c->load->payload, c->load->payload_bytes, count);
    return peer_send(c->socket, c->requests, (size_t)(end - c->requests));
}

static const char *run(connection *c) {
    if (!c->protocol->greet(c->socket)) return "the server refuses the connection";
    if (!send_requests(c, 0, c->load->in_flight)) return "the server closed the connection";
    for (;;) {
        ssize_t received = recv(c->socket, c->answers + c->kept, ANSWER_BYTES - c->kept, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return received == 0 ? "the server closed the connection" : "the server does not answer";
        c->kept += (size_t)received;
        size_t used = 0;
        long count = c->protocol->read(c->answers, c->kept, &used);
        if (count < 0) return "the server answered with an error";
        c->kept -= used;
        memmove(c->answers, c->answers + used, c->kept);
        unsigned place = c->first;
        for (long i = 0; i < count; i++) {
            if (!c->load->answered(c->load->context, c->sent_at[c->first])) return NULL;
            c->first = (c->first + 1) % c->load->in_flight;
        }
        if (count > 0 && !send_requests(c, place, (unsigned)count)) return "the server closed the connection";
    }
}

const char *watchlink_drive_stream(const char *protocol, const char *path, const watchlink_load *load) {
    connection c = {.load = load};
    for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++)
        if (strcmp(protocols[i]->name, protocol) == 0) c.protocol = protocols[i];
    if (!c.protocol) return "the protocol is unknown";
    c.socket = connect_to(path);
    if (c.socket < 0) return "the server cannot be connected to";
    c.requests = malloc(load->in_flight * (load->payload_bytes + c.protocol->overhead));
    c.answers = malloc(ANSWER_BYTES);
    c.sent_at = calloc(load->in_flight, sizeof *c.sent_at);
    const char *error = c.requests && c.answers && c.sent_at ? run(&c) : "no memory";
    free(c.requests);
    free(c.answers);
    free(c.sent_at);
    close(c.socket);
    return error;
}
