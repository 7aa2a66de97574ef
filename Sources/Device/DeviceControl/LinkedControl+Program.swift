import CassetteRecording
import ControlSocket
import DeviceShell
import EventLog
import LinkProtocol
import LinkTransport
import WatchConnectivity

extension LinkedControl {
    /// The features of a program that is linked with this module.
    static let whole = LinkedControl(pairingSecrets: CryptSecrets(), open: open(_:_:_:), record: record(_:_:))

    private static func open(_ device: DeviceSimulator, _ path: String, _ logger: Logger) throws -> Close {
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

    private static func record(_ device: DeviceSimulator, _ order: RecordingOrder) throws -> any DeviceRecording {
        guard let configuration = device.configuration else { throw WCError(.sessionNotSupported) }
        let isPhone = configuration.device.role == .host
        return try SingleRecording(
            configuration.tap, side: isPhone ? "phone" : "watch", order, seed: configuration.faultSeed,
            serving: isPhone ? configuration.companions.serving : nil, beginning: device.begin)
    }
}

/// Called by `WatchConnectivity` if the program contains it.
@_cdecl("watchlink_device_control")
func giveDeviceControl() { LinkedControl.give(.whole) }
