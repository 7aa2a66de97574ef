#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// The descriptors of the world itself. A program that closes all descriptors that it does not know would end its world.

static int own[VT_MOST_OWN_DESCRIPTORS];
static int own_count;

void vt_own_descriptor(int descriptor) {
    if (own_count < VT_MOST_OWN_DESCRIPTORS) own[own_count++] = descriptor;
}

bool vt_is_own_descriptor(int descriptor) {
    for (int i = 0; i < own_count; i++)
        if (own[i] == descriptor) return true;
    return false;
}

/// Returns the lowest own descriptor from a number on; UINT_MAX if there is none.
static unsigned next_own(unsigned from) {
    unsigned next = UINT32_MAX;
    for (int i = 0; i < own_count; i++)
        if ((unsigned)own[i] >= from && (unsigned)own[i] < next) next = (unsigned)own[i];
    return next;
}

static int close_part(unsigned first, unsigned last, int flags) {
    if (flags == 0) vt_descriptors_will_close(first, last);
    return REAL(close_range)(first, last, flags);
}

int close_range(unsigned first, unsigned last, int flags) {
    if (!vt_inside() || first > last) return REAL(close_range)(first, last, flags);
    for (unsigned spared; (spared = next_own(first)) <= last; first = spared + 1) {
        if (spared > first && close_part(first, spared - 1, flags) != 0) return -1;
        if (spared == UINT32_MAX) return 0;
    }
    int result = first <= last ? close_part(first, last, flags) : 0;
    vt_may_be_ready();
    vt_file_lock_was_given_back();
    return result;
}

void closefrom(int first) {
    if (!vt_inside()) REAL(closefrom)(first);
    else close_range(first < 0 ? 0 : (unsigned)first, UINT32_MAX, 0);
}

int dup2(int descriptor, int copy) {
    if (!vt_inside() || !vt_is_own_descriptor(copy)) return REAL(dup2)(descriptor, copy);
    errno = EBADF;
    return -1;
}

int dup3(int descriptor, int copy, int flags) {
    if (!vt_inside() || !vt_is_own_descriptor(copy)) return REAL(dup3)(descriptor, copy, flags);
    errno = EBADF;
    return -1;
}
#endif
