import Foundation

/// A step of the course: one app sends, then the other judges what has arrived.
struct Step {
    let name: String
    /// The part of the app that sends.
    let send: (Stage) -> Void
    /// The part of the app that receives, when the sender has done its.
    let judge: (Stage) -> Void

    init(_ name: String, send: @escaping (Stage) -> Void, judge: @escaping (Stage) -> Void = { _ in }) {
        (self.name, self.send, self.judge) = (name, send, judge)
    }

    /// Returns the bytes of a file.
    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8($0 % 251) }) }

    /// Finds a step by the name in an order.
    static func named(_ name: String) -> Step? { all.first { $0.name == name } }

    /// The steps in which both apps are in the foreground; each app sends in turn.
    static let near = [messages, data, order, inCall, values, limits, contexts, userInfos, files, replies, calls]
    /// The steps whose parts are played by both apps at once.
    static let far = [away, wake, relaunch]

    static let all = near + far
}
