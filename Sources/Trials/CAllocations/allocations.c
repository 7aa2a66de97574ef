// Counts the allocations of a thread by replacing glibc's allocator: a program's own malloc takes precedence. Linked
// into the benchmark only.
#include "CAllocations.h"

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WATCHLINK_SANITIZED 1
#endif
#endif

static _Thread_local uint64_t count;

uint64_t watchlink_allocations(void) { return count; }

#if !defined(WATCHLINK_SANITIZED) && defined(__GLIBC__)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count++;
  *memory = __libc_memalign(alignment, size);
  return *memory == NULL ? 12 /* ENOMEM */ : 0;
}

#endif
