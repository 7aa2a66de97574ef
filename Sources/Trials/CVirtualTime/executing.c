#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>

// A program that becomes another one would leave the world: the other would run in real time, and never report.

static void refuse_in_world(const char *path) {
    if (!vt_inside()) return;
    static char text[VIRTUAL_TIME_MOST_TEXT];
    int length = snprintf(
        text, sizeof text,
        "virtual time: the program executes another one in its place, %.200s, which would run in real time.\n"
        "Start that one itself; a shell's script can start it without “exec”.\n",
        path ? path : "by a descriptor");
    vt_stop(virtual_time_end_uncontrolled, text, (size_t)length);
}

int execve(const char *path, char *const arguments[], char *const variables[]) {
    refuse_in_world(path);
    return REAL(execve)(path, arguments, variables);
}

int execv(const char *path, char *const arguments[]) {
    refuse_in_world(path);
    return REAL(execv)(path, arguments);
}

int execvp(const char *file, char *const arguments[]) {
    refuse_in_world(file);
    return REAL(execvp)(file, arguments);
}

int execvpe(const char *file, char *const arguments[], char *const variables[]) {
    refuse_in_world(file);
    return REAL(execvpe)(file, arguments, variables);
}

int fexecve(int descriptor, char *const arguments[], char *const variables[]) {
    refuse_in_world(NULL);
    return REAL(fexecve)(descriptor, arguments, variables);
}
#endif
