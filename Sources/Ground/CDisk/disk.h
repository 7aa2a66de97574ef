// What the parts of this module know of each other.
#pragma once
#include "CDisk.h"

#include <sqlite3.h>
#include <sys/types.h>
#include <time.h>

enum { MAXIMUM_PATH = 1024 };

// What the index of a log says of writing it into its database.
typedef struct {
    uint32_t words[4];
} checkpoint;

// Behind SQLite's own file object.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
    char path[MAXIMUM_PATH];
    int is_log;
    // Bytes that a log has at least, when nobody made it shorter.
    sqlite3_int64 size;
    // Which file the path named when it was opened; 0 and 0 if that is not known.
    dev_t device;
    ino_t inode;
    // How a database was when SQLite was last known to have written to it: by this connection, or by another by the index.
    struct timespec modified;
    off_t length;
    uint32_t application;
    checkpoint noted;
    // Whether this connection has written to it since.
    int is_written;
} extra;

// What the shim keeps of a file; NULL for one that is not open, or not the shim's.
extra *watchlink_disk_extra(sqlite3_file *file);

// The result code that an operation on a file meets, `error` where a disk is broken; SQLITE_OK for none.
int watchlink_disk_meet(const char *path, int error);

// Remembers which file a path names, and how it is.
void watchlink_note_place(sqlite3_file *file, extra *more, const char *path);

// Makes a log longer than is needed for what is about to be written up to `end`, so that most commits do not.
void watchlink_log_grow(sqlite3_file *file, extra *more, sqlite3_int64 end);
