#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

// The numbers of files (inodes) come from the file system, and differ from run to run. A world numbers its files in the order
// in which its programs see them; the programs of a performance share the table. A file system may give the number of a
// removed file to the next one, or to another program's: the world never does.

// A new file in every two seconds of a week. Further ones keep their own numbers.
#define MOST_FILES 262144u
// At most half of the places are taken, so a search is short.
#define PLACES (2 * MOST_FILES)
// As on ext4, whose first numbers belong to the file system.
#define FIRST_NUMBER 11

typedef struct {
    uint32_t count;
    uint32_t places[PLACES];  // the position in `files`, plus 1; 0: free
    vt_file files[MOST_FILES];  // all zero: removed
} table;

static table *numbers;
static bool has_failed;
static char shared[PATH_MAX];

void vt_begin_file_numbers(const char *path) {
    if (path && strlen(path) < sizeof shared) strcpy(shared, path);
}

/// Maps the table when the first file is looked at: most processes that end early never do.
static table *map_table(void) {
    const int access = PROT_READ | PROT_WRITE;
    void *memory = MAP_FAILED;
    if (*shared) {
        int file = (int)vt_kernel(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) return NULL;
        if (vt_kernel(SYS_ftruncate, file, sizeof(table)) == 0) memory = mmap(NULL, sizeof(table), access, MAP_SHARED, file, 0);
        vt_kernel(SYS_close, file);
    } else {
        memory = mmap(NULL, sizeof(table), access, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    return memory == MAP_FAILED ? NULL : memory;
}

static bool has_table(void) {
    if (!numbers && !has_failed) has_failed = !(numbers = map_table());
    return numbers;
}

/// Returns the place of a file, or the free one in which its search ends.
static uint32_t *place_of(vt_file file) {
    // Without mixing: neighbours in a file system are neighbours here, on the same page.
    for (uint64_t place = file.device * 0x9E3779B97F4A7C15ULL + file.number;; place++) {
        uint32_t *known = &numbers->places[place % PLACES];
        if (!*known) return known;
        const vt_file *other = &numbers->files[*known - 1];
        if (other->device == file.device && other->number == file.number) return known;
    }
}

uint64_t vt_file_number(uint64_t device, uint64_t number) {
    // Without memory the world goes on, and is not repeatable if the program looks at the number.
    if (!has_table()) return number;
    uint32_t *place = place_of((vt_file){device, number});
    if (!*place) {
        if (numbers->count == MOST_FILES) return number;
        numbers->files[numbers->count] = (vt_file){device, number};
        *place = ++numbers->count;
    }
    return FIRST_NUMBER + *place - 1;
}

vt_file vt_file_to_remove(int folder, const char *path) {
    struct stat status;
    if (!vt_inside() || REAL(fstatat)(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return (vt_file){0, 0};
    if (!S_ISDIR(status.st_mode) && status.st_nlink > 1) return (vt_file){0, 0};
    return (vt_file){status.st_dev, status.st_ino};
}

void vt_file_was_removed(vt_file file, int folder, const char *path) {
    struct stat status;
    if (!file.number || !has_table()) return;
    bool is_there = REAL(fstatat)(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there && status.st_dev == file.device && status.st_ino == file.number) return;
    uint32_t *place = place_of(file);
    if (*place) numbers->files[*place - 1] = (vt_file){0, 0};
}

#define REMOVAL(name) \
    int name(const char *path) { \
        vt_file file = vt_file_to_remove(AT_FDCWD, path); \
        int result = REAL(name)(path); \
        if (result == 0) vt_file_was_removed(file, AT_FDCWD, path); \
        return result; \
    }
REMOVAL(rmdir)
REMOVAL(remove)

#define READ_ENTRY(name, entry) \
    struct entry *name(DIR *folder) { \
        struct entry *found = REAL(name)(folder); \
        struct stat status; \
        if (found && vt_inside() && REAL(fstat)(dirfd(folder), &status) == 0) \
            found->d_ino = vt_file_number(status.st_dev, found->d_ino); \
        return found; \
    }
READ_ENTRY(readdir, dirent)
READ_ENTRY(readdir64, dirent64)
#endif
