// What the parts of this module know of each other.
#pragma once
#include "CDisk.h"

#include <sqlite3.h>

enum { MAXIMUM_PATH = 1024 };

// Behind SQLite's own file object.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
    char path[MAXIMUM_PATH];
    int is_log;
    // Bytes that a log has at least, when nobody made it shorter.
    sqlite3_int64 size;
} extra;

// The result code that an operation on a file meets, `error` where a disk is broken; SQLITE_OK for none.
int watchlink_disk_meet(const char *path, int error);

// Makes a log longer than is needed for what is about to be written up to `end`, so that most commits do not.
void watchlink_log_grow(sqlite3_file *file, extra *more, sqlite3_int64 end);
