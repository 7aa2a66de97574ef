/// The first difference between two performances of one course, which shows what the course does not decide.
package struct PerformanceParting {
    /// The difference: the device, and what it did first and again. Without line breaks.
    package let text: String

    /// 300: a line of a log; longer ones are cut.
    private static let mostBytes = 300

    /// - Returns: nil if the performances are equal.
    package init?(of first: Performance, from again: Performance) {
        guard first != again else { return nil }
        let pairs = zip(first.processes, again.processes)
        let parting = pairs.lazy.compactMap { Self.parting(of: $0, from: $1) }.first
        text = parting ?? Self.other(first, again)
    }

    private static func parting(of first: ProcessOutcome, from again: ProcessOutcome) -> String? {
        guard first != again else { return nil }
        let name = first.name
        guard name == again.name else { return "\(name) started; again: \(again.name) did" }
        let streams = [("printed", first.output, again.output), ("reported", first.errors, again.errors)]
        for (verb, bytes, others) in streams {
            guard let line = differing(bytes, others) else { continue }
            return "line \(line.number) that \(name) \(verb): \(line.first); again: \(line.again)"
        }
        if let difference = first.world.difference(from: again.world) { return "\(name): \(difference)" }
        return "\(name) took other steps, with the same output and the same decisions"
    }

    private static func differing(_ first: [UInt8], _ again: [UInt8]) -> (number: Int, first: String, again: String)? {
        guard first != again else { return nil }
        let (lines, others) = (Self.lines(first), Self.lines(again))
        guard let (index, line, other) = lines.firstDifference(from: others) else { return nil }
        return (index + 1, quoted(line), quoted(other))
    }

    private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    private static func quoted(_ line: ArraySlice<UInt8>?) -> String {
        line.map { "“\(String(decoding: $0.prefix(mostBytes), as: UTF8.self))”" } ?? "nothing"
    }

    private static func other(_ first: Performance, _ again: Performance) -> String {
        first.processes.count != again.processes.count
            ? "\(first.processes.count) processes ran; again: \(again.processes.count)"
            : "the order of the devices' turns differed, with the same output"
    }
}
