#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What a power cut leaves. The kernel keeps writes in memory until a program calls fsync, or until they are old; a cut
// before that loses them. This is noted, only where power cuts can happen, in a directory that the conductor reads: a
// copy of each file as it was last written out, by its number, the files that were replaced or removed, and a journal.

// The age at which Linux writes changes out: dirty_expire_centisecs, and well above the commit interval of ext4.
#define EXPIRY_NANOSECONDS 30000000000
// Files with higher descriptors are not noted: a cut leaves all that they contain.
#define MOST_DESCRIPTORS 1024
// The most changed files at a time; further ones are not noted.
#define MOST_CHANGED 1024

static char store[PATH_MAX], home[PATH_MAX];
static size_t home_length;
static int journal = -1;

/// The files with writes that are not written out.
static struct changed {
    uint64_t file;
    int64_t since;
} changed[MOST_CHANGED];
static int changed_count;

void vt_begin_page_cache(const char *directory) {
    if (!directory || strlen(directory) >= sizeof store || !getcwd(home, sizeof home)) return;
    strcpy(store, directory);
    home_length = strlen(home);
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/journal", store);
    int file = (int)vt_kernel(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    journal = (int)vt_kernel(SYS_fcntl, file, F_DUPFD_CLOEXEC, MOST_DESCRIPTORS / 2);
    if (journal < 0) journal = file;
    else vt_kernel(SYS_close, file);
    vt_own_descriptor(journal);
}

static bool is_on(void) { return __builtin_expect(journal >= 0, 0) && vt_inside(); }

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    char line[2 * PATH_MAX + 128];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (length > 0 && (size_t)length < sizeof line) vt_kernel(SYS_write, journal, line, length);
}

/// Returns the number of a regular file in the program's home; 0 for all others.
static uint64_t file_at_home(int descriptor) {
    struct stat status;
    if (descriptor < 0 || REAL(fstat)(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink == 0) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = vt_kernel(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= (long)home_length || memcmp(path, home, home_length) != 0 || path[home_length] != '/') return 0;
    return status.st_ino;
}

static struct changed *find(uint64_t file) {
    for (int i = 0; i < changed_count; i++)
        if (changed[i].file == file) return &changed[i];
    return NULL;
}

/// Copies a file as it is now. The descriptor's position is not moved.
static void write_out(int descriptor, uint64_t file) {
    char path[PATH_MAX + 32], own[64];
    snprintf(path, sizeof path, "%s/%llu", store, (unsigned long long)file);
    int copy = (int)vt_kernel(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (copy < 0) return;
    int source = descriptor;
    // Only for files that the program cannot read itself: closing this descriptor ends its record locks on the file.
    if ((vt_kernel(SYS_fcntl, descriptor, F_GETFL, 0) & O_ACCMODE) == O_WRONLY) {
        snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
        source = (int)vt_kernel(SYS_openat, AT_FDCWD, own, O_RDONLY | O_CLOEXEC, 0);
    }
    int64_t place = 0;
    while (source >= 0 && vt_kernel(SYS_copy_file_range, source, &place, copy, 0, 1 << 30, 0) > 0) continue;
    if (source >= 0 && source != descriptor) vt_kernel(SYS_close, source);
    vt_kernel(SYS_close, copy);
}

void vt_file_is_changing(int descriptor) {
    if (!is_on()) return;
    uint64_t file = file_at_home(descriptor);
    if (!file) return;
    struct changed *known = find(file);
    if (known && vt.now - known->since < EXPIRY_NANOSECONDS) return;
    if (known) write_out(descriptor, file);
    else if (changed_count < MOST_CHANGED) *(known = &changed[changed_count++]) = (struct changed){file, 0};
    else return;
    known->since = vt.now;
    note("dirty\t%llu\t%lld\n", (unsigned long long)file, (long long)vt.now);
}

static void synced(int descriptor) {
    struct stat status;
    if (REAL(fstat)(descriptor, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) note("synced\t%llu\n", (unsigned long long)status.st_ino);
    uint64_t file = file_at_home(descriptor);
    if (!file) return;
    write_out(descriptor, file);
    struct changed *known = find(file);
    if (known) *known = changed[--changed_count];
    note("clean\t%llu\n", (unsigned long long)file);
}

// Another part of the program may stand before the weak ones, and calls the vt_ form: tests that record such calls do.
#define MAY_BE_PRECEDED(name) __attribute__((weak, alias("vt_" #name)))

int vt_fsync(int descriptor) {
    int result = REAL(fsync)(descriptor);
    if (result == 0 && is_on()) synced(descriptor);
    return result;
}

int vt_fdatasync(int descriptor) {
    int result = REAL(fdatasync)(descriptor);
    if (result == 0 && is_on()) synced(descriptor);
    return result;
}

int fsync(int descriptor) MAY_BE_PRECEDED(fsync);
int fdatasync(int descriptor) MAY_BE_PRECEDED(fdatasync);

// ---- Names

/// A name that is about to change.
typedef struct {
    char path[PATH_MAX];
    uint64_t directory, file;
} name;

/// Fills in the absolute path; false for a name outside the program's home, or one that no journal can contain.
static bool locate(int folder, const char *path, name *name) {
    char directory[PATH_MAX], link[64];
    struct stat status;
    if (path[0] == '/') snprintf(name->path, sizeof name->path, "%s", path);
    else {
        directory[0] = 0;
        if (folder == AT_FDCWD) {
            if (!getcwd(directory, sizeof directory)) return false;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            long length = vt_kernel(SYS_readlinkat, AT_FDCWD, link, directory, sizeof directory - 1);
            if (length < 0) return false;
            directory[length] = 0;
        }
        if (snprintf(name->path, sizeof name->path, "%s/%s", directory, path) >= (int)sizeof name->path) return false;
    }
    if (strncmp(name->path, home, home_length) != 0 || strpbrk(name->path, "\t\n")) return false;
    name->file = REAL(lstat)(name->path, &status) == 0 && S_ISREG(status.st_mode) ? status.st_ino : 0;
    snprintf(directory, sizeof directory, "%s", name->path);
    char *end = strrchr(directory, '/');
    if (!end) return false;
    *end = 0;
    name->directory = REAL(stat)(directory, &status) == 0 ? status.st_ino : 0;
    return name->directory != 0;
}

/// Keeps a file that is about to lose its name.
static void keep(const name *name) {
    if (!name->file) return;
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/gone-%llu", store, (unsigned long long)name->file);
    vt_kernel(SYS_linkat, AT_FDCWD, name->path, AT_FDCWD, path, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    static name old, new;  // one thread runs at a time, and none is interrupted here
    bool is_noted = is_on() && flags == 0 && locate(from_folder, from, &old) && locate(to_folder, to, &new);
    if (is_noted) keep(&new);
    vt_file replaced = flags == 0 ? vt_file_to_remove(to_folder, to) : (vt_file){0, 0};
    int result = REAL(renameat2)(from_folder, from, to_folder, to, flags);
    if (result == 0) vt_file_was_removed(replaced, to_folder, to);
    if (is_noted && result == 0)
        note(
            "rename\t%lld\t%llu\t%llu\t%llu\t%s\t%s\n", (long long)vt.now, (unsigned long long)old.directory,
            (unsigned long long)new.directory, (unsigned long long)new.file, old.path, new.path);
    return result;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    if (!vt_inside()) return REAL(renameat)(from_folder, from, to_folder, to);
    return renameat2(from_folder, from, to_folder, to, 0);
}

int vt_rename(const char *from, const char *to) {
    if (!vt_inside()) return REAL(rename)(from, to);
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to) MAY_BE_PRECEDED(rename);

int unlinkat(int folder, const char *path, int flags) {
    static name old;
    bool is_noted = is_on() && flags == 0 && locate(folder, path, &old) && old.file;
    if (is_noted) keep(&old);
    vt_file removed = vt_file_to_remove(folder, path);
    int result = REAL(unlinkat)(folder, path, flags);
    if (result == 0) vt_file_was_removed(removed, folder, path);
    if (is_noted && result == 0)
        note(
            "remove\t%lld\t%llu\t%llu\t%s\n", (long long)vt.now, (unsigned long long)old.directory, (unsigned long long)old.file,
            old.path);
    return result;
}

int unlink(const char *path) { return vt_inside() ? unlinkat(AT_FDCWD, path, 0) : REAL(unlink)(path); }
#endif
