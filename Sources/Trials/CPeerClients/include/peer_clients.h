// Clients of servers and libraries that the benchmark runs beside WatchLink. Each speaks its server's protocol itself, with
// blocking calls, or opens its library at run time: the package builds where none of them is installed.
#ifndef WATCHLINK_PEER_CLIENTS_H
#define WATCHLINK_PEER_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Called for each answer with the monotonic time in nanoseconds at which its request was sent; returns false to stop.
typedef bool (*watchlink_answered)(void *context, int64_t sent_at);

/// The work of a client: the payload of each request, and the number of requests in flight.
typedef struct {
    const uint8_t *payload;
    size_t payload_bytes;
    unsigned in_flight;
    watchlink_answered answered;
    void *context;
} watchlink_load;

/// Keeps requests in flight on a server's Unix socket until `answered` returns false.
///
/// Protocols: “redis” (SET), “beanstalkd” (put), “mqtt” (PUBLISH with QoS 1), “postgresql” (INSERT; all requests in flight are
/// one transaction). Returns NULL, or what went wrong.
const char *watchlink_drive_stream(const char *protocol, const char *path, const watchlink_load *load);

/// Answers requests over ZeroMQ until the process ends. Calls `ready` once it listens. Returns what went wrong.
const char *watchlink_serve_zeromq(const char *path, const uint8_t *reply, size_t reply_bytes, void (*ready)(void));

/// Keeps requests in flight over ZeroMQ until `answered` returns false. Returns NULL, or what went wrong.
const char *watchlink_drive_zeromq(const char *path, const watchlink_load *load);

/// True if the library is installed.
bool watchlink_has_zeromq(void);
bool watchlink_has_libplist(void);

/// Reads a binary property list into libplist's objects, and frees them. Returns false if it cannot.
bool watchlink_libplist_read(const uint8_t *bytes, size_t count);

/// Objects of libplist; NULL if the property list cannot be read.
void *watchlink_libplist_objects(const uint8_t *bytes, size_t count);

/// Writes objects as a binary property list, and frees its bytes. Returns their number; 0 if it cannot.
size_t watchlink_libplist_write(void *objects);

#endif
