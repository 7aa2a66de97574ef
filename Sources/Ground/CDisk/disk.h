// Declarations shared by the files of this module.
#pragma once
#include "CDisk.h"

#include <sqlite3.h>
#include <sys/types.h>
#include <time.h>

enum { MAXIMUM_PATH = 1024 };

// https://sqlite.org/walformat.html: the header of a frame, which is followed by its page.
enum { FRAME_HEADER = 24 };

// The state of checkpoints as recorded in the index of a log.
typedef struct {
    uint32_t words[4];
} checkpoint;

// The shim's data of a file, stored after SQLite's file object.
typedef struct {
    sqlite3_io_methods methods;
    const sqlite3_io_methods *real;
    char path[MAXIMUM_PATH];
    int is_log;
    // The minimum size of a log in bytes, unless it was truncated.
    sqlite3_int64 size;
    // The identity of the file when it was opened; 0 and 0 if unknown.
    dev_t device;
    ino_t inode;
    // The state of a database after SQLite's last known write, by this connection or, according to the index, by
    // another.
    struct timespec modified;
    off_t length;
    uint32_t application;
    checkpoint noted;
    // True if this connection has written to it since.
    int is_written;
    // The header of a log's frame that waits for its page, and its place; 0 for none.
    unsigned char header[FRAME_HEADER];
    sqlite3_int64 header_place;
} extra;

// Returns the shim's data of a file; NULL if the file is not open or not the shim's.
extra *watchlink_disk_extra(sqlite3_file *file);

// Returns the injected result code of an operation on a file, `error` for a broken disk; SQLITE_OK without a fault.
int watchlink_disk_meet(const char *path, int error);

// Records the identity and the state of the file at a path.
void watchlink_note_place(sqlite3_file *file, extra *more, const char *path);

// Extends a log beyond `end`, the end of the next write, so that most commits need not extend it.
void watchlink_log_grow(sqlite3_file *file, extra *more, sqlite3_int64 end);

// Writes to a file; a log's frame in one piece.
int watchlink_log_write(sqlite3_file *file, extra *more, const void *bytes, int count, sqlite3_int64 offset);

// Writes what `watchlink_log_write` holds back.
int watchlink_log_flush(sqlite3_file *file, extra *more);
