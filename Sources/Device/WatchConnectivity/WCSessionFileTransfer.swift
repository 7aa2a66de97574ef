public import Foundation
import Locking

/// A file that was handed to `transferFile(_:metadata:)`. The delegate is given the same object when the transfer is over.
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

    /// A transfer of nothing to nobody: for test doubles.
    public override init() {
        identifier = UUID()
        sentFile = WCSessionFile()
        fileProgress = FileTransferProgress(size: 0)
        status = Mutex(TransferStatus(isTransferring: false))
        onCancel = { _ in }
    }

    open var file: WCSessionFile { sentFile }

    /// In bytes that the counterpart has. Cancelling it cancels the transfer.
    open var progress: Progress { fileProgress }

    /// True until it arrived, failed or was cancelled.
    open var isTransferring: Bool { status.withLock { $0.isTransferring } }

    /// Takes it back. Without effect once it has arrived; the delegate hears no more of it otherwise.
    open func cancel() { onCancel(identifier) }

    func end() { status.withLock { $0.isTransferring = false } }
}
