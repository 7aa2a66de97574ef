import WatchConnectivity
import WatchKit

// Apple does not mark these as Sendable, and neither do their twins here, so that clients' subclasses and conformances compile
// unchanged.
// Proof: a session's stored properties are immutable and Sendable, and what changes of the others is guarded by mutexes.
extension WCSession: @unchecked Sendable {}
extension WKExtension: @unchecked Sendable {}
extension WKRefreshBackgroundTask: @unchecked Sendable {}
