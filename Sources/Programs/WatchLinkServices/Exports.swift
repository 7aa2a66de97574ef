// A program of one's own also names payloads, columns and errors: one import provides all of them.
@_exported public import RecordSync
