import Configuration
import ControlSocket
import DeviceShell
import Foundation
import LinkProtocol

/// Sends on behalf of a person or a scenario what an app would: any kind of message or transfer.
struct SendMethods {
    private let session: SessionCore

    init(_ session: SessionCore) { self.session = session }

    /// - Returns: The identifier, by which the ledgers of both sides know it.
    func send(_ params: JSONValue) throws -> JSONValue {
        let watch = try params.uuid("watch")
        let content: [String: Any] = ["content": params["content"]?.string ?? ""]
        do {
            switch params["kind"]?.string {
            case "message": return answer(try message(content, to: watch))
            case "context":
                try session.updateContext(content, for: watch)
                return .null
            case "user-info", "complication":
                let isUrgent = params["kind"]?.string == "complication"
                let (transfer, refusal) = session.transferUserInfo(content, isForComplication: isUrgent, to: watch)
                if let refusal { throw refusal }
                return answer(transfer.identifier)
            case "file":
                guard let path = params["path"]?.string, path.hasPrefix("/") else {
                    throw ControlError(ControlError.invalidParams, "“path” must be an absolute path")
                }
                let (transfer, refusal) = session.transferFile(URL(filePath: path), metadata: nil, to: watch)
                if let refusal { throw refusal }
                return answer(transfer.identifier)
            default:
                throw ControlError(
                    ControlError.invalidParams, "“kind” must be one of message, context, user-info, complication, file")
            }
        } catch let error as WCError {
            throw ControlError(ControlError.refused, error.localizedDescription)
        }
    }

    private func answer(_ identifier: UUID) -> JSONValue { .object(["identifier": .string(identifier.uuidString)]) }

    private func message(_ content: [String: Any], to watch: UUID?) throws(WCError) -> UUID {
        let identifier = UUID()
        let handlers = MessageHandlers(kind: .message, reply: .dictionary({ _ in }), error: { _ in })
        session.send(try MessagePayload.data(content), identifier: identifier, to: watch, handlers)
        return identifier
    }
}
