package import Cassettes
import LinkProtocol

/// An event at the boundary of an app, with its content.
package struct AppEvent: Sendable {
    /// The position in its cassette.
    package let sequence: Int
    /// Microseconds since the app's activation, or since the start of the recording if that is later.
    package let time: Int64
    package let kind: String
    package let role: EventRole
    /// The number of the message or transfer.
    package let package: Int?
    /// The number of the watch that it is of, if the recording says it.
    package let watch: Int?
    package let content: RedactedValue?
    /// The rounded size of a file.
    package let bytes: Int?
    package let error: Int?
    package let wantsReply: Bool
    package let words: String?
    /// The event in which the app's code was called, by its position, if the app did this before it returned.
    package let occasion: Int?
}

extension AppEvent {
    /// True for an event that is of a device itself, the one in its package: of the link to it, or of what was known of it.
    package var isOfDevice: Bool { kind == "connected" || kind == "disconnected" || kind == PresentWatch.kind }

    /// The error with its name, such as `error 7010 (payloadUnsupportedTypes)`.
    var errorInWords: String {
        let code = error ?? 0
        return "error \(code)" + (SessionErrorCode(rawValue: code).map { " (\($0.name))" } ?? "")
    }
}
