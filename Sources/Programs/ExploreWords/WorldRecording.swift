import Cassettes
import Foundation
package import ServiceRuntime

/// The recording of devices into cassettes, as the options of a command demand it.
package struct WorldRecording: Sendable {
    private let folder: String
    private let keptPaths: [String]

    /// Reads the options; nil if nothing is recorded.
    package init?(_ options: ParsedOptions) throws(UsageError) {
        keptPaths = options.all("keep")
        guard let folder = options["record"] else {
            guard keptPaths.isEmpty else { throw UsageError("--keep needs --record, the directory for cassettes") }
            return nil
        }
        self.folder = folder
    }

    /// The warning to a person whose cassettes will keep all values; nil if they will not.
    package var warning: String? {
        keptPaths.contains(RedactionRules.everything) ? "warning: \(RedactionRules.everythingWarning)" : nil
    }

    /// Returns the environment of each device.
    ///
    /// - Parameter folder: The directory in which each of its runs makes a cassette.
    package func variables(into folder: String) -> [String: String] {
        ["WATCHLINK_RECORD": folder, "WATCHLINK_RECORD_KEEP": keptPaths.joined(separator: " ")]
    }

    /// Returns the directory for the cassettes of a seed.
    package func folder(of seed: UInt64) -> String { "\(folder)/seed-\(seed)" }

    /// Returns the directory for the cassettes of a scenario, named after its file.
    package func folder(ofScenario file: String) -> String {
        URL(filePath: folder).appending(path: URL(filePath: file).deletingPathExtension().lastPathComponent)
            .path(percentEncoded: false)
    }
}
