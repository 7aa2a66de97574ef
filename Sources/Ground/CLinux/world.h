#pragma once
// The world of virtual time that a process may run in. The functions belong to the library `CVirtualTime`, which a
// program preloads or links. Other programs do not have them: the references are weak, and this module does not link
// that library.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern bool watchlink_world_is_on(void) __asm__("virtual_time_is_on") __attribute__((weak));
extern uint32_t watchlink_world_choose(const char *subject, uint32_t kind, uint32_t options, uint32_t one_in)
    __asm__("virtual_time_choose_about") __attribute__((weak));
extern size_t watchlink_world_describe_waits(char *text, size_t room) __asm__("virtual_time_describe_waits") __attribute__((weak));
extern void watchlink_world_attend(void) __asm__("virtual_time_attend") __attribute__((weak));

static inline bool watchlink_is_in_world(void) { return watchlink_world_is_on && watchlink_world_choose && watchlink_world_is_on(); }

/// Returns the world's decision about a subject, a number below `options`: 0 except one time in `one_in`.
static inline uint32_t watchlink_choose_in_world(const char *subject, uint32_t kind, uint32_t options, uint32_t one_in) {
    return watchlink_world_choose(subject, kind, options, one_in);
}

/// Describes who waits for whom in the world; 0 bytes outside of one.
static inline size_t watchlink_describe_waits_in_world(char *text, size_t room) {
    return watchlink_world_describe_waits ? watchlink_world_describe_waits(text, room) : 0;
}

/// Says that the calling thread runs nothing of an app, so that reports of waiting threads leave it out. Nothing happens outside of
/// a world.
static inline void watchlink_attend_in_world(void) {
    if (watchlink_world_attend) watchlink_world_attend();
}
