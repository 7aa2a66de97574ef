#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>

// libdispatch tells neither for which queue a thread waits nor which thread serves a queue. Deadlocks of queues are
// found and reported by both: the calls note the queue, and the queue's state contains the thread.

// The part of a queue in which its state is searched, in words of 64 bits: its first twelve, which all queues have.
#define QUEUE_WORDS 12
// libdispatch's DLOCK_OWNER_MASK: the identifier of the thread that serves the queue, in the lower half of its state.
#define OWNER_MASK 0x3fffffffu

typedef void (*work)(void *);

// Weak: programs without libdispatch run in worlds too.
extern void *dispatch_queue_create(const char *label, void *attributes) __attribute__((weak));
extern void dispatch_release(void *object) __attribute__((weak));

static size_t state_word;
static enum { unknown, found, absent } search;
static uint64_t when_idle[QUEUE_WORDS];

/// Runs on the queue, whose state differs from an idle queue's in its owner.
static void find_state(void *queue) {
    const uint64_t *words = queue;
    int count = 0;
    for (size_t i = 0; i < QUEUE_WORDS; i++) {
        if ((uint32_t)when_idle[i] != 0 || ((uint32_t)words[i] & OWNER_MASK) == 0) continue;
        state_word = i;
        count++;
    }
    search = count == 1 ? found : absent;
}

/// Tries on a queue of its own where queues keep their state, because the layout differs between versions.
static void search_state(void) {
    search = absent;
    void (*sync)(void *, void *, work) = (void (*)(void *, void *, work))dlsym(RTLD_NEXT, "dispatch_sync_f");
    if (!sync || !dispatch_queue_create || !dispatch_release) return;
    void *queue = dispatch_queue_create("virtual time", NULL);
    memcpy(when_idle, queue, sizeof when_idle);
    sync(queue, queue, find_state);
    dispatch_release(queue);
}

const vt_thread *vt_server_of_queue(const void *queue) {
    if (search != found) return NULL;
    int owner = (int)(((const uint64_t *)queue)[state_word] & OWNER_MASK);
    return vt_holder_of_identifier(owner);
}

bool vt_serves_alone(const void *queue) {
    if (search == unknown && vt_inside()) search_state();
    if (search != found) return false;
    return (int)(((const uint64_t *)queue)[state_word] & OWNER_MASK) == gettid();
}

/// Returns the queue for which the thread waited before: its work can wait for another one. A free queue is taken
/// without a call of glibc, so that this is a place for an interruption.
static const void *begin_wait(const void *queue, const char *call) {
    if (!vt_self) return NULL;
    if (search == unknown && vt_inside()) search_state();
    if (vt_inside()) vt_step(call);
    if (vt_inside()) vt_will_take(queue, true);
    vt_has_taken(queue, true);
    const void *outer = vt_self->queue;
    vt_self->queue = queue;
    return outer;
}

static void end_wait(const void *queue, const void *outer) {
    if (!vt_self) return;
    vt_self->queue = outer;
    vt_has_given_back(queue);
}

#define NOTE_QUEUE_OF_BLOCK(name) \
    __attribute__((weak)) void name(void *queue, void *block) { \
        static void (*real)(void *, void *); \
        if (!real) real = (void (*)(void *, void *))dlsym(RTLD_NEXT, #name); \
        const void *outer = begin_wait(queue, #name); \
        real(queue, block); \
        end_wait(queue, outer); \
    }

#define NOTE_QUEUE_OF_FUNCTION(name) \
    __attribute__((weak)) void name(void *queue, void *context, work function) { \
        static void (*real)(void *, void *, work); \
        if (!real) real = (void (*)(void *, void *, work))dlsym(RTLD_NEXT, #name); \
        const void *outer = begin_wait(queue, #name); \
        real(queue, context, function); \
        end_wait(queue, outer); \
    }

// Weak: if libdispatch is linked statically, its own functions are used, and nothing is known of its queues.
NOTE_QUEUE_OF_BLOCK(dispatch_sync)
NOTE_QUEUE_OF_BLOCK(dispatch_barrier_sync)
NOTE_QUEUE_OF_BLOCK(dispatch_async_and_wait)
NOTE_QUEUE_OF_BLOCK(dispatch_barrier_async_and_wait)
NOTE_QUEUE_OF_FUNCTION(dispatch_sync_f)
NOTE_QUEUE_OF_FUNCTION(dispatch_barrier_sync_f)
NOTE_QUEUE_OF_FUNCTION(dispatch_async_and_wait_f)
NOTE_QUEUE_OF_FUNCTION(dispatch_barrier_async_and_wait_f)
#endif
