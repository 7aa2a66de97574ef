package import Foundation
package import LinkProtocol

/// An event that was noted, with its parts, as the recorder's thread reads it.
package struct NotedEvent: Sendable {
    /// The number of its device in the recording.
    package let side: Int
    package let time: MonotonicTime
    /// The thread; 0 for the main thread.
    package let thread: UInt
    package let name: String
    package let stage: DeviceEvent.Stage
    /// The message or transfer.
    package let package: UUID?
    /// The watch that it is of, on a phone that serves several at the same time; the device that has connected.
    package let device: UUID?
    package let content: DeviceEvent.Content?
    /// The size of a file.
    package let bytes: Int?
    package let error: Int?
    package let wantsReply: Bool
    /// The words of an action, a state, or the command and status of a package.
    package let words: String?
    /// True if the app did it in a call of its code.
    package let isInCall: Bool
}
