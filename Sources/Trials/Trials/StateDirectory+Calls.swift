import Configuration
import ControlSocket
import ServiceRuntime

/// The services that run in a directory, whoever started them.
extension StateDirectory {
    /// - Parameter service: “host” or “companion”.
    func call(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try ControlClient(path: controlSocket(of: service), timeout: patience).call(method, params)
    }

    /// Waits until nothing waits to be sent by a service.
    func awaitTransfers(of service: String, within patience: Duration) throws {
        try TransferWait(of: service, within: patience) { try call(service, $0, $1, within: patience) }.wait()
    }
}
