#pragma once
// Starts the Swift part before `main` in a test bundle that is to become a template of devices.

/// Defined in Swift.
void watchlink_simulation_begin(void);
