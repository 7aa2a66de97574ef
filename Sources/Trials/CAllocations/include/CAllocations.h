#ifndef WATCHLINK_ALLOCATIONS_H
#define WATCHLINK_ALLOCATIONS_H

#include <stdint.h>

/// Returns the number of allocations by this thread since it began. Always zero in a sanitized build, whose runtime
/// owns malloc.
uint64_t watchlink_allocations(void);

#endif
