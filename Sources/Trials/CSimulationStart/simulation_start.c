#include "simulation_start.h"

#include <stdlib.h>

__attribute__((constructor)) static void begin_before_main(void) {
    if (getenv("VIRTUAL_TIME_TEMPLATE")) watchlink_simulation_begin();
}
