#pragma once
#include <stdbool.h>

/// Has the kernel refuse personality(2) to this process and the programs that it becomes, as containers do. False if it cannot be.
bool probe_refuse_personality(void);

// Constructs of the probe program whose calls Swift does not see. Each traces what it finds, and ends the world.

/// Every wait for a lock that ends at a moment of a clock.
void probe_timed_locks(void);
/// Every wait for descriptors that ends at a moment of a clock.
void probe_timed_polls(void);
/// Joining a thread at once, until a moment, and for good.
void probe_joins(void);
/// Timers that send a signal.
void probe_alarms(void);
/// Waits for descriptors with another mask of signals, and signals with a value.
void probe_signal_masks(void);
/// What the process and its threads are called.
void probe_identifiers(void);
/// A race, and a loop that ends only when another thread goes on, without any call but those of instrumented code.
void probe_edges(void);
/// Threads, locks and conditions of C11.
void probe_c11_threads(void);
/// Queues of messages: waiting for one, for room, and in vain.
void probe_message_queues(void);
/// A watch on a directory, whose calls fail PROBE_REFUSALS times each (in the environment; negative: always) as if other programs held all.
void probe_file_watches(void);
/// Commands of a shell, and children that borrow their parent's memory.
void probe_shells(void);
/// What is asked of the system in passing: names of hosts, locks of records, times and the load, also by code that checks its buffers.
void probe_questions(void);
/// Reading and writing more than a buffer holds, in parts, and all of what is asked for.
void probe_large_messages(void);
/// Sockets that wait only for a time.
void probe_socket_timeouts(void);
/// Names of temporary files, and a stream of random bytes.
void probe_temporary_names(void);
/// Closing all descriptors that the program does not know.
void probe_closing_all(void);
/// A thread that cancels another.
void probe_cancellation(void);

/// Attaches to a process as a debugger does, lets its first thread go on until that stops itself, and leaves it.
///
/// \return The signal with which it stopped; -1 if it could not be attached or did not stop.
int probe_signal_in_debugger(int process);
