import DeviceEngine
import Foundation
import LinkProtocol
import SessionStorage

/// The object that represents a transfer to the application.
// Proof of `@unchecked Sendable`: mutable state of the objects is guarded by mutexes; progress changes on the delegate
// queue.
enum TransferObject: @unchecked Sendable {
    case userInfo(WCSessionUserInfoTransfer)
    case file(WCSessionFileTransfer)

    /// Creates the object of a transfer of an earlier run; nil for a context, which has none.
    ///
    /// - Throws: ``WCError`` if its payload is unreadable.
    init?(_ transfer: OutgoingTransfer, onCancel: @escaping @Sendable (UUID) -> Void) throws(WCError) {
        var content: [String: Any]?
        if let payload = transfer.payload { content = try MessagePayload.dictionary(payload) }
        switch transfer.kind {
        case .userInfo, .complication:
            self = .userInfo(
                WCSessionUserInfoTransfer(
                    identifier: transfer.identifier, userInfo: content ?? [:], payload: transfer.payload,
                    isCurrentComplicationInfo: transfer.kind == .complication,
                    isTransferring: transfer.ending == nil, onCancel: onCancel))
        case .file:
            let file = WCSessionFile(fileURL: URL(filePath: transfer.file?.path ?? ""), metadata: content)
            self = .file(
                WCSessionFileTransfer(
                    identifier: transfer.identifier, file: file, size: transfer.file?.size ?? 0,
                    isTransferring: transfer.ending == nil, onCancel: onCancel))
        case .context, .message, .data: return nil
        }
    }

    var property: TransferObjects.Property {
        switch self {
        case .userInfo: .userInfos
        case .file: .files
        }
    }

    var isTransferring: Bool {
        switch self {
        case .userInfo(let transfer): transfer.isTransferring
        case .file(let transfer): transfer.isTransferring
        }
    }

    var identifier: UUID {
        switch self {
        case .userInfo(let transfer): transfer.identifier
        case .file(let transfer): transfer.identifier
        }
    }

    /// Updates a file's progress to the bytes that the counterpart has. On the delegate queue.
    func advance(to bytes: Int64) {
        if case .file(let transfer) = self { transfer.fileProgress.advance(to: bytes) }
    }

    var isCurrentComplicationInfo: Bool {
        if case .userInfo(let transfer) = self { transfer.isCurrentComplicationInfo } else { false }
    }

    /// Records that it is no longer the complication's current transfer.
    func demote() { if case .userInfo(let transfer) = self { transfer.demote() } }

    func end() {
        switch self {
        case .userInfo(let transfer): transfer.end()
        case .file(let transfer): transfer.end()
        }
    }
}
