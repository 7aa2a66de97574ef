#pragma once
#include <stdint.h>

/// What the disk below a directory does to the databases there.
enum watchlink_disk_fault {
    WATCHLINK_DISK_GOOD = 0,
    /// Nothing can be written: SQLITE_FULL.
    WATCHLINK_DISK_FULL = 1,
    /// Writing and syncing fail: SQLITE_IOERR.
    WATCHLINK_DISK_ERROR = 2,
    /// Nothing may be written: SQLITE_READONLY.
    WATCHLINK_DISK_READ_ONLY = 3,
};

/// Puts the shim in front of SQLite's own file system, once per process. An SQLite result code.
int watchlink_disk_install(void);

/// From now on, the databases below `directory` (an absolute path) meet this fault at every write or sync, once `writes` of
/// them have passed. Calling it again replaces what held for the directory.
///
/// Returns 0, or -1 if there are faults for too many directories, or the path is too long.
int watchlink_disk_set_fault(const char *directory, int fault, int64_t writes);

/// Where the files of an open database are, compared with where they were when it was opened.
enum watchlink_disk_place {
    WATCHLINK_PLACE_GOOD = 0,
    /// Nothing has the database's name any more.
    WATCHLINK_PLACE_GONE = 1,
    /// Another file has its name.
    WATCHLINK_PLACE_REPLACED = 2,
    /// It has no content any more.
    WATCHLINK_PLACE_EMPTIED = 3,
    /// The same of its log; what the log holds can still be read.
    WATCHLINK_PLACE_LOG_GONE = 4,
    WATCHLINK_PLACE_LOG_REPLACED = 5,
    WATCHLINK_PLACE_LOG_EMPTIED = 6,
    /// Something other than SQLite wrote to it.
    WATCHLINK_PLACE_OVERWRITTEN = 7,
};

struct sqlite3;

/// A `watchlink_disk_place`. Three system calls; on the thread that uses the connection.
int watchlink_disk_look(struct sqlite3 *database);

/// What `PRAGMA application_id` has set in the header of the database's own file, whatever its log says; 0 for none.
uint32_t watchlink_disk_application(struct sqlite3 *database);

/// The number of an error (`errno`) that writing below a directory meets by `watchlink_disk_set_fault`; 0 for none. Counts as a
/// write.
int watchlink_disk_write_error(const char *path);
