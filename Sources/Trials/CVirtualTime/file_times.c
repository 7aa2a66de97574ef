#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <utime.h>

// The kernel writes real times into a file. The world overwrites them before they can be read: when a descriptor that
// was written to is closed, and when the times of any file are requested. Times of today that the world did not write
// itself appear as the beginning of the world.

// Writes through higher descriptors are not tracked; their files show the beginning of the world.
#define MOST_DESCRIPTORS 1024
// Files up to this old at the beginning of the world may belong to it: made by a test, or by the program's last life.
#define MADE_FOR_THE_WORLD (86400)

static int64_t changed[MOST_DESCRIPTORS];  // the time of the change on the world's calendar; 0: unchanged
static int changed_count;
static int64_t real_beginning;             // seconds since 1970

static struct timespec to_timespec(int64_t time) { return (struct timespec){time / 1000000000, time % 1000000000}; }

void vt_begin_file_times(void) {
    struct timespec now;
    vt_kernel(SYS_clock_gettime, CLOCK_REALTIME, &now);
    real_beginning = now.tv_sec - MADE_FOR_THE_WORLD;
}

void vt_file_was_changed(int descriptor) {
    vt_file_is_changing(descriptor);
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return;
    if (!changed[descriptor]) changed_count++;
    changed[descriptor] = vt_calendar();
}

void vt_write_file_time(int descriptor) {
    if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS || !changed[descriptor]) return;
    const struct timespec time = to_timespec(changed[descriptor]);
    const struct timespec both[2] = {time, time};
    changed[descriptor] = 0;
    changed_count--;
    struct stat status;
    if (REAL(fstat)(descriptor, &status) == 0 && S_ISREG(status.st_mode)) vt_kernel(SYS_utimensat, descriptor, NULL, both, 0);
}

static void write_all_file_times(void) {
    for (int i = 0; changed_count > 0 && i < MOST_DESCRIPTORS; i++) vt_write_file_time(i);
}

static bool is_of_today(const struct timespec *time) {
    struct timespec now;
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    return time->tv_sec >= real_beginning && time->tv_sec <= now.tv_sec;
}

static void show(struct timespec *time) {
    if (is_of_today(time)) *time = to_timespec(vt.settings.epoch);
}

static int shown(int result, struct stat *status) {
    if (result != 0) return result;
    show(&status->st_atim);
    show(&status->st_mtim);
    // The change time cannot be written; it is never before the modification time.
    if (is_of_today(&status->st_ctim)) status->st_ctim = status->st_mtim;
    status->st_ino = vt_file_number(status->st_dev, status->st_ino);
    return result;
}

#define STAT(name, parameters, arguments) \
    int name parameters { \
        if (!vt_inside()) return REAL(name) arguments; \
        write_all_file_times(); \
        return shown(REAL(name) arguments, (struct stat *)status); \
    }
// Both structures are the same on the supported machines.
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one function handles both structures");
STAT(stat, (const char *restrict path, struct stat *restrict status), (path, status))
STAT(lstat, (const char *restrict path, struct stat *restrict status), (path, status))
STAT(fstat, (int descriptor, struct stat *status), (descriptor, status))
STAT(fstatat, (int folder, const char *restrict path, struct stat *restrict status, int flags), (folder, path, status, flags))
STAT(stat64, (const char *restrict path, struct stat64 *restrict status), (path, status))
STAT(lstat64, (const char *restrict path, struct stat64 *restrict status), (path, status))
STAT(fstat64, (int descriptor, struct stat64 *status), (descriptor, status))
STAT(fstatat64, (int folder, const char *restrict path, struct stat64 *restrict status, int flags), (folder, path, status, flags))

static void show_extended(struct statx_timestamp *time) {
    struct timespec simple = {time->tv_sec, time->tv_nsec};
    show(&simple);
    time->tv_sec = simple.tv_sec;
    time->tv_nsec = (uint32_t)simple.tv_nsec;
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict status) {
    if (!vt_inside()) return REAL(statx)(folder, path, flags, mask, status);
    write_all_file_times();
    int result = REAL(statx)(folder, path, flags, mask, status);
    if (result != 0) return result;
    show_extended(&status->stx_atime);
    show_extended(&status->stx_mtime);
    show_extended(&status->stx_btime);
    struct timespec change = {status->stx_ctime.tv_sec, status->stx_ctime.tv_nsec};
    if (is_of_today(&change)) status->stx_ctime = status->stx_mtime;
    status->stx_ino = vt_file_number(makedev(status->stx_dev_major, status->stx_dev_minor), status->stx_ino);
    return result;
}

// ---- Setting times: “now” is the world's time

static const struct timespec *or_now(const struct timespec given[2], struct timespec filled[2]) {
    for (int i = 0; i < 2; i++) {
        bool is_now = !given || given[i].tv_nsec == UTIME_NOW;
        filled[i] = is_now ? to_timespec(vt_calendar()) : given[i];
    }
    return filled;
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
    if (!vt_inside()) return REAL(utimensat)(folder, path, times, flags);
    struct timespec filled[2];
    write_all_file_times();
    return REAL(utimensat)(folder, path, or_now(times, filled), flags);
}

int futimens(int descriptor, const struct timespec times[2]) {
    if (!vt_inside()) return REAL(futimens)(descriptor, times);
    struct timespec filled[2];
    write_all_file_times();
    return REAL(futimens)(descriptor, or_now(times, filled));
}

int utimes(const char *path, const struct timeval times[2]) {
    if (!vt_inside()) return REAL(utimes)(path, times);
    const struct timespec now = to_timespec(vt_calendar());
    const struct timeval both[2] = {{now.tv_sec, now.tv_nsec / 1000}, {now.tv_sec, now.tv_nsec / 1000}};
    write_all_file_times();
    return REAL(utimes)(path, times ? times : both);
}

// ---- Writing at an offset

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    if (vt_inside()) {
        if (vt_disk_is_full_for(descriptor, offset, count)) return -1;
        vt_file_was_changed(descriptor);
    }
    return REAL(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    if (vt_inside()) {
        if (vt_disk_is_full_for(descriptor, offset, count)) return -1;
        vt_file_was_changed(descriptor);
    }
    return REAL(pwrite64)(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
    if (vt_inside()) vt_file_was_changed(descriptor);
    return REAL(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
    if (vt_inside()) vt_file_was_changed(descriptor);
    return REAL(ftruncate64)(descriptor, length);
}
#endif
