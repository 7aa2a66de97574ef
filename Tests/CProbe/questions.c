#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// As code that is compiled with _FORTIFY_SOURCE calls them.
extern ssize_t __read_chk(int, void *, size_t, size_t);
extern int __poll_chk(struct pollfd *, nfds_t, int, size_t);

static char line[256];

static void ask_for_names(void) {
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *found = NULL;
    int error = getaddrinfo("127.0.0.1", "80", &hints, &found);
    char host[64] = "", service[16] = "";
    if (error == 0) {
        getnameinfo(
            found->ai_addr, found->ai_addrlen, host, sizeof host, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV);
        freeaddrinfo(found);
    }
    snprintf(line, sizeof line, "name: %d, %s, %s", error, host, service);
    virtual_time_trace(line);
}

static void *give_back(void *file) {
    sleep(30);
    lockf(*(int *)file, F_ULOCK, 0);
    return NULL;
}

/// Locks of one process do not stand in its own way: locks of open files do.
static void lock_records(void) {
    int one = open("records", O_RDWR | O_CREAT, 0600), other = open("records", O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(one, F_OFD_SETLK, &lock);
    int at_once = fcntl(other, F_OFD_SETLK, &lock);
    bool is_held = at_once < 0 && (errno == EAGAIN || errno == EACCES);
    pthread_t thread;
    pthread_create(&thread, NULL, give_back, &one);
    int own = lockf(one, F_TLOCK, 0);
    lock.l_type = F_UNLCK;
    fcntl(one, F_OFD_SETLK, &lock);
    lock.l_type = F_WRLCK;
    int later = fcntl(other, F_OFD_SETLKW, &lock);
    pthread_join(thread, NULL);
    snprintf(line, sizeof line, "records: held %d, own %d, later %d", is_held, own, later);
    virtual_time_trace(line);
}

static void look_at_files(void) {
    struct statx more;
    int error = statx(AT_FDCWD, "records", 0, STATX_MTIME, &more);
    snprintf(line, sizeof line, "statx: %d, %lld", error, (long long)more.stx_mtime.tv_sec);
    virtual_time_trace(line);
}

void probe_questions(void) {
    ask_for_names();
    lock_records();
    look_at_files();
    double load[3];
    int pipes[2];
    pipe(pipes);
    struct pollfd one = {pipes[0], POLLIN, 0};
    int none = __poll_chk(&one, 1, 4000, sizeof one);
    write(pipes[1], "abc", 3);
    char text[4] = "";
    ssize_t count = __read_chk(pipes[0], text, 3, sizeof text);
    snprintf(line, sizeof line, "checked: %d, %zd, %s", none, count, text);
    virtual_time_trace(line);
    int loads = getloadavg(load, 3);
    long ring = syscall(SYS_io_uring_setup, 1, NULL);
    bool is_unknown = ring < 0 && errno == ENOSYS;
    snprintf(line, sizeof line, "parent %d, loads %d: %.2f, no rings %d", getppid(), loads, load[0], is_unknown);
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}

static void *wait_long(void *nothing) {
    pause();
    return nothing;
}

void probe_cancellation(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_long, NULL);
    sleep(1);
    pthread_cancel(thread);
}
