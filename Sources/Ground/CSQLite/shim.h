#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type watchlink_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// sqlite3_config takes any number of arguments, which Swift does not import: no counting of the process's memory.
static inline int watchlink_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Closing writes no log into the database, and removes none. A function with a variable number of arguments, which Swift does
// not call.
static inline int watchlink_sqlite_leave_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
