public import Foundation
import KeyedArchive
import Locking

/// A transfer started by `transferUserInfo(_:)` or `transferCurrentComplicationUserInfo(_:)`. The delegate receives the
/// same object when it ends.
open class WCSessionUserInfoTransfer: NSObject, NSSecureCoding {
    let identifier: UUID
    private let content: [String: Any]
    /// The encoded dictionary; nil if it could not be encoded and was never queued.
    private let payload: Data?
    private let status: Mutex<TransferStatus>
    private let onCancel: @Sendable (UUID) -> Void

    init(
        identifier: UUID, userInfo: [String: Any], payload: Data?, isCurrentComplicationInfo: Bool,
        isTransferring: Bool = true,
        onCancel: @escaping @Sendable (UUID) -> Void
    ) {
        self.identifier = identifier
        content = userInfo
        self.payload = payload
        status = Mutex(
            TransferStatus(isTransferring: isTransferring, isCurrentComplicationInfo: isCurrentComplicationInfo))
        self.onCancel = onCancel
    }

    /// Creates an object without a transfer, for test doubles.
    public override init() {
        identifier = UUID()
        content = [:]
        payload = nil
        status = Mutex(TransferStatus(isTransferring: false))
        onCancel = { _ in }
    }

    /// Host only: true if it is the latest for the complication.
    open var isCurrentComplicationInfo: Bool { status.withLock { $0.isCurrentComplicationInfo } }

    /// The dictionary.
    open var userInfo: [String: Any] { content }

    /// True until the transfer has arrived, failed or been cancelled.
    open var isTransferring: Bool { status.withLock { $0.isTransferring } }

    /// Cancels the transfer. Has no effect once it has arrived; otherwise the delegate is not called for it.
    open func cancel() { onCancel(identifier) }

    func end() { status.withLock { $0.isTransferring = false } }
    func demote() { status.withLock { $0.isCurrentComplicationInfo = false } }

    // MARK: - NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    private enum Key {
        static let identifier = "identifier"
        static let userInfo = "userInfo"
        static let isCurrentComplicationInfo = "isCurrentComplicationInfo"
    }

    open func encode(with coder: NSCoder) {
        coder.encode(identifier as NSUUID, forKey: Key.identifier)
        coder.encode(isCurrentComplicationInfo, forKey: Key.isCurrentComplicationInfo)
        coder.encode(payload as NSData?, forKey: Key.userInfo)
    }

    /// Decodes a copy for reading: it is not in flight, and cancelling it has no effect.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSUUID.self, forKey: Key.identifier) else { return nil }
        self.identifier = identifier as UUID
        payload = coder.decodeObject(of: NSData.self, forKey: Key.userInfo) as Data?
        do {
            content = try payload.map(MessagePayload.dictionary) ?? [:]
        } catch {
            coder.failWithError(error)
            return nil
        }
        status = Mutex(
            TransferStatus(
                isTransferring: false,
                isCurrentComplicationInfo: coder.decodeBool(forKey: Key.isCurrentComplicationInfo)))
        onCancel = { _ in }
    }
}
