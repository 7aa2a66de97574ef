public import Foundation
import Locking

/// The updates of complications. There is no face here: requests are recorded, and no data source is asked.
// Proof of `@unchecked Sendable`: its only property is guarded by a mutex.
open class CLKComplicationServer: NSObject, @unchecked Sendable {
    /// The number of requests that are kept. 1,000: many more than a test makes, and no burden for a program of days.
    public static let maximumRecordedRequests = 1_000

    /// A request of the app. WatchLink's own.
    public enum Request: Equatable, Sendable {
        /// The complication's timeline shall be made anew.
        case reload(CLKComplication)
        /// The complication's timeline shall be continued.
        case extend(CLKComplication)
    }

    private struct Content {
        var active: [CLKComplication] = []
        var requests: [Request] = []
    }

    private static let server = CLKComplicationServer()

    private let content = Mutex(Content())

    package override init() {}

    /// Returns the only instance.
    open class func sharedInstance() -> CLKComplicationServer { server }

    /// The complications on the face: none until ``simulate(activeComplications:)``.
    open var activeComplications: [CLKComplication]? { content.withLock { $0.active } }

    /// Records that a timeline shall be made anew.
    open func reloadTimeline(for complication: CLKComplication) { record(.reload(complication)) }

    /// Records that a timeline shall be continued.
    open func extendTimeline(for complication: CLKComplication) { record(.extend(complication)) }

    /// Sets the complications on the face, which apps reload one by one. WatchLink's own.
    public func simulate(activeComplications: [CLKComplication]) {
        content.withLock { $0.active = activeComplications }
    }

    /// The requests of the app, the latest last. WatchLink's own.
    public var recordedRequests: [Request] { content.withLock { $0.requests } }

    /// The recorded requests to make a timeline anew. WatchLink's own.
    public var recordedReloads: [CLKComplication] {
        recordedRequests.compactMap { if case .reload(let complication) = $0 { complication } else { nil } }
    }

    private func record(_ request: Request) {
        content.withLock { content in
            if content.requests.count >= Self.maximumRecordedRequests { content.requests.removeFirst() }
            content.requests.append(request)
        }
    }
}
