import Configuration
import ControlSocket
import DeviceControl
import ServiceRuntime

/// Calls to the services that run in a directory.
extension StateDirectory {
    /// Calls a method of a service.
    ///
    /// - Parameter service: “host” or “companion”.
    func call(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try ControlClient(path: controlSocket(of: service), timeout: patience).call(method, params)
    }

    /// Sends a request that any device understands.
    func call(
        _ service: String, _ request: DeviceRequest, within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try call(service, request.method, request.params, within: patience)
    }

    /// Waits until a service has no pending transfers.
    func awaitTransfers(of service: String, within patience: Duration) throws {
        try TransferWait(of: service, within: patience) { try call(service, $0, within: patience) }.wait()
    }
}
