// Writes a frame of a log (SQLite's WAL) in one system call: SQLite writes its header and its page separately, and a
// commit has several frames.
#include "disk.h"

#include <string.h>

// The size of a page that is copied behind its header: SQLite's default. Larger ones are written separately.
enum { PAGE = 4096 };

int watchlink_log_flush(sqlite3_file *file, extra *more) {
    if (more->header_place == 0) return SQLITE_OK;
    sqlite3_int64 place = more->header_place;
    more->header_place = 0;
    return more->real->xWrite(file, more->header, FRAME_HEADER, place);
}

int watchlink_log_write(sqlite3_file *file, extra *more, const void *bytes, int count, sqlite3_int64 offset) {
    if (more->header_place != 0 && offset == more->header_place + FRAME_HEADER && count <= PAGE) {
        unsigned char frame[FRAME_HEADER + PAGE];
        memcpy(frame, more->header, FRAME_HEADER);
        memcpy(frame + FRAME_HEADER, bytes, (size_t)count);
        more->header_place = 0;
        return more->real->xWrite(file, frame, FRAME_HEADER + count, offset - FRAME_HEADER);
    }
    int code = watchlink_log_flush(file, more);
    if (code != SQLITE_OK) return code;
    // SQLite writes the page next; without it the header means nothing. At the beginning is the log's own header.
    if (more->is_log && count == FRAME_HEADER && offset > 0) {
        memcpy(more->header, bytes, FRAME_HEADER);
        more->header_place = offset;
        return SQLITE_OK;
    }
    return more->real->xWrite(file, bytes, count, offset);
}
