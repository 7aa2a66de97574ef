#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdarg.h>
#include <sys/file.h>

// File locks. A thread tries without blocking, and waits in the world until a lock is released.

// The retry interval: another process under the conductor releases its locks unnoticed.
#define RETRY_NANOSECONDS 10000000

/// Threads that wait for a lock wait on this address.
static const char any_lock;

/// Returns false if a signal arrived first.
static bool wait_for_lock(const char *call) {
    vt_wait wait = {
        .subject = vt_on_address, .call = call, .address = &any_lock, .bits = ~0u, .interruptible = true,
        .deadline = vt.conductor >= 0 ? vt.now + RETRY_NANOSECONDS : VT_NEVER,
    };
    if (vt_block(&wait) != vt_signalled) return true;
    errno = EINTR;
    return false;
}

void vt_file_lock_was_given_back(void) { vt_wake_address(&any_lock, ~0u, INT32_MAX); }

int flock(int descriptor, int operation) {
    if (!vt_inside()) return REAL(flock)(descriptor, operation);
    vt_step("flock");
    if (operation & (LOCK_NB | LOCK_UN)) {
        int result = REAL(flock)(descriptor, operation);
        if (operation & LOCK_UN) vt_file_lock_was_given_back();
        return result;
    }
    int result;
    while ((result = REAL(flock)(descriptor, operation | LOCK_NB)) != 0 && errno == EWOULDBLOCK)
        if (!wait_for_lock("flock")) return -1;
    return result;
}

static int lock_record(int (*control)(int, int, ...), int descriptor, int command, struct flock *lock) {
    int attempt = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    int result;
    while ((result = control(descriptor, attempt, lock)) != 0 && (errno == EAGAIN || errno == EACCES))
        if (!wait_for_lock("fcntl")) return -1;
    return result;
}

static int control(int (*real)(int, int, ...), int descriptor, int command, void *argument) {
    if (!vt_inside()) return real(descriptor, command, argument);
    if (command == F_SETLKW || command == F_OFD_SETLKW) {
        vt_step("fcntl");
        int result = lock_record(real, descriptor, command, argument);
        if (((const struct flock *)argument)->l_type == F_UNLCK) vt_file_lock_was_given_back();
        return result;
    }
    int result = real(descriptor, command, argument);
    bool may_unlock = command == F_SETLK || command == F_OFD_SETLK;
    if (may_unlock && ((const struct flock *)argument)->l_type == F_UNLCK) vt_file_lock_was_given_back();
    return result;
}

#define ARGUMENT_AFTER(last, argument) \
    va_list list; \
    va_start(list, last); \
    void *argument = va_arg(list, void *); \
    va_end(list);

int fcntl(int descriptor, int command, ...) {
    ARGUMENT_AFTER(command, argument)
    return control(REAL(fcntl), descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
    ARGUMENT_AFTER(command, argument)
    return control(REAL(fcntl64), descriptor, command, argument);
}

int lockf(int descriptor, int command, off_t length) {
    if (!vt_inside()) return REAL(lockf)(descriptor, command, length);
    int result;
    while ((result = REAL(lockf)(descriptor, command == F_LOCK ? F_TLOCK : command, length)) != 0
           && command == F_LOCK && (errno == EAGAIN || errno == EACCES))
        if (!wait_for_lock("lockf")) return -1;
    if (command == F_ULOCK) vt_file_lock_was_given_back();
    return result;
}
#endif
