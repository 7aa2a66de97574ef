// Clients of this module also use packages, sessions and records: one import provides all of them.
@_exported public import LinkProtocol
@_exported public import RecordStorage
@_exported public import WatchConnectivity
