import Configuration
import ControlSocket
import DeviceControl
import ServiceRuntime

/// The services that run in a directory, whoever started them.
extension StateDirectory {
    /// - Parameter service: “host” or “companion”.
    func call(
        _ service: String, _ method: String, _ params: JSONValue = .object([:]), within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try ControlClient(path: controlSocket(of: service), timeout: patience).call(method, params)
    }

    /// The same for what is asked of any device.
    func call(
        _ service: String, _ request: DeviceRequest, within patience: Duration
    ) throws(ControlClient.Failure) -> JSONValue {
        try call(service, request.method, request.params, within: patience)
    }

    /// Waits until nothing waits to be sent by a service.
    func awaitTransfers(of service: String, within patience: Duration) throws {
        try TransferWait(of: service, within: patience) { try call(service, $0, within: patience) }.wait()
    }
}
