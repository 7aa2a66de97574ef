// Clients of this module also use packages and sessions: one import provides all of them.
@_exported public import LinkProtocol
@_exported public import WatchConnectivity
