import LinkProtocol
import Synchronization

/// A message on its way through the delegate: answered once, and noticed when it is dropped unanswered.
final class IncomingMessage: Sendable {
    let package: MessagePackage
    let device: Device
    private let bytes: Int
    private let isAnswered = Atomic(false)
    private let isHandled = Atomic(false)
    private let onDrop: @Sendable (MessagePackage) -> Void

    /// - Parameters:
    ///   - bytes: Its size on the wire.
    ///   - onDrop: Called if nobody can answer it any more.
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
    func takeAnswer() -> Bool { !isAnswered.exchange(true, ordering: .acquiringAndReleasing) }

    /// Bytes that do not wait for the delegate any more: once, when the first answer goes out or the delegate's method returns.
    func takeHandled() -> Int? { isHandled.exchange(true, ordering: .acquiringAndReleasing) ? nil : bytes }
}
