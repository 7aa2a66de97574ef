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
    /// The number of the watch that it is of, on a phone that serves several at the same time.
    package var watch: Int?
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
        case watch = "o"
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

    /// The bytes of a line's fixed parts, at most: thirteen keys of five bytes, the quotation marks of four texts, two braces.
    private static let fixedBytes = 77
    /// The numbers of a line, at most.
    private static let mostNumbers = 9

    /// The line, without its end: the properties in the order above, no spaces.
    package var line: String {
        let texts =
            side.utf8.count + kind.utf8.count + (content?.utf8.count ?? 0) + (words?.utf8.count ?? 0)
        return LineBytes.line(fixed: Self.fixedBytes, numbers: Self.mostNumbers, texts: texts) { line in
            line.add(form: "{\"n\":")
            line.add(number: Int64(sequence))
            line.add(form: ",\"t\":")
            line.add(number: time)
            line.add(form: ",\"s\":")
            line.add(text: side)
            line.add(form: ",\"k\":")
            line.add(text: kind)
            line.add(key: ",\"p\":", package)
            line.add(key: ",\"o\":", watch)
            line.add(key: ",\"c\":", cause)
            line.add(key: ",\"d\":", content)
            line.add(key: ",\"b\":", bytes)
            line.add(key: ",\"e\":", error)
            line.add(key: ",\"h\":", thread)
            line.add(key: ",\"r\":", wantsReply)
            line.add(key: ",\"w\":", words)
            line.add(form: "}")
        }
    }
}

extension LineBytes {
    /// Adds a key and its number, unless that is absent.
    fileprivate mutating func add(key: StaticString, _ number: Int?) {
        guard let number else { return }
        add(form: key)
        add(number: Int64(number))
    }

    /// Adds a key and its text, unless that is absent.
    fileprivate mutating func add(key: StaticString, _ text: String?) {
        guard let text else { return }
        add(form: key)
        add(text: text)
    }
}
