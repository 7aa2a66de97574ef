#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

pid_t getpid(void) {
    if (vt_inside() && vt.settings.process_identifier > 0) return vt.settings.process_identifier;
    return REAL(getpid)();
}
#endif
