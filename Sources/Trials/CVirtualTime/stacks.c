#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

// Each thread records its own stack, in a signal handler.

// Deeper frames add nothing.
#define MOST_FRAMES 40
// The handler, and the frame that called it.
#define HANDLER_FRAMES 2
// The time to wait for a thread's stack; a thread that cannot respond is left out.
#define PATIENCE_MILLISECONDS 200

// The bounds of this library's code, from the linker.
extern const char __start_virtual_time_code[] __attribute__((visibility("hidden")));
extern const char __stop_virtual_time_code[] __attribute__((visibility("hidden")));

static void *frames[MOST_FRAMES];
static int frame_count;
static int is_written;  // a futex

static void write_down(int signal) {
    (void)signal;
    frame_count = backtrace(frames, MOST_FRAMES);
    __atomic_store_n(&is_written, 1, __ATOMIC_RELEASE);
}

// The workers of libdispatch block all signals except those for faults.
#define STACK_SIGNAL SIGSYS

static bool ask(const vt_thread *thread) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = write_down;
    action.sa_flags = SA_RESTART;
    if (sigaction(STACK_SIGNAL, &action, &old) != 0) return false;
    __atomic_store_n(&is_written, 0, __ATOMIC_RELEASE);
    if (vt_kernel(SYS_tgkill, vt.process, thread->kernel_id, STACK_SIGNAL) != 0) return false;
    const struct timespec pause = {0, 1000000};
    bool is_known = false;
    for (int i = 0; i < PATIENCE_MILLISECONDS && !is_known; i++) {
        is_known = __atomic_load_n(&is_written, __ATOMIC_ACQUIRE);
        if (!is_known) vt_kernel(SYS_nanosleep, &pause, 0);
    }
    // A thread that answers too late still needs the handler.
    if (is_known) sigaction(STACK_SIGNAL, &old, NULL);
    return is_known;
}

bool vt_is_own_code(const void *address) {
    const char *code = address;
    return code >= __start_virtual_time_code && code < __stop_virtual_time_code;
}

static size_t describe_frame(const void *address, char *text, size_t room) {
    Dl_info where;
    if (!dladdr(address, &where) || !where.dli_fname) return (size_t)snprintf(text, room, "      %p\n", address);
    const char *slash = strrchr(where.dli_fname, '/');
    const char *file = slash ? slash + 1 : where.dli_fname;
    long offset = (const char *)address - (const char *)where.dli_fbase;
    if (!where.dli_sname) return (size_t)snprintf(text, room, "      %s+0x%lx\n", file, offset);
    return (size_t)snprintf(text, room, "      %s+0x%lx %s\n", file, offset, where.dli_sname);
}

size_t vt_describe_frames(void *const *addresses, int count, char *text, size_t room) {
    size_t length = 0;
    for (int i = 0; i < count && length + 1 < room; i++)
        if (!vt_is_own_code(addresses[i])) length += describe_frame(addresses[i], text + length, room - length);
    return length < room ? length : room - 1;
}

size_t vt_describe_stack(const vt_thread *thread, char *text, size_t room) {
    return room < 2 || !ask(thread) ? 0 : vt_describe_frames(frames + HANDLER_FRAMES, frame_count - HANDLER_FRAMES, text, room);
}

bool vt_is_on_stack(const vt_thread *thread, const char *name) {
    if (!ask(thread)) return false;
    for (int i = HANDLER_FRAMES; i < frame_count; i++) {
        Dl_info where;
        if (dladdr(frames[i], &where) && where.dli_sname && strncmp(where.dli_sname, name, strlen(name)) == 0) return true;
    }
    return false;
}

size_t vt_describe_crash(char *text, size_t room) {
    if (room < 2) return 0;
    frame_count = backtrace(frames, MOST_FRAMES);
    int first = 0;
    while (first < frame_count && vt_is_own_code(frames[first])) first++;
    // The frame that called the handler is followed by the failed instruction; the others are addresses behind calls.
    first++;
    if (first < frame_count) frames[first] = (char *)frames[first] + 1;
    return vt_describe_frames(frames + first, frame_count - first, text, room);
}

void vt_stop_here(virtual_time_end end, const char *what) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    vt.outside = "a report";
    size_t used = (size_t)snprintf(text, sizeof text, "%s", what);
    used += vt_describe_stack(vt_self, text + used, sizeof text - used);
    vt_stop(end, text, used);
}
#endif
