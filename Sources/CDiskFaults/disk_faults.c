// A file system for SQLite that fails on demand. Each file keeps SQLite's own object; only its table of methods is replaced
// by a copy in which writing, truncating and syncing ask first.
#include "CDiskFaults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>

enum {
    // Devices of one process: a test has a phone and some watches.
    MAXIMUM_DIRECTORIES = 64,
    MAXIMUM_PATH = 1024,
};

typedef struct {
    char directory[MAXIMUM_PATH];
    size_t length;
    int fault;
    int64_t writes;
} rule;

// Behind SQLite's own file object.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
    char path[MAXIMUM_PATH];
} extra;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rule rules[MAXIMUM_DIRECTORIES];
static int rule_count = 0;
// Looked at without the lock: most processes never ask for a fault.
static atomic_int has_rules = 0;

static sqlite3_vfs *real_vfs = NULL;
static sqlite3_vfs shim;
static int install_code = SQLITE_ERROR;

static extra *extra_of(sqlite3_file *file) { return (extra *)((char *)file + real_vfs->szOsFile); }

// The result code that an operation on a file meets; SQLITE_OK for none.
static int meet(sqlite3_file *file, int error) {
    if (!atomic_load_explicit(&has_rules, memory_order_acquire)) return SQLITE_OK;
    const char *path = extra_of(file)->path;
    int result = SQLITE_OK;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < rule_count; index++) {
        rule *found = &rules[index];
        if (found->fault == WATCHLINK_DISK_GOOD || strncmp(path, found->directory, found->length) != 0) continue;
        if (found->writes > 0) {
            found->writes--;
            break;
        }
        switch (found->fault) {
        case WATCHLINK_DISK_FULL: result = SQLITE_FULL; break;
        case WATCHLINK_DISK_READ_ONLY: result = SQLITE_READONLY; break;
        default: result = error;
        }
        break;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = meet(file, SQLITE_IOERR_WRITE);
    return code != SQLITE_OK ? code : extra_of(file)->real->xWrite(file, bytes, count, offset);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
    int code = meet(file, SQLITE_IOERR_TRUNCATE);
    return code != SQLITE_OK ? code : extra_of(file)->real->xTruncate(file, size);
}

static int fault_sync(sqlite3_file *file, int flags) {
    int code = meet(file, SQLITE_IOERR_FSYNC);
    return code != SQLITE_OK ? code : extra_of(file)->real->xSync(file, flags);
}

static int shim_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    int code = real_vfs->xOpen(real_vfs, path, file, flags, out_flags);
    if (file->pMethods == NULL) return code;
    extra *more = extra_of(file);
    more->real = file->pMethods;
    more->methods = *file->pMethods;
    more->methods.xWrite = fault_write;
    more->methods.xTruncate = fault_truncate;
    more->methods.xSync = fault_sync;
    // A temporary file has no name, and belongs to no directory.
    more->path[0] = 0;
    if (path != NULL) strncat(more->path, path, MAXIMUM_PATH - 1);
    file->pMethods = &more->methods;
    return code;
}

static void install(void) {
    real_vfs = sqlite3_vfs_find(NULL);
    if (real_vfs == NULL) return;
    // The methods that are not replaced are given SQLite's own object as theirs: they look at what lies in it.
    shim = *real_vfs;
    shim.zName = "watchlink-faults";
    shim.szOsFile = real_vfs->szOsFile + (int)sizeof(extra);
    shim.xOpen = shim_open;
    shim.pNext = NULL;
    install_code = sqlite3_vfs_register(&shim, 1);
}

int watchlink_disk_faults_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return install_code;
}

int watchlink_disk_faults_set(const char *directory, int fault, int64_t writes) {
    size_t length = strlen(directory);
    if (length >= MAXIMUM_PATH) return -1;
    pthread_mutex_lock(&lock);
    int index = 0;
    while (index < rule_count && strcmp(rules[index].directory, directory) != 0) index++;
    int result = index < MAXIMUM_DIRECTORIES ? 0 : -1;
    if (result == 0) {
        memcpy(rules[index].directory, directory, length + 1);
        rules[index].length = length;
        rules[index].fault = fault;
        rules[index].writes = writes;
        if (index == rule_count) rule_count++;
        atomic_store_explicit(&has_rules, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return result;
}
