#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>

// A task that hops to a free actor, and a thread that takes a free semaphore of libdispatch, call nothing of glibc. What
// others do in between two such accesses must be seen all the same, so that these calls are places for an interruption.

// Weak: a program that contains Swift's concurrency or libdispatch uses its own.

#if defined(__has_attribute)
#if __has_attribute(swiftasynccall)
#define CONTEXT __attribute__((swift_async_context)) void *
typedef __attribute__((swiftasynccall)) void (*resumption)(CONTEXT);

// An executor is passed as two words: the actor, and its table of witnesses.
typedef __attribute__((swiftasynccall)) void (*task_switch)(CONTEXT, resumption, void *, const void *);

static task_switch before_switch(void) {
    static task_switch real;
    if (!real) real = (task_switch)dlsym(RTLD_NEXT, "swift_task_switch");
    if (vt_inside()) vt_step("swift_task_switch");
    return real;
}

/// The call in its place must be the last one: the task's frame is on the thread's stack no longer.
__attribute__((weak, swiftasynccall)) void swift_task_switch(CONTEXT context, resumption resume, void *actor, const void *witnesses) {
    return before_switch()(context, resume, actor, witnesses);
}
#endif
#endif

__attribute__((weak)) intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t deadline) {
    static intptr_t (*real)(void *, uint64_t);
    if (!real) real = (intptr_t (*)(void *, uint64_t))dlsym(RTLD_NEXT, "dispatch_semaphore_wait");
    if (vt_inside()) vt_step("dispatch_semaphore_wait");
    return real(semaphore, deadline);
}
#endif
