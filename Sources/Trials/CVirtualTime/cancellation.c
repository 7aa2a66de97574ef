#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

/// A cancelled thread leaves its wait through glibc, past the world. The caller is reported immediately, instead of the
/// world being stopped somewhere later.
int pthread_cancel(pthread_t handle) {
    if (!vt_inside()) return REAL(pthread_cancel)(handle);
    char what[256];
    snprintf(
        what, sizeof what,
        "virtual time: thread %d calls pthread_cancel, which this world does not control.\n"
        "Ask the other thread to end, with a flag or a pipe, and join it.\n",
        vt_self->id);
    vt_stop_here(virtual_time_end_uncontrolled, what);
}
#endif
