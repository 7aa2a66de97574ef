#pragma once
#include <stdint.h>

/// An injected fault of the disk below a directory, for the databases there.
enum watchlink_disk_fault {
    WATCHLINK_DISK_GOOD = 0,
    /// Writes fail with SQLITE_FULL.
    WATCHLINK_DISK_FULL = 1,
    /// Writes and syncs fail with SQLITE_IOERR.
    WATCHLINK_DISK_ERROR = 2,
    /// Writes fail with SQLITE_READONLY.
    WATCHLINK_DISK_READ_ONLY = 3,
};

/// Installs the shim in front of SQLite's default file system, once per process. Returns an SQLite result code.
int watchlink_disk_install(void);

/// Makes every write or sync of the databases below `directory` (an absolute path) fail, after the first `writes` of
/// them. Calling it again replaces the directory's fault.
///
/// Returns 0, or -1 if there are too many directories with faults, or if the path is too long.
int watchlink_disk_set_fault(const char *directory, int fault, int64_t writes);

/// The state of the files of an open database, compared with their state on opening.
enum watchlink_disk_place {
    WATCHLINK_PLACE_GOOD = 0,
    /// The database file is missing.
    WATCHLINK_PLACE_GONE = 1,
    /// Another file is at its path.
    WATCHLINK_PLACE_REPLACED = 2,
    /// The database file is empty.
    WATCHLINK_PLACE_EMPTIED = 3,
    /// The same for the log, whose content can still be read.
    WATCHLINK_PLACE_LOG_GONE = 4,
    WATCHLINK_PLACE_LOG_REPLACED = 5,
    WATCHLINK_PLACE_LOG_EMPTIED = 6,
    /// A program other than SQLite wrote to the database file.
    WATCHLINK_PLACE_OVERWRITTEN = 7,
};

struct sqlite3;

/// Returns a `watchlink_disk_place`. Takes three system calls; must be called on the thread that uses the connection.
int watchlink_disk_look(struct sqlite3 *database);

/// Returns the application_id in the header of the database file, regardless of the log; 0 if it is not set.
uint32_t watchlink_disk_application(struct sqlite3 *database);

/// Returns the `errno` of the fault injected below a directory by `watchlink_disk_set_fault`, or 0. Counts as a write.
int watchlink_disk_write_error(const char *path);
