#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>

// Names of temporary files. glibc draws them from the kernel's entropy without a call that could be replaced.

// As many as glibc tries: all of three letters.
#define ATTEMPTS (62 * 62 * 62)

static int make_file(const char *path, int flags) { return open(path, flags | O_RDWR | O_CREAT | O_EXCL, 0600); }

static int make_folder(const char *path, int flags) {
    (void)flags;
    return mkdir(path, 0700);
}

/// Fills in the six letters before an ending until `make` succeeds or fails for another reason than a name that is taken.
static int with_name(char *path, int ending, int flags, int (*make)(const char *, int)) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(path);
    if (ending < 0 || length < (size_t)ending + 6 || strncmp(path + length - (size_t)ending - 6, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return -1;
    }
    char *place = path + length - (size_t)ending - 6;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        uint8_t bytes[6];
        vt_entropy(bytes, sizeof bytes);
        for (int i = 0; i < 6; i++) place[i] = letters[bytes[i] % 62];
        int result = make(path, flags);
        if (result >= 0 || errno != EEXIST) return result;
    }
    return -1;
}

#define MAKE_FILE(name, parameters, arguments, ending, flags) \
    int name parameters { return vt_inside() ? with_name(path, ending, flags, make_file) : REAL(name) arguments; }
MAKE_FILE(mkstemp, (char *path), (path), 0, 0)
MAKE_FILE(mkstemp64, (char *path), (path), 0, 0)
MAKE_FILE(mkostemp, (char *path, int flags), (path, flags), 0, flags)
MAKE_FILE(mkostemp64, (char *path, int flags), (path, flags), 0, flags)
MAKE_FILE(mkstemps, (char *path, int ending), (path, ending), ending, 0)
MAKE_FILE(mkstemps64, (char *path, int ending), (path, ending), ending, 0)
MAKE_FILE(mkostemps, (char *path, int ending, int flags), (path, ending, flags), ending, flags)
MAKE_FILE(mkostemps64, (char *path, int ending, int flags), (path, ending, flags), ending, flags)

char *mkdtemp(char *path) {
    if (!vt_inside()) return REAL(mkdtemp)(path);
    return with_name(path, 0, 0, make_folder) == 0 ? path : NULL;
}
#endif
