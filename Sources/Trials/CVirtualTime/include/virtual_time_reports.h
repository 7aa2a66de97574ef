#pragma once
// Receives the reports of conducted processes, for the conductor.

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

#ifdef __cplusplus
}
#endif
