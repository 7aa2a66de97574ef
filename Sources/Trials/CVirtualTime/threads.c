#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <limits.h>

// The result of gettid in all threads but the first: the kernel's identifiers differ from run to run. Above the
// kernel's highest.
#define FIRST_THREAD_IDENTIFIER (1 << 23)

static pthread_key_t end_key;

/// A thread's specific values are destroyed after its body, by code that locks and wakes. glibc makes four rounds; the
/// last one is the thread's end in the world.
static void destroy(void *value) {
    vt_thread *thread = value;
    if (!vt.on) return;
    if (++thread->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(end_key, thread);
    else vt_end_running(thread);
}

bool vt_begin_threads(void) {
    vt_thread *first = vt_add_thread();
    if (!first || pthread_key_create(&end_key, destroy) != 0) return false;
    first->handle = pthread_self();
    first->kernel_id = vt.process;
    first->state = vt_running;
    vt_self = vt.running = first;
    pthread_setspecific(end_key, first);
    return true;
}

static void *run(void *value) {
    vt_thread *thread = value;
    vt_start_running(thread);
    pthread_setspecific(end_key, thread);
    return thread->body(thread->argument);
}

vt_thread *vt_thread_of_handle(pthread_t handle) {
    for (vt_thread *t = vt.alive; t; t = t->next_alive)
        if (t->handle == handle) return t;
    return NULL;
}

int pthread_create(
    pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict argument) {
    if (!vt_inside()) return REAL(pthread_create)(handle, attributes, body, argument);
    vt_thread *thread = vt_add_thread();
    if (!thread) return EAGAIN;
    thread->body = body;
    thread->argument = argument;
    thread->is_dispatch_worker = vt_is_worker_of_dispatch(body);
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes) pthread_attr_getdetachstate(attributes, &detached);
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    int error = REAL(pthread_create)(&thread->handle, attributes, run, thread);
    if (error) {
        vt_remove_thread(thread);
        return error;
    }
    *handle = thread->handle;
    vt_step("pthread_create");
    return 0;
}

/// Waits until a thread has ended: 0, ETIMEDOUT, or the error that glibc would return immediately.
static int wait_for_end(vt_thread *thread, int64_t deadline, const char *call) {
    if (thread == vt_self) return EDEADLK;
    while (thread->state != vt_dead)
        if (vt_block_on_address(thread, vt_thread_end, deadline, call) == vt_timed_out && thread->state != vt_dead) return ETIMEDOUT;
    return 0;
}

static int join(pthread_t handle, void **value, int64_t deadline, const char *call) {
    vt_thread *thread = vt_thread_of_handle(handle);
    int error = thread ? wait_for_end(thread, deadline, call) : 0;
    if (error) return error;
    error = REAL(pthread_join)(handle, value);
    if (thread && error == 0) vt_remove_thread(thread);
    return error;
}

int pthread_join(pthread_t handle, void **value) {
    if (!vt_inside()) return REAL(pthread_join)(handle, value);
    return join(handle, value, VT_NEVER, "pthread_join");
}

int pthread_tryjoin_np(pthread_t handle, void **value) {
    if (!vt_inside()) return REAL(pthread_tryjoin_np)(handle, value);
    const vt_thread *thread = vt_thread_of_handle(handle);
    if (thread && thread->state != vt_dead) {
        vt_look();
        if (thread->state != vt_dead) return EBUSY;
    }
    return join(handle, value, VT_NEVER, "pthread_tryjoin_np");
}

int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *time) {
    if (!vt_inside()) return REAL(pthread_timedjoin_np)(handle, value, time);
    return join(handle, value, time ? vt_at(CLOCK_REALTIME, time) : VT_NEVER, "pthread_timedjoin_np");
}

int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *time) {
    if (!vt_inside()) return REAL(pthread_clockjoin_np)(handle, value, clock, time);
    return join(handle, value, time ? vt_at(clock, time) : VT_NEVER, "pthread_clockjoin_np");
}

int pthread_detach(pthread_t handle) {
    if (!vt_inside()) return REAL(pthread_detach)(handle);
    vt_thread *thread = vt_thread_of_handle(handle);
    int error = REAL(pthread_detach)(handle);
    if (thread && error == 0) {
        thread->detached = true;
        if (thread->state == vt_dead) vt_remove_thread(thread);
    }
    return error;
}

pid_t gettid(void) {
    if (!vt_inside()) return REAL(gettid)();
    return vt_self->id == 0 ? getpid() : FIRST_THREAD_IDENTIFIER + vt_self->id;
}

vt_thread *vt_thread_of_identifier(int identifier) {
    for (vt_thread *t = vt.alive; t; t = t->next_alive)
        if (identifier == (t->id == 0 ? getpid() : FIRST_THREAD_IDENTIFIER + t->id)) return t;
    return NULL;
}

vt_thread *vt_holder_of_identifier(int identifier) {
    if (identifier == 0) return NULL;
    vt_thread *thread = vt_thread_of_identifier(identifier);
    return thread ? thread : vt.main_thread;
}
#endif
