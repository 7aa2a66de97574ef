import Foundation
package import LinkProtocol

extension DeviceEvent {
    /// The parts of an event that only some events have.
    package enum Details: Sendable {
        case none
        case content(Content?, wantsReply: Bool = false)
        /// A file of a size.
        case file(Content?, bytes: Int)
        /// The raw value of a `WCError.Code`.
        case error(Int?)
        /// The words of an action, or a state.
        case words(String?)
        /// The message that the app is given.
        case message(MessagePackage)
        /// A package on the link. It is taken apart later, on the recorder's thread: that would cost more than the rest of the
        /// event.
        case package(MessagePackage)
    }
}

extension DeviceEvent.Details {
    package var content: DeviceEvent.Content? {
        switch self {
        case .content(let content, _), .file(let content, _): content
        // A message without a payload is given as an empty one.
        case .message(let package): DeviceEvent.Content(package.dataPackage ?? Data(), of: package.command)
        case .package(let package): package.dataPackage.map { DeviceEvent.Content($0, of: package.command) }
        case .none, .error, .words: nil
        }
    }

    /// The size of the content.
    var size: Int {
        switch self {
        case .content(let content, _), .file(let content, _): content?.size ?? 0
        case .message(let package), .package(let package): package.dataPackage?.count ?? 0
        case .none, .error, .words: 0
        }
    }

    /// The size of a file.
    package var bytes: Int? { if case .file(_, let bytes) = self { bytes } else { nil } }

    package var error: Int? {
        switch self {
        case .error(let code): code
        case .package(let package): package.errorCode
        case .none, .content, .file, .words, .message: nil
        }
    }

    package var wantsReply: Bool {
        switch self {
        case .content(_, let wantsReply): wantsReply
        case .message(let package), .package(let package): package.wantsReply
        case .none, .file, .error, .words: false
        }
    }

    /// The words of an action, a state, or the command and status of a package.
    package var words: String? {
        switch self {
        case .words(let words): words
        case .package(let package): package.command.rawValue + " " + package.status.rawValue
        case .none, .content, .file, .error, .message: nil
        }
    }
}
