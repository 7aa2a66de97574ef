#pragma once
// Receives the reports of conducted processes, for the conductor.

#include "virtual_time.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Receives a report that has arrived.
///
/// `watched` becomes the epoll descriptor that came with the report, which the caller closes, or -1. Returns the size,
/// 0 if the process has closed its end, or -1 and errno.
long virtual_time_receive_report(int channel, virtual_time_idle *report, int *watched);

#ifdef __cplusplus
}
#endif
