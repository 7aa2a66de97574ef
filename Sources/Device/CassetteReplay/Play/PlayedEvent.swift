/// An event of a cassette that a counterpart has brought about, as a line of the counterpart tells it.
package struct PlayedEvent: Equatable, Sendable {
    /// The position in the cassette.
    package let event: Int
    /// The microseconds since the start of the counterpart.
    package let time: Int64

    package init(event: Int, time: Int64) { (self.event, self.time) = (event, time) }

    private static let prefix = "played event "
    private static let separator = " at "

    package var line: String { "\(Self.prefix)\(event)\(Self.separator)\(time)" }

    package init?(_ line: String) {
        guard line.hasPrefix(Self.prefix) else { return nil }
        let words = line.dropFirst(Self.prefix.count).split(separator: Self.separator)
        guard words.count == 2, let event = Int(words[0]), let time = Int64(words[1]) else { return nil }
        self.init(event: event, time: time)
    }

    /// Returns the last event among the lines of a counterpart, or of several.
    ///
    /// - Parameter end: The time behind which events do not count; nil if it is not known.
    package static func last(in lines: [String], until end: Int64?) -> Int? {
        lines.compactMap { PlayedEvent($0) }.filter { $0.time <= end ?? .max }
            .max { ($0.time, $0.event) < ($1.time, $1.event) }?.event
    }
}
