// A test that uses devices uses their sessions.
@_exported public import LinkProtocol
@_exported public import WatchConnectivity
