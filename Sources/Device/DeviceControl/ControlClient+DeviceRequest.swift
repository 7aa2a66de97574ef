package import Configuration
package import ControlSocket

extension ControlClient {
    /// Sends a request to a device, and waits for its answer.
    package func call(_ request: DeviceRequest) throws(Failure) -> JSONValue {
        try call(request.method, request.params)
    }
}
