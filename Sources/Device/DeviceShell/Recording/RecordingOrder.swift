/// A demand to record a device.
package struct RecordingOrder: Equatable, Sendable {
    /// The directory in which the recording gets a directory of its own: `phone-1`, `phone-2` … or `watch-1` …
    package var folder: String
    /// The key paths whose values stay as they are, such as `answers[].points`.
    package var keptPaths: [String]
    /// The version of the program, for people.
    package var build: String?

    package init(into folder: String, keeping keptPaths: [String] = [], build: String? = nil) {
        (self.folder, self.keptPaths, self.build) = (folder, keptPaths, build)
    }
}
