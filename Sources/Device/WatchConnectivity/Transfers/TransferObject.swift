import DeviceEngine
import Foundation
import LinkProtocol
import SessionStorage

/// What the application holds of a transfer.
// Proof of `@unchecked Sendable`: what changes of the objects is guarded by mutexes; progress changes on the delegate queue.
enum TransferObject: @unchecked Sendable {
    case userInfo(WCSessionUserInfoTransfer)
    case file(WCSessionFileTransfer)

    /// The object of a transfer that an earlier run left; nil for a context, of which the application holds nothing.
    ///
    /// - Throws: If its payload cannot be read any more.
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

    /// The counterpart has so many bytes of the file. On the delegate queue.
    func advance(to bytes: Int64) {
        if case .file(let transfer) = self { transfer.fileProgress.advance(to: bytes) }
    }

    var isCurrentComplicationInfo: Bool {
        if case .userInfo(let transfer) = self { transfer.isCurrentComplicationInfo } else { false }
    }

    /// It is no longer the complication's current transfer.
    func calm() { if case .userInfo(let transfer) = self { transfer.calm() } }

    func end() {
        switch self {
        case .userInfo(let transfer): transfer.end()
        case .file(let transfer): transfer.end()
        }
    }
}
