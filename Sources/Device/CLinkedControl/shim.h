#pragma once
// Present only in programs that are linked with `DeviceControl`, which defines the function. The reference is weak, so
// this module does not depend on that one.
extern void watchlink_device_control(void) __attribute__((weak));

/// Lets `DeviceControl` register its features, if the program is linked with it.
static inline void watchlink_ask_for_device_control(void) {
    if (watchlink_device_control) watchlink_device_control();
}
