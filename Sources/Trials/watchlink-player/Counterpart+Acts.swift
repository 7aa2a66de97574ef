import ControlSocket
import DeviceControl
import DeviceShell
import Foundation
import LinkProtocol
import WatchConnectivity
import Words

/// Actions on the two devices, over their control sockets.
extension Counterpart {
    /// Does to the replayed app's device what a person did to it.
    func act(_ command: String, _ words: [String]) {
        do {
            guard let request = try Self.request(command, words) else {
                return Self.note("“\(command) \(words.joined(separator: " "))” cannot be repeated")
            }
            apply(request, control)
        } catch {
            Self.note("“\(command) \(words.joined(separator: " "))” cannot be repeated: \(error)")
        }
    }

    private static func request(_ command: String, _ words: [String]) throws(WordError) -> DeviceRequest? {
        switch command {
        case "device": .device(try DeviceDeed(words: words))
        case "faults": .fault(try FaultDeed(words: words))
        case "link" where !words.contains("--device"):
            .condition(try LinkCondition(words: Array(words.dropFirst())), for: nil)
        // Identifiers of watches are others in each run.
        default: nil
        }
    }

    /// Asks a device for something; the own one without a socket.
    func apply(_ request: DeviceRequest, _ socket: String?) {
        do throws(ControlClient.Failure) {
            let own = ProcessInfo.processInfo.environment["WATCHLINK_DEVICE_STATE"] ?? ""
            _ = try ControlClient(path: socket ?? DeviceDirectory(own).controlSocket).call(request)
        } catch {
            Self.note("\(request.method) failed: \(error)")
        }
    }
}
