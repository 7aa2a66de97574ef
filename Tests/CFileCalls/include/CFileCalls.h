#pragma once

/// Whether calls can be recorded: not beside a sanitizer, which stands before the same functions.
int watchlink_file_calls_available(void);

/// From now on every call of the whole process that makes names or content durable is written down.
void watchlink_file_calls_begin(void);

/// Ends that. One call a line, in their order: `fsync PATH`, `fdatasync PATH`, `rename FROM TO`, `link FROM TO`, `mkdir PATH`, those
/// that succeeded. To be freed by the caller; NULL if there is no memory.
char *watchlink_file_calls_end(void);
