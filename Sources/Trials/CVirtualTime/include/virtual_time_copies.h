#pragma once
// Processes of a performance as copies of one that has already done what all of them do first. Each is a world, as if it had been started
// by virtual_time_start_process, and takes a millisecond to start.

#include <stdbool.h>

#include "virtual_time_launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The directory and the environment of a copy: more does not fit into one message.
#define VIRTUAL_TIME_MOST_COPY_TEXT (64u << 10)

/// In the process that is copied, which must have one thread: serves requests that come over a SOCK_SEQPACKET descriptor, and ends the process
/// when the other side has closed it. It returns true in each copy, which is then in a world, and which its conductor has told to go on. False
/// (and errno) if it cannot serve: EBUSY (in a world), ENOTSUP (not available), EDEADLK (more than one thread), ENOTSOCK.
bool virtual_time_serve_copies(int requests);

/// Has a process copied. Of the launch its executable and its arguments mean nothing. The copy runs on the caller's processor. False and errno if
/// there is no copy: EPIPE if the other side has gone, ETIME if it does not answer in time (0: wait for ever), E2BIG for too much text.
bool virtual_time_copy_process(
    int requests, const virtual_time_launch *launch, unsigned milliseconds, virtual_time_process *process);

/// Waits for the end of a copy, whose number then belongs to nobody. False and errno as above.
bool virtual_time_end_of_copy(int requests, int identifier, unsigned milliseconds, int *status);

#ifdef __cplusplus
}
#endif
