import CassetteReplay
import ControlSocket
import DeviceControl
import DeviceShell
import Foundation
import LinkProtocol
import Trials
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
        case "watches": .watch(try WatchDeed(words: identified(words)))
        case "link": try condition(identified(Array(words.dropFirst())))
        default: nil
        }
    }

    /// Returns words with the identifiers that played watches have in place of numbers such as `#2`.
    private static func identified(_ words: [String]) -> [String] {
        words.map { TapeWatches.number($0).map { PlayedWatch.identifier($0).uuidString } ?? $0 }
    }

    private static func condition(_ words: [String]) throws(WordError) -> DeviceRequest {
        guard let place = words.firstIndex(of: "--device"), place + 1 < words.endIndex else {
            return .condition(try LinkCondition(words: words), for: nil)
        }
        let rest = Array(words[..<place] + words[(place + 2)...])
        return .condition(try LinkCondition(words: rest), for: try WordValue.uuid("link --device", words[place + 1]))
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
