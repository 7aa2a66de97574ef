#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "virtual_time_launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// Above all descriptors of a started program, so that no copy overwrites the source of another.
#define FIRST_FREE_DESCRIPTOR 16
#define COPIES 3

static int prepare_files(posix_spawn_file_actions_t *actions, const virtual_time_launch *launch, const int *copies) {
    int error = posix_spawn_file_actions_addchdir_np(actions, launch->directory);
    if (!error) error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, copies[0], STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, copies[1], STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, copies[2], VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR);
    // Including descriptors that a library of the caller opened without close-on-exec.
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR + 1);
    return error;
}

static int prepare_signals(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
    if (!error) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

/// A child inherits the personality of the thread that starts it.
static int spawn_without_randomization(
    pid_t *process, const virtual_time_launch *launch, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes) {
    int before = personality(0xFFFFFFFF);
    bool is_changed = before != -1 && personality((unsigned long)before | ADDR_NO_RANDOMIZE) != -1;
    int error = posix_spawn(process, launch->executable, actions, attributes, launch->arguments, launch->environment);
    if (is_changed) personality((unsigned long)before);
    return error;
}

static int spawn(pid_t *process, const virtual_time_launch *launch, const int *copies) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    posix_spawnattr_t attributes;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = prepare_files(&actions, launch, copies);
        if (!error) error = prepare_signals(&attributes);
        if (!error) error = spawn_without_randomization(process, launch, &actions, &attributes);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/// Returns the process's handle, or -1 and errno; the process is then killed.
static int handle_of(pid_t process) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle >= 0) return handle;
    int error = errno;
    kill(-process, SIGKILL);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    errno = error;
    return -1;
}

int virtual_time_take_watches(const virtual_time_process *process, int *watches, int most) {
    char path[64], name[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process->identifier);
    DIR *descriptors = opendir(path);
    if (!descriptors) return 0;
    int count = 0;
    for (struct dirent *entry; count < most && (entry = readdir(descriptors));) {
        ssize_t length = readlinkat(dirfd(descriptors), entry->d_name, name, sizeof name - 1);
        if (length < 0) continue;
        name[length] = 0;
        if (strcmp(name, "anon_inode:inotify") != 0) continue;
        int watch = (int)syscall(SYS_pidfd_getfd, process->handle, atoi(entry->d_name), 0);
        if (watch >= 0) watches[count++] = watch;
    }
    closedir(descriptors);
    return count;
}

bool virtual_time_kill_process(int process, unsigned milliseconds) {
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) return errno == ESRCH;
    syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0);
    struct pollfd end = {handle, POLLIN, 0};
    bool is_dead = poll(&end, 1, (int)milliseconds) == 1;
    close(handle);
    return is_dead;
}

bool virtual_time_start_process(const virtual_time_launch *launch, virtual_time_process *process) {
    const int sources[COPIES] = {launch->output, launch->errors, launch->conductor};
    int copies[COPIES] = {-1, -1, -1}, error = 0;
    for (int i = 0; i < COPIES && !error; i++) {
        copies[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
        if (copies[i] < 0) error = errno;
    }
    pid_t child = -1;
    if (!error) error = spawn(&child, launch, copies);
    for (int i = 0; i < COPIES; i++)
        if (copies[i] >= 0) close(copies[i]);
    if (error) {
        errno = error;
        return false;
    }
    int handle = handle_of(child);
    *process = (virtual_time_process){.identifier = child, .handle = handle};
    return handle >= 0;
}
