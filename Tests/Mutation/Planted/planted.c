// Reads the environment before main. The record is a shared mapping of a file, so that it survives a SIGKILL and children add to it.
#include "planted.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int planted_fault = 0;
unsigned char *planted_reached = 0;

/// More faults than a run has by far; a page of memory for each 4,096 of them.
enum { capacity = 1 << 16 };

/// System calls are made directly: in virtual time the functions of the C library are the world's.
__attribute__((constructor(101))) static void begin(void) {
    const char *number = getenv("PLANTED_FAULT");
    if (number) planted_fault = atoi(number);
    const char *path = getenv("PLANTED_REACHED");
    if (!path) return;
    long file = syscall(SYS_openat, (long)AT_FDCWD, path, (long)(O_RDWR | O_CLOEXEC), 0L);
    if (file < 0) return;
    long memory = syscall(SYS_mmap, 0L, (long)capacity, (long)(PROT_READ | PROT_WRITE), (long)MAP_SHARED, file, 0L);
    syscall(SYS_close, file);
    if (memory > 0 || memory < -4096) planted_reached = (unsigned char *)memory;
}
