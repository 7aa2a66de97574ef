#pragma once
// Starts a program in its own session, for the conductor.

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptor that connects a started program with the conductor: the same in each run.
#define VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR 3

typedef struct {
    const char *executable;     ///< A path.
    char *const *arguments;     ///< The first is the program's name; ends with NULL.
    char *const *environment;   ///< The complete environment; ends with NULL.
    const char *directory;      ///< The working directory.
    int output, errors;         ///< Become standard output and standard error.
    int conductor;              ///< Becomes VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR.
} virtual_time_launch;

typedef struct {
    int identifier;  ///< The identifier of the process, and of its session.
    int handle;      ///< Readable when the process has ended: see pidfd_open(2). The caller closes it.
} virtual_time_process;

/// Starts a program with no input, no signal blocked or ignored, only the given descriptors, and, where this is
/// allowed, no address randomization. False and errno if it cannot be started.
bool virtual_time_start_process(const virtual_time_launch *launch, virtual_time_process *process);

/// Takes over the directory watches (inotify) of a process that is about to be killed, for the caller to close. The kernel needs
/// 10 to 30 ms to close one, and the process would not have ended before. Returns the number of descriptors; 0 also where the
/// system does not allow it.
int virtual_time_take_watches(const virtual_time_process *process, int *watches, int most);

/// Kills a process, and waits until it is dead: on a busy machine it needs a processor for that. False if it lives on.
bool virtual_time_kill_process(int process, unsigned milliseconds);

#ifdef __cplusplus
}
#endif
