#pragma once
// What a program has only if it is linked with `DeviceControl`. The function is that module's, and is absent from all other programs: so the
// reference is weak, and nothing here is linked with that module.
extern void watchlink_device_control(void) __attribute__((weak));

/// Lets `DeviceControl` say what it can do, if the program is linked with it.
static inline void watchlink_ask_for_device_control(void) {
    if (watchlink_device_control) watchlink_device_control();
}
