#pragma once
// What glibc has and Swift's Glibc module does not export: epoll, eventfd, timerfd, getrandom, getopt_long, accept4, a peer's credentials.
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

/// optind, optarg and optopt are mutable globals, which Swift 6 does not let through; these read and set them.
static inline int watchlink_getopt_index(void) { return optind; }
static inline void watchlink_getopt_restart(void) { optind = 0; opterr = 0; }
static inline const char *watchlink_getopt_argument(void) { return optarg; }
static inline int watchlink_getopt_offender(void) { return optopt; }

/// `struct ucred` and accept4 hide behind _GNU_SOURCE.
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

/// All groups of a peer, from <asm-generic/socket.h>, which not every glibc passes on.
static const int watchlink_peer_groups = 59;

/// sched_setaffinity and its macros hide behind _GNU_SOURCE as well: this thread, and those that it starts, run on one core.
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

/// ppoll hides there too: sleeps until a descriptor is ready, for so many nanoseconds at most.
#include <poll.h>
#include <time.h>
static inline void watchlink_nap(int descriptor, long nanoseconds) {
    struct pollfd watched = {descriptor, POLLIN, 0};
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    syscall(SYS_ppoll, &watched, 1, &time, NULL, 0);
}

/// prctl takes any number of arguments, which Swift does not import.
#include <sys/prctl.h>
static inline void watchlink_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0UL, 0UL, 0UL); }

/// The system ends this process when the thread that started it ends.
#include <signal.h>
static inline void watchlink_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL); }

/// The calling thread's naps end when they should: the system would let them last 50 µs longer.
static inline void watchlink_nap_precisely(void) { prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); }

/// memfd_create hides there too: a file that has no name and lives as long as somebody has it open; -1 and errno if there is no memory.
static inline int watchlink_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1U /* MFD_CLOEXEC */); }
