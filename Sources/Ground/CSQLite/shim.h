#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns. The macro has a cast, so Swift does not import
/// it.
static inline sqlite3_destructor_type watchlink_sqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Turns off the accounting of the process's memory. sqlite3_config is variadic, which Swift does not import.
static inline int watchlink_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Makes closing neither checkpoint nor delete the log. sqlite3_db_config is variadic, which Swift does not import.
static inline int watchlink_sqlite_leave_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
