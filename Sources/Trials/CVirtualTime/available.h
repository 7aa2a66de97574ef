#pragma once
// The thread sanitizer replaces the same functions of glibc; a program with both crashes at its start. With the
// sanitizer, everything is left out except the answer that there are no worlds.
#undef _FORTIFY_SOURCE  // Its inline definitions would conflict with ours.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VIRTUAL_TIME_UNAVAILABLE 1
#endif
#endif

// This library's code has its own section, so that reports can omit it from stacks.
#if defined(__clang__)
#pragma clang section text = "virtual_time_code"
#endif
