#include "include/peer_clients.h"
#include "protocol.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The functions and numbers of zmq.h (libzmq 4), which are part of its binary interface: http://api.zeromq.org/4-3:zmq

enum { dealer = 5, router = 6, send_more = 2 };
// Requests and answers are of some hundred bytes.
#define MOST_BYTES 65536

static struct {
    void *(*ctx_new)(void);
    int (*ctx_term)(void *);
    void *(*socket)(void *, int);
    int (*close)(void *);
    int (*bind)(void *, const char *);
    int (*connect)(void *, const char *);
    int (*send)(void *, const void *, size_t, int);
    int (*recv)(void *, void *, size_t, int);
} zmq;

bool watchlink_has_zeromq(void) {
    if (zmq.recv) return true;
    void *library = dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    struct {
        const char *name;
        void *function;
    } functions[] = {
        {"zmq_ctx_new", &zmq.ctx_new}, {"zmq_ctx_term", &zmq.ctx_term}, {"zmq_socket", &zmq.socket}, {"zmq_close", &zmq.close},
        {"zmq_bind", &zmq.bind}, {"zmq_connect", &zmq.connect}, {"zmq_send", &zmq.send}, {"zmq_recv", &zmq.recv},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) return false;
        memcpy(functions[i].function, &function, sizeof function);
    }
    return true;
}

static void *open_socket(int type, const char *path, int (*attach)(void *, const char *), void **context) {
    char url[256];
    snprintf(url, sizeof url, "ipc://%s", path);
    *context = zmq.ctx_new();
    void *socket = *context ? zmq.socket(*context, type) : NULL;
    return socket && attach(socket, url) == 0 ? socket : NULL;
}

const char *watchlink_serve_zeromq(const char *path, const uint8_t *reply, size_t reply_bytes, void (*ready)(void)) {
    if (!watchlink_has_zeromq()) return "libzmq.so.5 is not installed";
    void *context;
    void *socket = open_socket(router, path, zmq.bind, &context);
    if (!socket) return "ZeroMQ cannot listen";
    ready();
    static uint8_t peer[256], request[MOST_BYTES];
    for (;;) {
        int peer_bytes = zmq.recv(socket, peer, sizeof peer, 0);
        if (peer_bytes < 0 || zmq.recv(socket, request, sizeof request, 0) < 0) return "ZeroMQ cannot receive";
        if (zmq.send(socket, peer, (size_t)peer_bytes, send_more) < 0 || zmq.send(socket, reply, reply_bytes, 0) < 0)
            return "ZeroMQ cannot send";
    }
}

const char *watchlink_drive_zeromq(const char *path, const watchlink_load *load) {
    if (!watchlink_has_zeromq()) return "libzmq.so.5 is not installed";
    void *context;
    void *socket = open_socket(dealer, path, zmq.connect, &context);
    int64_t *sent_at = calloc(load->in_flight, sizeof *sent_at);
    if (!socket || !sent_at) return "ZeroMQ cannot connect";
    static uint8_t answer[MOST_BYTES];
    unsigned sent = 0;
    const char *error = NULL;
    for (unsigned first = 0;; first = (first + 1) % load->in_flight) {
        for (; sent < load->in_flight; sent++) {
            sent_at[(first + sent) % load->in_flight] = peer_now();
            if (zmq.send(socket, load->payload, load->payload_bytes, 0) < 0) error = "ZeroMQ cannot send";
        }
        if (!error && zmq.recv(socket, answer, sizeof answer, 0) < 0) error = "ZeroMQ cannot receive";
        if (error || !load->answered(load->context, sent_at[first])) break;
        sent--;
    }
    free(sent_at);
    zmq.close(socket);
    zmq.ctx_term(context);
    return error;
}
