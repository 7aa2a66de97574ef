package import Foundation
package import LinkProtocol
import LinkTransport

/// Something that happened on a device: at the app's boundary, on the link, or by a person's hand.
package struct DeviceEvent: Sendable {
    /// The place of an event in the life of a message or transfer.
    package enum Stage: Sendable {
        /// The app's call that starts it.
        case call
        case written, read
        /// The receiver's app is called with it.
        case delivered
        /// The receiver's app answers.
        case answered
        case answerWritten, answerRead
        /// The sender's app is called with the outcome.
        case ended
        /// The app is called for a change of the device's state.
        case notified
        case other
    }

    /// The content of an event.
    package enum Content: Equatable, Sendable {
        case propertyList(Data)
        case bytes(Data)

        /// Creates the content of a message or transfer of a kind.
        package init(_ data: Data, of kind: TransferKind) { self = kind == .data ? .bytes(data) : .propertyList(data) }
    }

    let time: MonotonicTime
    let name: StaticString
    let stage: Stage
    /// The message or transfer.
    let package: UUID?
    /// The watch that it is of, on a phone that serves several at the same time; the device that has connected.
    let device: UUID?
    let details: Details

    /// - Parameter time: The time, for a caller that has read the clock already.
    package init(
        _ name: StaticString, _ stage: Stage, _ package: UUID? = nil, _ details: Details = .none,
        of device: UUID? = nil, at time: MonotonicTime = .now
    ) {
        (self.time, self.name, self.stage, self.package, self.details) = (time, name, stage, package, details)
        self.device = device
    }
}
