// A client of this module works with packages and sessions as well: it gets them with one import.
@_exported public import LinkProtocol
@_exported public import WatchConnectivity
