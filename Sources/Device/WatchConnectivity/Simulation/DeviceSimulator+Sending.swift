import DeviceShell
import Foundation
package import LinkProtocol

extension DeviceSimulator {
    /// Sends content in place of the app.
    ///
    /// - Parameter watch: The receiving watch, on a host; nil for the active one.
    /// - Returns: The identifier in the ledgers of both sides; nil for a context, which replaces the previous one.
    package func send(_ deed: SendDeed, to watch: UUID?) throws(WCError) -> UUID? {
        switch deed {
        case .message(let text):
            let identifier = UUID()
            let handlers = MessageHandlers(kind: .message, reply: .dictionary({ _ in }), error: { _ in })
            core.send(try MessagePayload.data(Self.content(text)), identifier: identifier, to: watch, handlers)
            return identifier
        case .context(let text):
            try core.updateContext(Self.content(text), for: watch)
            return nil
        case .userInfo(let text): return try sendUserInfo(text, isForComplication: false, to: watch)
        case .complication(let text): return try sendUserInfo(text, isForComplication: true, to: watch)
        case .file(let path):
            let (transfer, refusal) = core.transferFile(URL(filePath: path), metadata: nil, to: watch)
            if let refusal { throw refusal }
            return transfer.identifier
        }
    }

    private func sendUserInfo(_ text: String, isForComplication: Bool, to watch: UUID?) throws(WCError) -> UUID {
        let (transfer, refusal) = core.transferUserInfo(
            Self.content(text), isForComplication: isForComplication, to: watch)
        if let refusal { throw refusal }
        return transfer.identifier
    }

    private static func content(_ text: String) -> [String: Any] { ["content": text] }
}
