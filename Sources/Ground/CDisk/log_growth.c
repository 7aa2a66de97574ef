// Makes a log (SQLite's WAL) grow in steps. A commit that extends the file waits for the new file length as well: a
// second disk write, or a commit of the file system's journal. A commit that overwrites zeros does not.
#include "disk.h"

enum {
    // SQLite accepts up to 128 KiB per write.
    PIECE = 64 * 1024,
    // 256 KiB, or about 25 commits: extending the file then adds a tenth to the cost of each.
    PIECES = 4,
};

static const char zeros[PIECE];

void watchlink_log_grow(sqlite3_file *file, extra *more, sqlite3_int64 end) {
    if (!more->is_log || end <= more->size) return;
    // Another connection may have extended the log. None does so now: the writer holds the log's lock.
    if (more->real->xFileSize(file, &more->size) != SQLITE_OK) return;
    if (end <= more->size) return;
    for (int piece = 0; piece < PIECES; piece++) {
        // On a full disk the next write reports it. Readers take zeros for the end of the log: no frame has that salt.
        if (more->real->xWrite(file, zeros, PIECE, more->size) != SQLITE_OK) return;
        more->size += PIECE;
    }
}
