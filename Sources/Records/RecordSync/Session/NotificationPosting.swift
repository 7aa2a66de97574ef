public import Foundation
import Locking

/// The posting of notifications on the main queue, where observers expect them.
public protocol NotificationPosting {}

extension NotificationPosting {
    /// Posts a notification asynchronously on the main queue.
    public func post(_ name: Notification.Name, object: any Sendable, userInfo: [String: any Sendable] = [:]) {
        Posting.add([Posting(name: name, object: object, userInfo: userInfo)])
    }

    /// Delays the notifications that the body posts on its thread until it returns, so that the main queue is woken
    /// once.
    func postTogether(_ body: () -> Void) {
        Posting.batched(body)
    }

    /// Posts one notification for each object, in their order.
    func post(_ name: Notification.Name, objects: [any Sendable]) {
        Posting.add(objects.map { Posting(name: name, object: $0, userInfo: [:]) })
    }
}

/// A notification that waits for the main queue, where all waiting ones are posted together.
private struct Posting: Sendable {
    private static let waiting = Batch<Posting>()
    /// The threads inside `postTogether`.
    private static let collectors = ThreadScope()

    let name: Notification.Name
    let object: any Sendable
    let userInfo: [String: any Sendable]

    static func add(_ postings: [Posting]) {
        if waiting.add(contentsOf: postings), !collectors.isInside { schedule() }
    }

    static func batched(_ body: () -> Void) {
        collectors.run(body)
        if !waiting.isEmpty { schedule() }
    }

    private static func schedule() { DispatchQueue.main.async { postWaiting() } }

    private static func postWaiting() {
        for posting in waiting.take() {
            NotificationCenter.default.post(
                name: posting.name, object: posting.object, userInfo: posting.userInfo.isEmpty ? nil : posting.userInfo)
        }
    }
}
