#pragma once
// The thread sanitizer stands before the same functions of glibc; both together end at the start. Then everything but the answer that
// there are no worlds is left out.
#undef _FORTIFY_SOURCE  // Its inline definitions would stand in the way of ours.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VIRTUAL_TIME_UNAVAILABLE 1
#endif
#endif

// All code of this library lies in a section of its own, so that a report can leave it out of the stacks.
#if defined(__clang__)
#pragma clang section text = "virtual_time_code"
#endif
