// Clients of this module also use what every application has: one import provides both.
@_exported public import RecordSync
