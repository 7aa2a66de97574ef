// Whether the files of an open database are still those that their names stand for. SQLite works on with a file that was deleted,
// and nobody ever finds what it writes there.
#include "disk.h"

#include <stddef.h>
#include <sys/stat.h>

enum { MAGIC = 4 };

// The file's own content, by its descriptor: a log that was emptied and written to again begins with zeros.
static int is_emptied_log(sqlite3_file *file, extra *more) {
    unsigned char magic[MAGIC];
    // A log without content is a right one: another program may have written all of it into the database.
    if (more->real->xRead(file, magic, MAGIC, 0) != SQLITE_OK) return 0;
    return magic[0] == 0 && magic[1] == 0 && magic[2] == 0 && magic[3] == 0;
}

static int look(extra *more, struct stat *status) {
    if (stat(more->path, status) != 0) return WATCHLINK_PLACE_GONE;
    return status->st_dev == more->device && status->st_ino == more->inode ? WATCHLINK_PLACE_GOOD
                                                                            : WATCHLINK_PLACE_REPLACED;
}

int watchlink_disk_look(struct sqlite3 *database) {
    sqlite3_file *file = NULL, *log = NULL;
    struct stat status;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    extra *more = watchlink_disk_extra(file);
    if (more == NULL || more->inode == 0) return WATCHLINK_PLACE_GOOD;
    int place = look(more, &status);
    if (place != WATCHLINK_PLACE_GOOD) return place;
    if (status.st_size == 0) return WATCHLINK_PLACE_EMPTIED;

    sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    more = watchlink_disk_extra(log);
    if (more == NULL || !more->is_log || more->inode == 0) return WATCHLINK_PLACE_GOOD;
    switch (look(more, &status)) {
    case WATCHLINK_PLACE_GONE: return WATCHLINK_PLACE_LOG_GONE;
    case WATCHLINK_PLACE_REPLACED: return WATCHLINK_PLACE_LOG_REPLACED;
    default: return is_emptied_log(log, more) ? WATCHLINK_PLACE_LOG_EMPTIED : WATCHLINK_PLACE_GOOD;
    }
}

// https://sqlite.org/fileformat2.html: the number's place in the header.
enum { APPLICATION_PLACE = 68 };

uint32_t watchlink_disk_application(struct sqlite3 *database) {
    sqlite3_file *file = NULL;
    unsigned char bytes[4];
    sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    extra *more = watchlink_disk_extra(file);
    if (more == NULL || more->real->xRead(file, bytes, sizeof bytes, APPLICATION_PLACE) != SQLITE_OK) return 0;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}
