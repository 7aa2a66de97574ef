import CassetteReplay
import Configuration
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
            guard let request = try request(command, words) else {
                return Self.note("“\(command) \(words.joined(separator: " "))” cannot be repeated")
            }
            apply(request, control)
        } catch {
            Self.note("“\(command) \(words.joined(separator: " "))” cannot be repeated: \(error)")
        }
    }

    /// Returns the watches of the phone whose app is replayed; nil if it cannot be asked yet.
    func seenWatches() -> PlayMachine.Watches? {
        let report: JSONValue
        do throws(ControlClient.Failure) {
            report = try ControlClient(path: control).call(.watches)
        } catch {
            // It is asked again, and what waited for it is done at last without.
            return nil
        }
        var watches = PlayMachine.Watches()
        for watch in report.array ?? [] {
            guard let number = watch["identifier"]?.string.flatMap({ numbers[$0] }), watch["paired"] == true else {
                continue
            }
            watches.known.insert(number)
            if watch["connected"] == true { watches.connected.insert(number) }
            if watch["active"] == true { watches.worn = number }
        }
        return watches
    }

    private func request(_ command: String, _ words: [String]) throws(WordError) -> DeviceRequest? {
        switch command {
        case "device": .device(try DeviceDeed(words: words))
        case "faults": .fault(try FaultDeed(words: words))
        case "watches": .watch(try WatchDeed(words: identified(words)))
        case "link": try Self.condition(identified(Array(words.dropFirst())))
        default: nil
        }
    }

    /// Returns words with the identifiers that played watches have in place of numbers such as `#2`.
    private func identified(_ words: [String]) -> [String] {
        words.map { word in TapeWatches.number(word).flatMap { identifiers[$0] } ?? word }
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
