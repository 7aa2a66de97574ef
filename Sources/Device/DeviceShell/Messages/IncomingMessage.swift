package import LinkProtocol
import Synchronization

/// A message on its way through the delegate: answered once, and noticed when it is dropped unanswered.
package final class IncomingMessage: Sendable {
    package let package: MessagePackage
    package let device: Device
    /// Its size on the wire.
    package let bytes: Int
    private let isAnswered = Atomic(false)
    private let isHandled = Atomic(false)
    private let onDrop: @Sendable (MessagePackage) -> Void

    /// - Parameter onDrop: Called if nobody can answer it any more.
    init(
        _ package: MessagePackage, from device: Device, bytes: Int, onDrop: @escaping @Sendable (MessagePackage) -> Void
    ) {
        self.package = package
        self.device = device
        self.bytes = bytes
        self.onDrop = onDrop
    }

    deinit { if takeAnswer() { onDrop(package) } }

    /// Whether it has not been answered before.
    package func takeAnswer() -> Bool { !isAnswered.exchange(true, ordering: .acquiringAndReleasing) }

    /// Whether it waited for the delegate until now: once, when the first answer goes out or the delegate's method returns.
    package func takeHandled() -> Bool { !isHandled.exchange(true, ordering: .acquiringAndReleasing) }
}
