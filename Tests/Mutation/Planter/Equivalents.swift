import Foundation

/// Faults that change nothing that anybody is promised, each with the reason: `key — reason`, a line each; `#` begins a comment.
struct Equivalents {
    private let reasons: [String: String]

    init(_ file: URL) throws {
        var reasons: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            guard let mark = line.range(of: " — ") else {
                throw PlanterError(
                    description: "\(file.lastPathComponent): “\(line)” has no reason; write “place — reason”")
            }
            reasons[String(line[..<mark.lowerBound])] = String(line[mark.upperBound...])
        }
        self.reasons = reasons
    }

    func reason(for fault: Fault) -> String? { reasons[fault.site.key] }
}
