package import DeviceShell
import Foundation
import LinkProtocol

/// The recording of the device, and what a recording has of the actions on it.
extension DeviceSimulator {
    /// Records the device from now on.
    ///
    /// - Returns: The directory of the cassette.
    /// - Throws: An error if it is already recorded, or the cassette cannot be made.
    package func startRecording(_ order: RecordingOrder) throws -> String { try core.startRecording(order) }

    /// Lets a recording begin, with what the device knows of its counterparts at that moment as its first events.
    ///
    /// - Parameter open: Adds the device's events to the recording from now on; false if another recording has them.
    package func begin(_ open: @escaping @Sendable () -> Bool) -> Bool { core.begin(open) }

    /// Ends the recording of the device; nil if it is not recorded.
    package func stopRecording() -> RecordingReport? { core.endRecording() }

    func note(_ deed: DeviceDeed) { note("device", deed.words) }

    func note(_ deed: FaultDeed) { note("faults", deed.words) }

    /// Notes an action, in the words of the command that does the same.
    func note(_ command: StaticString, _ words: @autoclosure () -> [String]) {
        core.tap.note(
            DeviceEvent(command, .other, nil, .words(words().joined(separator: " "))))
    }
}
