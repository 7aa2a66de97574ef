/// One event of a cassette: a line of `events.jsonl`. A property that does not apply is absent.
package struct CassetteEvent: Codable, Equatable, Sendable {
    /// The position, counted from 1.
    package var sequence: Int
    /// The microseconds since the start of the recording.
    package var time: Int64
    /// The device: “phone”, “watch”, “watch2” …
    package var side: String
    /// The call, the package or the action.
    package var kind: String
    /// The number of the message or transfer, counted from 1 in the order of first appearance.
    package var package: Int?
    /// The sequence of the event that caused this one.
    package var cause: Int?
    /// The digest of the content.
    package var content: String?
    /// The rounded size of a file; that of other contents is beside them.
    package var bytes: Int?
    /// The code of the error that the app gets or gives.
    package var error: Int?
    /// The thread, numbered from 1 in the order of first appearance; nil for the main thread.
    package var thread: Int?
    /// 1 if the sender waits for a reply.
    package var wantsReply: Int?
    /// The words of an action, or the status of a package.
    package var words: String?

    private enum CodingKeys: String, CodingKey {
        case sequence = "n"
        case time = "t"
        case side = "s"
        case kind = "k"
        case package = "p"
        case cause = "c"
        case content = "d"
        case bytes = "b"
        case error = "e"
        case thread = "h"
        case wantsReply = "r"
        case words = "w"
    }

    package init(sequence: Int, time: Int64, side: String, kind: String) {
        (self.sequence, self.time, self.side, self.kind) = (sequence, time, side, kind)
    }

    /// The line, without its end: the properties in the order above, no spaces.
    package var line: String {
        var line = ""
        // Most lines are shorter: one allocation for each.
        line.reserveCapacity(192)
        line += "{\"n\":"
        line += String(sequence)
        line += ",\"t\":"
        line += String(time)
        line += ",\"s\":"
        RedactedValue.write(side, to: &line)
        line += ",\"k\":"
        RedactedValue.write(kind, to: &line)
        Self.write("p", package, to: &line)
        Self.write("c", cause, to: &line)
        Self.write("d", content, to: &line)
        Self.write("b", bytes, to: &line)
        Self.write("e", error, to: &line)
        Self.write("h", thread, to: &line)
        Self.write("r", wantsReply, to: &line)
        Self.write("w", words, to: &line)
        line += "}"
        return line
    }

    private static func write(_ key: String, _ number: Int?, to line: inout String) {
        guard let number else { return }
        line += ",\""
        line += key
        line += "\":"
        line += String(number)
    }

    private static func write(_ key: String, _ text: String?, to line: inout String) {
        guard let text else { return }
        line += ",\""
        line += key
        line += "\":"
        RedactedValue.write(text, to: &line)
    }
}
