import Foundation
import Locking

/// The updates of widgets. There are no widgets here: reloads are recorded, and no timeline provider is asked.
public final class WidgetCenter: Sendable {
    /// The number of reloads that are kept. 1,000: many more than a test makes, and no burden for a program of days.
    public static let maximumRecordedReloads = 1_000

    /// A reload that the app requested. WatchLink's own.
    public enum Reload: Equatable, Sendable {
        /// The timelines of all widgets.
        case all
        /// The timelines of the widgets of a kind.
        case kind(String)
    }

    /// The only instance.
    public static let shared = WidgetCenter()

    private let reloads = Mutex<[Reload]>([])

    package init() {}

    /// Records a reload of all timelines.
    public func reloadAllTimelines() { record(.all) }

    /// Records a reload of the timelines of a kind.
    public func reloadTimelines(ofKind kind: String) { record(.kind(kind)) }

    /// Reports the widgets that the user has placed, on another queue: always none.
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {
        let completion = UncheckedBox(completion)
        DispatchQueue.global().async { completion.value(.success([])) }
    }

    /// The reloads that the app requested, the latest last. WatchLink's own: Apple's class does not have it.
    public var recordedReloads: [Reload] { reloads.withLock { $0 } }

    private func record(_ reload: Reload) {
        reloads.withLock { reloads in
            if reloads.count >= Self.maximumRecordedReloads { reloads.removeFirst() }
            reloads.append(reload)
        }
    }
}
