/// The place of a wait in a test.
struct CallSite: Sendable {
    private let file: String
    private let line: Int

    /// - Parameter fileID: The module and the name of the file.
    init(_ fileID: String, _ line: Int) {
        file = fileID.split(separator: "/").last.map(String.init) ?? fileID
        self.line = line
    }

    var description: String { "\(file):\(line)" }

    /// The beginning of the names of files about the wait.
    var stem: String { "\(file)-\(line)" }
}
