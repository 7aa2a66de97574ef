// A file system for SQLite: the default one, except that logs grow ahead of need and that writes fail on demand. Each
// file keeps SQLite's object; only its method table is replaced by a copy with different functions for writing,
// truncating and syncing.
#include "disk.h"

#include <pthread.h>
#include <string.h>

static sqlite3_vfs *real_vfs = NULL;
static sqlite3_vfs shim;
static int install_code = SQLITE_ERROR;

static extra *extra_of(sqlite3_file *file) { return (extra *)((char *)file + real_vfs->szOsFile); }

static int shim_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    extra *more = extra_of(file);
    int code = watchlink_disk_meet(more->path, SQLITE_IOERR_WRITE);
    if (code != SQLITE_OK) return code;
    more->is_written = 1;
    watchlink_log_grow(file, more, offset + count);
    return watchlink_log_write(file, more, bytes, count, offset);
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size) {
    extra *more = extra_of(file);
    int code = watchlink_disk_meet(more->path, SQLITE_IOERR_TRUNCATE);
    if (code != SQLITE_OK) return code;
    more->size = 0;
    more->is_written = 1;
    code = watchlink_log_flush(file, more);
    return code != SQLITE_OK ? code : more->real->xTruncate(file, size);
}

static int shim_sync(sqlite3_file *file, int flags) {
    extra *more = extra_of(file);
    int code = watchlink_disk_meet(more->path, SQLITE_IOERR_FSYNC);
    if (code == SQLITE_OK) code = watchlink_log_flush(file, more);
    return code != SQLITE_OK ? code : more->real->xSync(file, flags);
}

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    int code = real_vfs->xOpen(real_vfs, path, file, flags, out_flags);
    if (file->pMethods == NULL) return code;
    extra *more = extra_of(file);
    more->real = file->pMethods;
    more->methods = *file->pMethods;
    more->methods.xWrite = shim_write;
    more->methods.xTruncate = shim_truncate;
    more->methods.xSync = shim_sync;
    // A temporary file has no name, and belongs to no directory.
    more->path[0] = 0;
    if (path != NULL) strncat(more->path, path, MAXIMUM_PATH - 1);
    more->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    more->size = 0;
    more->header_place = 0;
    watchlink_note_place(file, more, path);
    file->pMethods = &more->methods;
    return code;
}

extra *watchlink_disk_extra(sqlite3_file *file) {
    if (file == NULL || file->pMethods == NULL) return NULL;
    extra *more = extra_of(file);
    return file->pMethods == &more->methods ? more : NULL;
}

static void install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) return;
    // The methods that are not replaced receive SQLite's own object and read its fields.
    shim = *real_vfs;
    shim.zName = "watchlink-disk";
    shim.szOsFile = real_vfs->szOsFile + (int)sizeof(extra);
    shim.xOpen = shim_open;
    shim.pNext = NULL;
    install_code = sqlite3_vfs_register(&shim, 1);
}

int watchlink_disk_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return install_code;
}
