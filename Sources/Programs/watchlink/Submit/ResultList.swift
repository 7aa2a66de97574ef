import Configuration
import ServiceRuntime

/// A writer that prints each result immediately, as a line or as an element of one JSON array.
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

    /// Closes the array, whatever happened to the remaining quizzes.
    func finish() throws {
        guard wantsJSON else { return }
        try StandardOutput.print(isFirst ? "[]" : "\n]")
    }
}
