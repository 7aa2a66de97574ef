#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <fcntl.h>

bool vt_read_text(const char *path, char *text, size_t size) {
    int file = (int)vt_kernel(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return false;
    long count = vt_kernel(SYS_read, file, text, size - 1);
    vt_kernel(SYS_close, file);
    text[count > 0 ? count : 0] = 0;
    return true;
}
#endif
