public import Foundation
import Locking

/// A transfer started by `transferFile(_:metadata:)`. The delegate receives the same object when it ends.
open class WCSessionFileTransfer: NSObject {
    let identifier: UUID
    let fileProgress: FileTransferProgress
    private let sentFile: WCSessionFile
    private let status: Mutex<TransferStatus>
    private let onCancel: @Sendable (UUID) -> Void

    init(
        identifier: UUID, file: WCSessionFile, size: Int64, isTransferring: Bool = true,
        onCancel: @escaping @Sendable (UUID) -> Void
    ) {
        self.identifier = identifier
        sentFile = file
        fileProgress = FileTransferProgress(size: size) { onCancel(identifier) }
        status = Mutex(TransferStatus(isTransferring: isTransferring))
        self.onCancel = onCancel
    }

    /// Creates an object without a transfer, for test doubles.
    public override init() {
        identifier = UUID()
        sentFile = WCSessionFile()
        fileProgress = FileTransferProgress(size: 0)
        status = Mutex(TransferStatus(isTransferring: false))
        onCancel = { _ in }
    }

    /// The file.
    open var file: WCSessionFile { sentFile }

    /// The progress in bytes that the counterpart has. Cancelling it cancels the transfer.
    open var progress: Progress { fileProgress }

    /// True until the transfer has arrived, failed or been cancelled.
    open var isTransferring: Bool { status.withLock { $0.isTransferring } }

    /// Cancels the transfer. Has no effect once it has arrived; otherwise the delegate is not called for it.
    open func cancel() { onCancel(identifier) }

    func end() { status.withLock { $0.isTransferring = false } }
}
