#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <mqueue.h>

// A message queue is a descriptor, which reports a message or free space. The thread waits in the world; then glibc's
// function is called with a deadline in the past, so that it never blocks.

static const struct timespec at_once = {0, 0};

/// Returns the deadline of a call; the current time for a non-blocking queue.
static int64_t moment(mqd_t queue, const struct timespec *time) {
    if (vt_kernel(SYS_fcntl, queue, F_GETFL, 0) & O_NONBLOCK) return vt.now;
    return time ? vt_at(CLOCK_REALTIME, time) : VT_NEVER;
}

/// Returns true if the call should be retried; false, with errno, if it has failed.
static bool has_waited(mqd_t queue, short events, int64_t deadline, const char *call) {
    bool is_full = errno == ETIMEDOUT || errno == EAGAIN;
    if (!is_full || deadline <= vt.now) return false;
    int error = errno;
    if (vt_wait_for_descriptor(queue, events, deadline, call)) return true;
    // The deadline has passed; a signal has its own error.
    if (errno == EAGAIN) errno = error;
    return false;
}

static ssize_t receive(mqd_t queue, char *text, size_t room, unsigned *priority, int64_t deadline, const char *call) {
    vt_step(call);
    ssize_t count;
    do count = REAL(mq_timedreceive)(queue, text, room, priority, &at_once);
    while (count < 0 && has_waited(queue, POLLIN, deadline, call));
    return count;
}

static int send_one(mqd_t queue, const char *text, size_t count, unsigned priority, int64_t deadline, const char *call) {
    vt_step(call);
    int result;
    do result = REAL(mq_timedsend)(queue, text, count, priority, &at_once);
    while (result < 0 && has_waited(queue, POLLOUT, deadline, call));
    return result;
}

ssize_t mq_receive(mqd_t queue, char *text, size_t room, unsigned *priority) {
    if (!vt_inside()) return REAL(mq_receive)(queue, text, room, priority);
    return receive(queue, text, room, priority, moment(queue, NULL), "mq_receive");
}

ssize_t mq_timedreceive(
    mqd_t queue, char *restrict text, size_t room, unsigned *restrict priority, const struct timespec *restrict time) {
    if (!vt_inside()) return REAL(mq_timedreceive)(queue, text, room, priority, time);
    return receive(queue, text, room, priority, moment(queue, time), "mq_timedreceive");
}

int mq_send(mqd_t queue, const char *text, size_t count, unsigned priority) {
    if (!vt_inside()) return REAL(mq_send)(queue, text, count, priority);
    return send_one(queue, text, count, priority, moment(queue, NULL), "mq_send");
}

int mq_timedsend(mqd_t queue, const char *text, size_t count, unsigned priority, const struct timespec *time) {
    if (!vt_inside()) return REAL(mq_timedsend)(queue, text, count, priority, time);
    return send_one(queue, text, count, priority, moment(queue, time), "mq_timedsend");
}
#endif
