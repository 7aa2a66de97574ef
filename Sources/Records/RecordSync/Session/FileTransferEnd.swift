public import Foundation
public import WatchConnectivity

/// The end of the transfer of a payload's file.
public final class FileTransferEnd: Sendable {
    /// The name of the application's kind; nil for the application whose payloads have none.
    public let name: String?
    /// The SHA-256 of the file.
    public let digest: Data
    /// The error; nil if the counterpart has the file.
    public let code: WCError.Code?
    /// The reason for the error.
    public let reason: String

    /// Creates the end of a transfer; nil if the file is not a payload's.
    init?(_ transfer: WCSessionFileTransfer, _ error: (any Error)?) {
        guard let digest = transfer.file.metadata?[Payload.digestKey] as? Data else { return nil }
        name = transfer.file.metadata?[Payload.nameKey] as? String
        self.digest = digest
        code = error.map { ($0 as? WCError)?.code ?? .genericError }
        reason = error?.localizedDescription ?? ""
    }
}
