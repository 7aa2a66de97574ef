import WatchConnectivity
import WatchKit

// Apple does not mark these classes as Sendable, and neither do the ones here, so that clients' subclasses and
// conformances compile unchanged.
// Proof: a session's stored properties are immutable and Sendable; mutable state of the other classes is under mutexes.
extension WCSession: @unchecked Sendable {}
extension WKExtension: @unchecked Sendable {}
extension WKRefreshBackgroundTask: @unchecked Sendable {}
