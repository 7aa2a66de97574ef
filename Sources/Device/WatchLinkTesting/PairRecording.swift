import CassetteRecording
import Cassettes
import DeviceShell

/// The recording of a pair into one cassette. It goes on until it is finished or released.
public final class PairRecording: Sendable {
    /// The result of a recording.
    public struct Summary: Equatable, Sendable {
        /// The number of events in the cassette.
        public let events: Int
        /// The number of events that are missing.
        public let lost: Int
        /// The reason why events are missing, or why the cassette is not finished; nil if it is complete.
        public let reason: String?
    }

    /// The error for a pair that is recorded already.
    public struct Busy: Error, CustomStringConvertible {
        /// The error and its remedy.
        public let description = "the pair is already being recorded; finish that recording first"
    }

    private let recorder: CassetteRecorder
    private let taps: [DeviceTap]

    init(_ devices: [SimulatedDevice], to path: String, keeping kept: [String]) throws {
        recorder = try CassetteRecorder(
            path: path, sides: devices.map(\.name), seed: devices.first?.faultSeed ?? 0,
            rules: RedactionRules(keeping: kept))
        var taps: [DeviceTap] = []
        for (side, device) in devices.enumerated() {
            guard device.tap.open(recorder.queue, side: side) else {
                for tap in taps { tap.close() }
                _ = recorder.finish()
                throw Busy()
            }
            taps.append(device.tap)
        }
        self.taps = taps
    }

    deinit { finish() }

    /// Ends the recording and completes the cassette. Later calls return the same.
    @discardableResult
    public func finish() -> Summary {
        for tap in taps { tap.close() }
        let report = recorder.finish()
        return Summary(events: report.events, lost: report.lost, reason: report.reason)
    }
}
