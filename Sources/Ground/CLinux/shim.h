#pragma once
// Functions of glibc that Swift's Glibc module does not export: epoll, eventfd, timerfd, getrandom, getopt_long,
// accept4, a peer's credentials.
// _GNU_SOURCE must stay undefined: it changes types that Swift has already imported without it.
#include <getopt.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/socket.h>
#include <sys/types.h>

/// optind, optarg and optopt are mutable globals, which Swift 6 rejects; these functions read and set them.
static inline int watchlink_getopt_index(void) { return optind; }
static inline void watchlink_getopt_restart(void) { optind = 0; opterr = 0; }
static inline const char *watchlink_getopt_argument(void) { return optarg; }
static inline int watchlink_getopt_offender(void) { return optopt; }

/// `struct ucred` and accept4 require _GNU_SOURCE.
typedef struct { pid_t process; uid_t user; gid_t group; } watchlink_credentials;
static inline int watchlink_peer_credentials(int descriptor, watchlink_credentials *credentials) {
    struct { pid_t pid; uid_t uid; gid_t gid; } kernel = {0, 0, 0};
    socklen_t length = sizeof kernel;
    int result = getsockopt(descriptor, SOL_SOCKET, 17 /* SO_PEERCRED */, &kernel, &length);
    credentials->process = kernel.pid;
    credentials->user = kernel.uid;
    credentials->group = kernel.gid;
    return result;
}

/// SO_PEERGROUPS from <asm-generic/socket.h>, all groups of a peer; not every glibc defines it.
static const int watchlink_peer_groups = 59;

/// Pins this thread, and those that it starts, to one core. sched_setaffinity and its macros require _GNU_SOURCE, too.
#include <sys/syscall.h>
#include <unistd.h>
static inline int watchlink_pin(int core) {
    unsigned long mask = 1UL << core;
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof mask, &mask);
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
static inline int watchlink_accept(int descriptor) {
    return accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Sleeps until a descriptor is readable, for at most this time. ppoll requires _GNU_SOURCE, too.
#include <poll.h>
#include <time.h>
static inline void watchlink_nap(int descriptor, long nanoseconds) {
    struct pollfd watched = {descriptor, POLLIN, 0};
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    syscall(SYS_ppoll, &watched, 1, &time, NULL, 0);
}

/// Names the calling thread. prctl is variadic, which Swift does not import.
#include <sys/prctl.h>
static inline void watchlink_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0UL, 0UL, 0UL); }

/// Makes the calling thread one that processes data in the background: when it wakes, it does not interrupt a thread that
/// runs, but its share of the processor stays the same. SCHED_BATCH from <linux/sched.h>; sched_setscheduler's macros
/// require _GNU_SOURCE.
static inline int watchlink_never_interrupt(void) {
    int priority = 0;
    return (int)syscall(SYS_sched_setscheduler, 0, 3 /* SCHED_BATCH */, &priority);
}

/// Makes the kernel end this process when the thread that started it ends.
#include <signal.h>
static inline void watchlink_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL); }

/// Sets the calling thread's timer slack to 1 µs; by default naps last up to 50 µs too long.
static inline void watchlink_nap_precisely(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); }

/// Creates a file without a name that exists as long as a descriptor is open; -1 and errno if there is no memory.
/// memfd_create requires _GNU_SOURCE, too.
static inline int watchlink_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */); }

/// The calls that led to the calling function, the innermost first: the addresses to which they return.
#include <execinfo.h>

/// The image that contains an address. dladdr requires _GNU_SOURCE, too.
typedef struct { const char *file; void *base; const char *symbol; void *symbol_address; } watchlink_image;
int watchlink_image_of(const void *address, watchlink_image *image) __asm__("dladdr");

/// The kernel's number of the calling thread, and a signal to one thread. syscall is variadic.
static inline int watchlink_thread(void) { return (int)syscall(SYS_gettid); }
static inline int watchlink_signal_thread(int thread, int number) {
    return (int)syscall(SYS_tgkill, getpid(), thread, number);
}

/// Asks for memory that is about to be written, without waiting for it. Any address is allowed.
static inline void watchlink_prefetch_for_writing(const void *address) { __builtin_prefetch(address, 1); }

/// A number of the calling thread among those that run; 0 for the main thread. Asking the kernel takes longer than all else
/// in an event of a recording: each thread asks once.
static inline unsigned long watchlink_thread_identity(void) {
    static __thread unsigned long known = 1;
    if (known == 1) known = syscall(SYS_gettid) == getpid() ? 0 : (unsigned long)pthread_self();
    return known;
}

/// A variable of the calling thread, for one file of Swift only: each that calls this can have its own.
static inline unsigned long *watchlink_thread_caller(void) {
    static __thread unsigned long caller;
    return &caller;
}
