#pragma once
// Processes of a performance as copies of a process that has already done their common start. Each is a world, as if
// started by virtual_time_start_process, and starts in a millisecond.

#include <stdbool.h>

#include "virtual_time_launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The most bytes for the directory and the environment of a copy, which must fit into one message.
#define VIRTUAL_TIME_MOST_COPY_TEXT (64u << 10)

/// Serves requests from a SOCK_SEQPACKET descriptor in the process to copy, which must have one thread, and ends the
/// process when the other side closes it. Returns true in each copy, which is then in a world, and has been resumed by
/// its conductor. False and errno if it cannot serve: EBUSY (in a world), ENOTSUP (not available), EDEADLK (more than
/// one thread), ENOTSOCK.
bool virtual_time_serve_copies(int requests);

/// The variable that makes a program which preloads the library serve copies, from VIRTUAL_TIME_CONDUCTOR_DESCRIPTOR,
/// before `main`.
#define VIRTUAL_TIME_COPIED "VIRTUAL_TIME_COPIED"

/// Requests a copy of a process. The executable of the launch is ignored, and without `with_arguments` also its
/// arguments; otherwise each must be as long as the copied process's, which is not checked. The copy runs on the
/// caller's processor. False and errno on failure: EPIPE if the other side is gone, ETIME if it does not answer in time
/// (0: wait indefinitely), E2BIG for too much text.
bool virtual_time_copy_process(
    int requests, const virtual_time_launch *launch, bool with_arguments, unsigned milliseconds,
    virtual_time_process *process);

/// Waits for the end of a copy and releases its identifier. False and errno as above.
bool virtual_time_end_of_copy(int requests, int identifier, unsigned milliseconds, int *status);

#ifdef __cplusplus
}
#endif
