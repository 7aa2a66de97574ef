// Checks that the files of an open database are still those at their paths, and that only SQLite wrote to them. SQLite
// keeps using a file that was deleted, and everything it writes there is lost; it also keeps using one that was
// overwritten, and mixes both contents.
#include "disk.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

enum { MAGIC = 4 };

// Reads the content by the open descriptor: a log that was emptied and written to again begins with zeros.
static int is_emptied_log(sqlite3_file *file, extra *more) {
    unsigned char magic[MAGIC];
    // An empty log is valid: another program may have written all of it into the database.
    if (more->real->xRead(file, magic, MAGIC, 0) != SQLITE_OK) return 0;
    return magic[0] == 0 && magic[1] == 0 && magic[2] == 0 && magic[3] == 0;
}

static int look(extra *more, struct stat *status) {
    if (stat(more->path, status) != 0) return WATCHLINK_PLACE_GONE;
    return status->st_dev == more->device && status->st_ino == more->inode ? WATCHLINK_PLACE_GOOD
                                                                            : WATCHLINK_PLACE_REPLACED;
}

// https://sqlite.org/fileformat2.html: the offset of the application_id in the header.
enum { APPLICATION_PLACE = 68 };

static uint32_t application_of(sqlite3_file *file, extra *more) {
    unsigned char bytes[4];
    if (more->real->xRead(file, bytes, sizeof bytes, APPLICATION_PLACE) != SQLITE_OK) return 0;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

// https://sqlite.org/walformat.html: the offsets in the shared index of the log of its salt, of the number of frames
// written into the database, and of the number attempted; and the lock that a checkpoint holds.
enum { SALT_PLACE = 32, WRITTEN_PLACE = 96, BEGUN_PLACE = 128, INDEX_BYTES = 32 * 1024, CHECKPOINT_LOCK = 1 };

static checkpoint checkpoint_of(sqlite3_file *file) {
    void volatile *index = NULL;
    checkpoint found = {{0}};
    if (file->pMethods->iVersion < 2 || file->pMethods->xShmMap(file, 0, INDEX_BYTES, 0, &index) != SQLITE_OK) return found;
    if (index == NULL) return found;
    const char volatile *bytes = index;
    found.words[0] = *(const uint32_t volatile *)(bytes + SALT_PLACE);
    found.words[1] = *(const uint32_t volatile *)(bytes + SALT_PLACE + 4);
    found.words[2] = *(const uint32_t volatile *)(bytes + WRITTEN_PLACE);
    found.words[3] = *(const uint32_t volatile *)(bytes + BEGUN_PLACE);
    return found;
}

static int is_same(checkpoint one, checkpoint other) { return memcmp(&one, &other, sizeof one) == 0; }

static int is_checkpoint_under_way(sqlite3_file *file) {
    if (file->pMethods->xShmLock(file, CHECKPOINT_LOCK, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED) != SQLITE_OK) return 1;
    file->pMethods->xShmLock(file, CHECKPOINT_LOCK, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED);
    return 0;
}

static int is_unchanged(const extra *more, const struct stat *status) {
    return status->st_size == more->length && status->st_mtim.tv_sec == more->modified.tv_sec &&
           status->st_mtim.tv_nsec == more->modified.tv_nsec;
}

// A database with a log changes only when the log is written into it. Either this connection did that, or the log's
// index shows that another one did; otherwise it was not SQLite.
static int is_overwritten(sqlite3_file *file, extra *more, const struct stat *status, checkpoint before) {
    if (!is_unchanged(more, status)) {
        uint32_t application = application_of(file, more);
        if (more->application != 0 && application != more->application) return 1;
        // In this order: a checkpoint that has ended by now is already recorded in the index.
        int is_writing = more->is_written || is_checkpoint_under_way(file);
        if (!is_writing && is_same(checkpoint_of(file), more->noted)) return 1;
        more->modified = status->st_mtim;
        more->length = status->st_size;
        more->application = application;
    }
    more->is_written = 0;
    // Read before the file was checked: a checkpoint begun since then counts as new at the next check.
    more->noted = before;
    return 0;
}

void watchlink_note_place(sqlite3_file *file, extra *more, const char *path) {
    struct stat status;
    // SQLite opened the file a moment ago, but does not reveal which one it is.
    int is_known = path != NULL && stat(path, &status) == 0;
    if (!is_known) memset(&status, 0, sizeof status);
    more->device = status.st_dev;
    more->inode = status.st_ino;
    more->modified = status.st_mtim;
    more->length = status.st_size;
    more->is_written = 0;
    more->application = 0;
    more->noted = (checkpoint){{0}};
    if (is_known && !more->is_log) more->application = application_of(file, more);
}

int watchlink_disk_look(struct sqlite3 *database) {
    sqlite3_file *file = NULL, *log = NULL;
    struct stat status;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    extra *more = watchlink_disk_extra(file);
    if (more == NULL || more->inode == 0) return WATCHLINK_PLACE_GOOD;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    extra *log_more = watchlink_disk_extra(log);
    int has_log = log_more != NULL && log_more->is_log && log_more->inode != 0;
    checkpoint before = {{0}};
    if (has_log) before = checkpoint_of(file);

    int place = look(more, &status);
    if (place != WATCHLINK_PLACE_GOOD) return place;
    if (status.st_size == 0) return WATCHLINK_PLACE_EMPTIED;
    if (!has_log) return WATCHLINK_PLACE_GOOD;
    if (is_overwritten(file, more, &status, before)) return WATCHLINK_PLACE_OVERWRITTEN;
    switch (look(log_more, &status)) {
    case WATCHLINK_PLACE_GONE: return WATCHLINK_PLACE_LOG_GONE;
    case WATCHLINK_PLACE_REPLACED: return WATCHLINK_PLACE_LOG_REPLACED;
    default: return is_emptied_log(log, log_more) ? WATCHLINK_PLACE_LOG_EMPTIED : WATCHLINK_PLACE_GOOD;
    }
}

uint32_t watchlink_disk_application(struct sqlite3 *database) {
    sqlite3_file *file = NULL;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    extra *more = watchlink_disk_extra(file);
    return more == NULL ? 0 : application_of(file, more);
}
