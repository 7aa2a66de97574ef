#include "CStartSignals.h"
#include <signal.h>
#include <stddef.h>

extern int main(int, char **);
// The services' programs, as the package manager calls their main functions; absent from every other program but the tests.
extern int watchlink_host_main(int, char **) __attribute__((weak));
extern int watchlink_companion_main(int, char **) __attribute__((weak));

/// Lets the signals that `Signals.hold()` handles wait until it does, which unblocks them.
///
/// Swift's main function comes after the constructors of all libraries, which take some milliseconds; a signal in between would
/// end a service before its first line. The package manager links this with whatever depends on a service's program, too: those
/// keep their signals as they are, as does a service whose main function has another name.
static void hold_signals(void) {
    if (main != watchlink_host_main && main != watchlink_companion_main) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

/// What the loader calls before any constructor; an ordinary constructor of a program comes after those of its libraries.
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = hold_signals;
