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
