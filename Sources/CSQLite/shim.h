#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import: SQLite copies the bytes before the call returns.
static inline sqlite3_destructor_type watchlink_sqlite_transient(void) { return SQLITE_TRANSIENT; }
