// A log (SQLite's WAL) grows in steps. A commit that makes its file longer waits for the file's new length as well: a second
// write of the disk, or a commit of the file system's own journal. One that writes where zeros are does not.
#include "disk.h"

enum {
    // SQLite takes up to 128 KiB at once.
    PIECE = 64 * 1024,
    // 256 KiB, or some 25 commits: the longer file is a tenth of each one's cost then.
    PIECES = 4,
};

static const char zeros[PIECE];

void watchlink_log_grow(sqlite3_file *file, extra *more, sqlite3_int64 end) {
    if (!more->is_log || end <= more->size) return;
    // Others may have written behind what this connection knows of. Nobody does now: who writes holds the log's lock.
    if (more->real->xFileSize(file, &more->size) != SQLITE_OK) return;
    if (end <= more->size) return;
    for (int piece = 0; piece < PIECES; piece++) {
        // Where there is no room, the write that follows says so. A reader takes zeros for the log's end: no frame has that salt.
        if (more->real->xWrite(file, zeros, PIECE, more->size) != SQLITE_OK) return;
        more->size += PIECE;
    }
}
