/// The lines on standard error by which a program in virtual time tells of a call that does not return.
extension CallWatch {
    /// The mark of a line that is a failure of its world.
    private static let mark = "FINDING: "
    private static let subject = "the delegate's method "

    /// Returns the lines: the call, and below it the threads that wait.
    ///
    /// - Parameter waits: The world's description of the threads, each line indented; empty for none.
    package static func finding(of call: Call, seconds: Int, waits: String) -> String {
        let threads = waits.split(separator: "\n").map { "\n\($0)" }.joined()
        return "\(mark)\(subject)\(call.method) has not returned for \(seconds) s\(threads)"
    }

    /// Returns what a program has told of a call that does not return, without the mark; nil if it has told of none.
    package static func finding(in lines: [String]) -> String? {
        guard let first = lines.firstIndex(where: { $0.hasPrefix(mark + subject) }) else { return nil }
        let threads = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
        return ([String(lines[first].dropFirst(mark.count))] + threads).joined(separator: "\n")
    }
}
