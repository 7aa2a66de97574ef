import Configuration
import ControlSocket
import Foundation
import LinkProtocol
import WatchConnectivity

/// Sends on behalf of a person or a scenario what an app would: any kind of message or transfer.
struct SendMethods {
    private let device: DeviceSimulator

    init(_ device: DeviceSimulator) { self.device = device }

    /// - Returns: The identifier, by which the ledgers of both sides know it.
    func send(_ params: JSONValue) throws(ControlError) -> JSONValue {
        let watch = try params.uuid("watch")
        guard let kind = params["kind"]?.string.flatMap(SendDeed.Kind.init) else {
            let kinds = SendDeed.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlError(ControlError.invalidParams, "“kind” must be one of \(kinds)")
        }
        guard let deed = SendDeed(kind, content: params["content"]?.string ?? "", path: params["path"]?.string) else {
            throw ControlError(ControlError.invalidParams, "“path” must be an absolute path")
        }
        do {
            guard let identifier = try device.send(deed, to: watch) else { return .null }
            return ["identifier": .string(identifier.uuidString)]
        } catch {
            throw ControlError(ControlError.refused, error.localizedDescription)
        }
    }
}
