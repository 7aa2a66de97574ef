package import LinkProtocol
import Synchronization

/// A message on its way through the delegate. It is answered once, and reports when it is released without an answer.
package final class IncomingMessage: Sendable {
    package let package: MessagePackage
    package let device: Device
    /// Its size on the wire.
    package let bytes: Int
    private let isAnswered = Atomic(false)
    private let isHandled = Atomic(false)
    private let onDrop: @Sendable (MessagePackage) -> Void

    /// - Parameter onDrop: Called if it can no longer be answered.
    init(
        _ package: MessagePackage, from device: Device, bytes: Int, onDrop: @escaping @Sendable (MessagePackage) -> Void
    ) {
        self.package = package
        self.device = device
        self.bytes = bytes
        self.onDrop = onDrop
    }

    deinit { if takeAnswer() { onDrop(package) } }

    /// Claims the answer; returns `true` the first time.
    package func takeAnswer() -> Bool { !isAnswered.exchange(true, ordering: .acquiringAndReleasing) }

    /// Claims the end of the wait for the delegate; returns `true` once, when the first answer is sent or the
    /// delegate's method returns.
    package func takeHandled() -> Bool { !isHandled.exchange(true, ordering: .acquiringAndReleasing) }
}
