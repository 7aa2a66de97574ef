#pragma once
// Constructs of the probe program whose calls Swift does not see. Each traces what it finds, and ends the world.

/// Every wait for a lock that ends at a moment of a clock.
void probe_timed_locks(void);
/// Every wait for descriptors that ends at a moment of a clock.
void probe_timed_polls(void);
/// Joining a thread at once, until a moment, and for good.
void probe_joins(void);
/// Timers that send a signal.
void probe_alarms(void);
/// What the process and its threads are called.
void probe_identifiers(void);
/// A race, and a loop that ends only when another thread goes on, without any call but those of instrumented code.
void probe_edges(void);
