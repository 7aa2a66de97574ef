// Tests that use devices also use their sessions.
@_exported public import LinkProtocol
@_exported public import WatchConnectivity
