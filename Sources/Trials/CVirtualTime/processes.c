#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

pid_t getpid(void) {
    if (vt_inside() && vt.settings.process_identifier > 0) return vt.settings.process_identifier;
    return REAL(getpid)();
}

// The parent of an orphan on a real system: the process that starts a world differs from run to run.
#define PARENT 1

pid_t getppid(void) { return vt_inside() && vt.settings.process_identifier > 0 ? PARENT : REAL(getppid)(); }
#endif
