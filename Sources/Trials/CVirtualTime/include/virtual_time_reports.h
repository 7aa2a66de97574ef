#pragma once
// Receives the reports of conducted processes, and answers them, for the conductor.

#include "virtual_time.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Limits the time in which a report is awaited. Returns false, with errno, if that is not possible.
bool virtual_time_limit_waits(int channel, unsigned milliseconds);

/// Waits for a report.
///
/// `watched` becomes the epoll descriptor that came with the report, which the caller closes, or -1. Returns the size,
/// 0 if the process has closed its end, or -1 and errno: EAGAIN if no report has come in time.
long virtual_time_receive_report(int channel, virtual_time_idle *report, int *watched);

/// Returns the name of a signal without SIG, such as ILL; NULL for a number without a name.
const char *virtual_time_signal_name(int signal);

/// Creates an epoll descriptor that is ready when one of those that it observes is; -1 and errno if that is not possible.
int virtual_time_make_observer(void);
/// Lets it observe a descriptor until that is closed. Returns false if it cannot.
bool virtual_time_observe(int observer, int descriptor);

/// Gives a process its turn, and the descriptor that shows whether another one needs a turn, unless it is -1. If the
/// process has ended, this does nothing.
void virtual_time_send_go_on(int channel, const virtual_time_go_on *answer, int others);

#ifdef __cplusplus
}
#endif
