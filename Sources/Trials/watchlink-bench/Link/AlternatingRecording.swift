import CassetteRecording
import Cassettes
import DeviceShell
import Foundation
import LinkProtocol
import LinkTransport

/// The recording of a device that takes part in a measurement: in every other slice of time, its events are recorded.
///
/// Both devices have the same slices, those of the machine's clock. What a recording costs shows within one pair of processes
/// then: two pairs differ by more, as their memory lies elsewhere and they run at other times.
final class AlternatingRecording: Sendable {
    /// The length of a slice, in nanoseconds. 100 ms: shorter than the spans in which a machine is slower or faster.
    private static let slice: Int64 = 100_000_000
    /// The start of a slice that does not count, in nanoseconds. Twice the time in which events are collected: both devices have
    /// changed over by then, and have written the events of the slice before, which are not to be paid by the messages without.
    private static let change = 2 * Int64(CassetteLimits.collecting / .nanoseconds(1))

    private let recorder: CassetteRecorder
    private let tap: DeviceTap

    /// Starts to record events of a device.
    ///
    /// - Parameters:
    ///   - path: The path of the cassette.
    ///   - side: The name of the device.
    init(_ tap: DeviceTap, path: String, side: String) throws {
        self.tap = tap
        recorder = try CassetteRecorder(path: path, sides: [side], seed: 0, rules: RedactionRules())
        Thread.detachNewThread { [self] in alternate() }
    }

    /// Returns true if what happens at a time is recorded; nil while the devices change over.
    static func isRecorded(at time: MonotonicTime) -> Bool? {
        let (slice, passed) = time.nanoseconds.quotientAndRemainder(dividingBy: slice)
        return passed < change ? nil : slice.isMultiple(of: 2)
    }

    private func alternate() -> Never {
        while true {
            let (slice, passed) = MonotonicTime.now.nanoseconds.quotientAndRemainder(dividingBy: Self.slice)
            if slice.isMultiple(of: 2) { _ = tap.open(recorder.queue, side: 0) } else { tap.close() }
            // To a moment after the start of the next slice.
            usleep(UInt32((Self.slice - passed) / 1_000 + 100))
        }
    }
}
