import Foundation

/// A reply handler that is called on another thread.
///
/// Unchecked: a reply handler may be called on any.
final class ReplyBox: @unchecked Sendable {
    private let handler: ([String: Any]) -> Void

    init(_ handler: @escaping ([String: Any]) -> Void) { self.handler = handler }

    func reply(message: [String: Any]) { handler(message) }
}
