#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/// libdispatch reads from /proc how many of its workers run. It must see the world's states, not the kernel's: the
/// other threads sleep in the kernel while one runs.
static int open_thread_status(const char *path, int flags) {
    int identifier;
    char name[8];
    if (strncmp(path, "/proc/", 6) != 0 || sscanf(path, "/proc/%d/%7s", &identifier, name) != 2 || strcmp(name, "stat") != 0) return -1;
    const vt_thread *thread = vt_thread_of_identifier(identifier);
    if (!thread) return -1;
    int file = (int)vt_kernel(SYS_memfd_create, "stat", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (file < 0) return -1;
    char text[64];
    int length = snprintf(text, sizeof text, "%d (world) %c 1 1 1 0", identifier, thread->state == vt_blocked ? 'S' : 'R');
    vt_kernel(SYS_pwrite64, file, text, length, 0);
    return file;
}

static bool is_random_device(const char *path) { return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0; }

/// Returns true if opening will change the file. Must be called before the file is opened.
static bool will_change(int folder, const char *path, int flags) {
    return flags & O_TRUNC || (flags & O_CREAT && vt_kernel(SYS_faccessat, folder, path, F_OK) != 0);
}

static int opened(int descriptor, const char *path, bool is_changed) {
    if (descriptor < 0) return descriptor;
    if (is_random_device(path)) vt_remember_random_file(descriptor);
    if (is_changed) vt_file_was_changed(descriptor);
    return descriptor;
}

#define MODE_OF(flags, mode) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { \
        va_list list; \
        va_start(list, flags); \
        mode = va_arg(list, mode_t); \
        va_end(list); \
    }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        MODE_OF(flags, mode) \
        if (!vt_inside()) return REAL(name)(path, flags, mode); \
        int status = open_thread_status(path, flags); \
        if (status >= 0) return status; \
        bool is_changed = will_change(AT_FDCWD, path, flags); \
        return opened(REAL(name)(path, flags, mode), path, is_changed); \
    }
OPEN(open)
OPEN(open64)

#define OPEN_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        MODE_OF(flags, mode) \
        if (!vt_inside()) return REAL(name)(folder, path, flags, mode); \
        bool is_changed = will_change(folder, path, flags); \
        return opened(REAL(name)(folder, path, flags, mode), path, is_changed); \
    }
OPEN_AT(openat)
OPEN_AT(openat64)

// ---- Streams of random devices, which glibc would read past the world

static ssize_t read_entropy(void *unused, char *bytes, size_t count) {
    (void)unused;
    vt_entropy(bytes, count);
    return (ssize_t)count;
}

#define OPEN_STREAM(name) \
    FILE *name(const char *restrict path, const char *restrict mode) { \
        if (!vt_inside() || !is_random_device(path)) return REAL(name)(path, mode); \
        return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_entropy}); \
    }
OPEN_STREAM(fopen)
OPEN_STREAM(fopen64)

// ---- Closing

static void forget(int descriptor) {
    vt_forget_timer(descriptor);
    vt_forget_random_file(descriptor);
    vt_forget_inherited(descriptor);
    vt_write_file_time(descriptor);
}

// Nothing is noted of descriptors from this number on.
#define MOST_NOTED 1024

void vt_descriptors_will_close(unsigned first, unsigned last) {
    for (unsigned i = first; i <= last && i < MOST_NOTED; i++) forget((int)i);
}

int close(int descriptor) {
    if (vt_inside()) {
        if (vt_is_own_descriptor(descriptor)) {
            errno = EBADF;
            return -1;
        }
        forget(descriptor);
    }
    int result = REAL(close)(descriptor);
    if (vt_inside()) {
        vt_may_be_ready();
        vt_file_lock_was_given_back();
    }
    return result;
}
#endif
