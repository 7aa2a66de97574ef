#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <sys/mman.h>

// A shell takes none of the world's time. If its output is read, it has ended before the first byte is read; if its
// input is written, it begins after everything has been written.

#define MOST_PIPES 64

static struct shell {
    FILE *stream;
    char *command;  // of a shell that has not run yet
    int status;
} shells[MOST_PIPES];

/// Runs a command with a file as its standard input or output. Returns its status, or -1 and errno.
static int run(const char *command, int file, int as) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file, as);
    char *const words[] = {"sh", "-c", (char *)command, NULL};
    pid_t process = 0;
    int error = REAL(posix_spawn)(&process, "/bin/sh", &actions, NULL, words, environ), status = -1;
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
    while (REAL(waitpid)(process, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

/// Does the same while the world is stopped.
static int run_outside(const char *command, int file, int as) {
    lseek(file, 0, SEEK_SET);
    vt.may_signal = true;
    vt.outside = "a shell";
    int status = run(command, file, as);
    vt.outside = NULL;
    lseek(file, 0, SEEK_SET);
    return status;
}

int system(const char *command) {
    if (!vt_inside()) return REAL(system)(command);
    vt.may_signal = true;
    vt.outside = "system";
    int result = REAL(system)(command);
    vt.outside = NULL;
    return result;
}

static struct shell *free_shell(void) {
    for (int i = 0; i < MOST_PIPES; i++)
        if (!shells[i].stream) return &shells[i];
    errno = EMFILE;
    return NULL;
}

FILE *popen(const char *command, const char *mode) {
    if (!vt_inside()) return REAL(popen)(command, mode);
    if ((mode[0] != 'r' && mode[0] != 'w') || (mode[1] != 0 && mode[1] != 'e')) {
        errno = EINVAL;
        return NULL;
    }
    struct shell *shell = free_shell();
    int file = shell ? memfd_create("shell", MFD_CLOEXEC) : -1;
    if (file < 0) return NULL;
    bool reads = mode[0] == 'r';
    *shell = (struct shell){.command = reads ? NULL : strdup(command)};
    if (reads) shell->status = run_outside(command, file, STDOUT_FILENO);
    if (reads ? shell->status >= 0 : shell->command != NULL) shell->stream = fdopen(file, reads ? "r" : "w");
    if (shell->stream) return shell->stream;
    free(shell->command);
    close(file);
    return NULL;
}

int pclose(FILE *stream) {
    if (!vt_inside()) return REAL(pclose)(stream);
    for (int i = 0; i < MOST_PIPES; i++) {
        struct shell shell = shells[i];
        if (!stream || shell.stream != stream) continue;
        shells[i] = (struct shell){0};
        if (!shell.command) {
            fclose(stream);
            return shell.status;
        }
        fflush(stream);
        int status = run_outside(shell.command, fileno(stream), STDIN_FILENO);
        free(shell.command);
        fclose(stream);
        return status;
    }
    return REAL(pclose)(stream);
}
#endif
