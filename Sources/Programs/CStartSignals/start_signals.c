#include "CStartSignals.h"
#include <signal.h>
#include <stddef.h>

extern int main(int, char **);
// The main functions of the services, as the package manager names them; absent from every program except these and the tests.
extern int watchlink_host_main(int, char **) __attribute__((weak));
extern int watchlink_companion_main(int, char **) __attribute__((weak));

/// Blocks the signals that `Signals.hold()` handles, until it unblocks them.
///
/// Swift's main function runs after the constructors of all libraries, which take some milliseconds; a signal in between would
/// kill a service before its first line. The package manager also links this into every target that depends on a service's
/// program: those keep their signal mask, as does a service whose main function has another name.
static void hold_signals(void) {
    if (main != watchlink_host_main && main != watchlink_companion_main) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

/// The loader calls this before any constructor; an ordinary constructor of a program runs after those of its libraries.
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = hold_signals;
