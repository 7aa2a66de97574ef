package import Foundation
import Glibc
package import LinkProtocol
import LinkTransport
import Locking

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
        /// The app's code that was called has returned.
        case returned
        case other
    }

    /// The content of an event.
    package enum Content: Sendable {
        case propertyList(Data)
        case bytes(Data)

        /// - Returns: Nil for a package without a payload.
        init?(_ package: MessagePackage) {
            guard let data = package.dataPackage else { return nil }
            self = package.command == .sendMessageData ? .bytes(data) : .propertyList(data)
        }

        /// The bytes.
        package var size: Int {
            switch self {
            case .propertyList(let data), .bytes(let data): data.count
            }
        }

        /// Creates the content of a message or transfer of a kind.
        package init(_ data: Data, of kind: TransferKind) { self = kind == .data ? .bytes(data) : .propertyList(data) }
    }

    /// The words of an event. They become text later, on the recorder's thread: text for each package would cost more than
    /// the rest of the event.
    package enum Words: Sendable {
        /// The words of an action, or a state.
        case text(String)
        /// The command and status of a package.
        case package(Command, DeliveryStatus)

        package var text: String {
            switch self {
            case .text(let text): text
            case .package(let command, let status): "\(command.rawValue) \(status.rawValue)"
            }
        }
    }

    /// The parts of an event that only some events have.
    package struct Details: Sendable {
        package var content: Content?
        /// The size of a file.
        package var bytes: Int?
        /// The raw value of a `WCError.Code`.
        package var error: Int?
        package var wantsReply = false
        package var words: Words?

        package init(
            _ content: Content? = nil, bytes: Int? = nil, error: Int? = nil, wantsReply: Bool = false,
            words: Words? = nil
        ) {
            (self.content, self.bytes, self.error) = (content, bytes, error)
            (self.wantsReply, self.words) = (wantsReply, words)
        }
    }

    package let time = MonotonicTime.now
    /// The thread; 0 for the main thread.
    package let thread: UInt = Thread.isMain ? 0 : pthread_self()
    package let name: String
    package let stage: Stage
    /// The message or transfer.
    package let package: UUID?
    package let details: Details

    package init(_ name: String, _ stage: Stage, _ package: UUID? = nil, _ details: Details = Details()) {
        (self.name, self.stage, self.package, self.details) = (name, stage, package, details)
    }

    /// Creates the event of a package on the link.
    init(_ package: MessagePackage, isWritten: Bool) {
        let isAnswer = package.answers != nil
        let details = Details(
            Content(package), error: package.errorCode, wantsReply: package.wantsReply,
            words: .package(package.command, package.status))
        if isWritten {
            self.init("write", isAnswer ? .answerWritten : .written, package.answers ?? package.identifier, details)
        } else {
            self.init("read", isAnswer ? .answerRead : .read, package.answers ?? package.identifier, details)
        }
    }
}
