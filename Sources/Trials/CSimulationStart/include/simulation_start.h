#pragma once
// Lets the Swift part begin before `main` in a test bundle that is to be a template of devices.

/// Defined in Swift.
void watchlink_simulation_begin(void);
