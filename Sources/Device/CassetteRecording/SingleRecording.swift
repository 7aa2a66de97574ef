import Cassettes
package import DeviceShell
import Files
package import LinkProtocol

/// The recording of one device, in a directory of its own.
package final class SingleRecording: DeviceRecording {
    /// The most recordings of a device in a folder. 10,000: somebody would have looked by then.
    private static let most = 10_000

    /// The error for a device that is recorded already.
    package struct Busy: Error, CustomStringConvertible {
        package var description: String { "the device is already being recorded; stop that recording first" }
    }

    private let recorder: CassetteRecorder
    private let tap: DeviceTap
    package var path: String { recorder.path }

    /// Starts recording a device.
    ///
    /// - Parameters:
    ///   - side: The name of the device.
    ///   - order: The place and the rules.
    ///   - serving: The way in which a phone serves its watches.
    ///   - beginning: Calls a closure with which the device's events begin to be added, and returns its result.
    package init(
        _ tap: DeviceTap, side: String, _ order: RecordingOrder, seed: UInt64, serving: CompanionPolicy.Serving? = nil,
        beginning: (_ open: @escaping @Sendable () -> Bool) -> Bool = { $0() }
    ) throws {
        // Before anything is made for it.
        guard !tap.isTold else { throw Busy() }
        self.tap = tap
        recorder = try Self.recorder(side, order, seed, serving)
        guard beginning({ [recorder] in tap.open(recorder.queue, side: 0) }) else {
            _ = recorder.finish()
            throw Busy()
        }
    }

    private static func recorder(
        _ side: String, _ order: RecordingOrder, _ seed: UInt64, _ serving: CompanionPolicy.Serving?
    ) throws(CassetteError) -> CassetteRecorder {
        let folder = DurableDirectory(order.folder)
        for number in 1...most {
            do {
                return try CassetteRecorder(
                    path: folder.path(of: "\(side)-\(number)"), sides: [side], seed: seed,
                    rules: RedactionRules(keeping: order.keptPaths), build: order.build, serving: serving)
            } catch .occupied {
                continue
            }
        }
        throw .occupied(path: order.folder)
    }

    package func finish() -> RecordingReport {
        tap.close()
        return recorder.finish()
    }
}
