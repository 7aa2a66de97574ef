import Configuration
import ServiceRuntime

/// Writes results as they come, each at once: as lines, or as the elements of one JSON array.
final class ResultList {
    private let wantsJSON: Bool
    private var isFirst = true

    init(wantsJSON: Bool) { self.wantsJSON = wantsJSON }

    func add(_ results: [SubmitResult]) throws {
        for result in results {
            guard wantsJSON else {
                try StandardOutput.print(result.line)
                continue
            }
            try StandardOutput.print((isFirst ? "[\n" : ",\n") + result.json.text(), terminator: "")
            isFirst = false
        }
        try StandardOutput.flush()
    }

    /// The array ends, whatever has come of the rest.
    func finish() throws {
        guard wantsJSON else { return }
        try StandardOutput.print(isFirst ? "[]" : "\n]")
    }
}
