#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// On a full disk no file can grow. Files can still be created and overwritten, since neither takes space. Writes
// through C's streams (fwrite) bypass this.

static dev_t disk;
static bool is_known;

void vt_begin_disk(void) {
    struct stat status;
    is_known = REAL(stat)(".", &status) == 0;
    disk = status.st_dev;
}

/// Standard streams do not count: they are for people, and not on the program's disk.
static bool is_on_disk(int descriptor, struct stat *status) {
    return descriptor > STDERR_FILENO && is_known && REAL(fstat)(descriptor, status) == 0 && S_ISREG(status->st_mode)
           && status->st_dev == disk;
}

static off64_t place_of(int descriptor, const struct stat *status) {
    if (vt_kernel(SYS_fcntl, descriptor, F_GETFL, 0) & O_APPEND) return status->st_size;
    return vt_kernel(SYS_lseek, descriptor, 0, SEEK_CUR);
}

bool vt_disk_is_full_for(int descriptor, off64_t offset, size_t count) {
    struct stat status;
    if (!vt.is_disk_full || count == 0 || !is_on_disk(descriptor, &status)) return false;
    if (offset < 0) offset = place_of(descriptor, &status);
    // This form of the comparison cannot overflow.
    if (offset < status.st_size && count <= (size_t)(status.st_size - offset)) return false;
    errno = ENOSPC;
    return true;
}

int fallocate(int descriptor, int mode, off_t offset, off_t count) {
    if (vt_inside() && count > 0 && vt_disk_is_full_for(descriptor, offset, (size_t)count)) return -1;
    return REAL(fallocate)(descriptor, mode, offset, count);
}

int posix_fallocate(int descriptor, off_t offset, off_t count) {
    if (vt_inside() && count > 0 && vt_disk_is_full_for(descriptor, offset, (size_t)count)) return ENOSPC;
    return REAL(posix_fallocate)(descriptor, offset, count);
}

ssize_t copy_file_range(int source, off64_t *from, int target, off64_t *to, size_t count, unsigned flags) {
    if (vt_inside() && vt_disk_is_full_for(target, to ? *to : -1, count)) return -1;
    return REAL(copy_file_range)(source, from, target, to, count, flags);
}

ssize_t sendfile(int target, int source, off_t *from, size_t count) {
    if (vt_inside() && vt_disk_is_full_for(target, -1, count)) return -1;
    return REAL(sendfile)(target, source, from, count);
}
#endif
