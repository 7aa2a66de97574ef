import ControlSocket
import EventLog
import LinkTransport
import WatchConnectivity

extension LinkedControl {
    /// The features of a program that is linked with this module.
    static let whole = LinkedControl(pairingSecrets: CryptSecrets()) { device, path, logger in
        let (methods, general) = (DeviceMethods(device), ProgramMethods(device))
        let server = ControlServer(
            loop: try EventLoop(name: "watchlink-ctl"), path: path, logger: logger
        ) { method, params, respond in
            if let answer = general.answer(method, params) { return respond(.success(answer)) }
            methods.answer(method, params, respond) ?? respond(.failure(.unknown(method: method)))
        }
        server.start { error in
            if let error { logger.log(.acceptFailed, [.path(path), .error(error)]) }
        }
        return { server.stop {} }
    }
}

/// Called by `WatchConnectivity` if the program contains it.
@_cdecl("watchlink_device_control")
func giveDeviceControl() { LinkedControl.give(.whole) }
