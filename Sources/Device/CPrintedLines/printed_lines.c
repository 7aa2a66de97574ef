#include "CPrintedLines.h"

#include <stdio.h>
#include <stdlib.h>

/// Standard output that is no terminal is written in blocks of some kilobytes, and what is left of the last one is lost
/// when a signal ends the program. A console of Xcode is a terminal.
__attribute__((constructor)) static void write_lines(void) {
    if (getenv(WATCHLINK_PRINTED_LINES)) setvbuf(stdout, NULL, _IOLBF, 0);
}
