#pragma once
// Present only in programs that are linked with the modules that define the functions. The references are weak, so this
// module does not depend on those.

// Defined by `DeviceControl`.
extern void watchlink_device_control(void) __attribute__((weak));
// Defined by `WatchLinkTesting`.
extern void watchlink_test_device(void) __attribute__((weak));
// Defined by `WatchLinkTestingTimeline`.
extern void watchlink_test_timeline(void) __attribute__((weak));

/// Lets `DeviceControl` register its features, if the program is linked with it.
static inline void watchlink_ask_for_device_control(void) {
    if (watchlink_device_control) watchlink_device_control();
}

/// Lets `WatchLinkTesting` register the device of a test bundle, if the program is linked with it.
static inline void watchlink_ask_for_test_device(void) {
    if (watchlink_test_device) watchlink_test_device();
}

/// Lets `WatchLinkTestingTimeline` register its pictures, if the program is linked with it.
static inline void watchlink_ask_for_test_timeline(void) {
    if (watchlink_test_timeline) watchlink_test_timeline();
}
