// Writes down in which order files and their names are made durable, by standing before glibc's functions: a program's own come
// first, also for the libraries that it loads. Linked into the tests only.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CFileCalls.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHLINK_SANITIZED 1
#endif
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_on = 0;
static FILE *lines = NULL;
static char *text = NULL;
static size_t length = 0;

void watchlink_file_calls_begin(void) {
    pthread_mutex_lock(&lock);
    lines = open_memstream(&text, &length);
    atomic_store(&is_on, lines != NULL);
    pthread_mutex_unlock(&lock);
}

char *watchlink_file_calls_end(void) {
    pthread_mutex_lock(&lock);
    atomic_store(&is_on, 0);
    char *result = NULL;
    if (lines != NULL && fclose(lines) == 0) result = text;
    lines = NULL;
    pthread_mutex_unlock(&lock);
    return result;
}

#ifdef WATCHLINK_SANITIZED

int watchlink_file_calls_available(void) { return 0; }

#else

int watchlink_file_calls_available(void) { return 1; }

static void note(const char *call, const char *first, const char *second) {
    pthread_mutex_lock(&lock);
    if (lines != NULL) fprintf(lines, second == NULL ? "%s %s\n" : "%s %s %s\n", call, first, second);
    pthread_mutex_unlock(&lock);
}

static void note_descriptor(const char *call, int descriptor) {
    char name[64], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(name, path, sizeof path - 1);
    path[count > 0 ? count : 0] = 0;
    note(call, path, NULL);
}

// The functions of virtual time, which stand before glibc's, in a program that is linked with it.
extern int vt_fsync(int) __attribute__((weak));
extern int vt_fdatasync(int) __attribute__((weak));
extern int vt_rename(const char *, const char *) __attribute__((weak));

// The function behind this one.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define NEXT(name) (vt_##name != NULL ? vt_##name : REAL(name))

int fsync(int descriptor) {
    int result = NEXT(fsync)(descriptor);
    if (result == 0 && atomic_load(&is_on)) note_descriptor("fsync", descriptor);
    return result;
}

int fdatasync(int descriptor) {
    int result = NEXT(fdatasync)(descriptor);
    if (result == 0 && atomic_load(&is_on)) note_descriptor("fdatasync", descriptor);
    return result;
}

int rename(const char *from, const char *to) {
    int result = NEXT(rename)(from, to);
    if (result == 0 && atomic_load(&is_on)) note("rename", from, to);
    return result;
}

int link(const char *from, const char *to) {
    int result = REAL(link)(from, to);
    if (result == 0 && atomic_load(&is_on)) note("link", from, to);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int result = REAL(mkdir)(path, mode);
    if (result == 0 && atomic_load(&is_on)) note("mkdir", path, NULL);
    return result;
}

#endif
