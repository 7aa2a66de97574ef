/// An event of a cassette that a counterpart has brought about, or a deed of the app that has arrived at it, as a line of the
/// counterpart tells it.
package struct PlayedEvent: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable { case played, got }

    package let kind: Kind
    /// The position in the cassette.
    package let event: Int
    /// The microseconds since the start of the counterpart.
    package let time: Int64

    package init(_ kind: Kind, event: Int, time: Int64) { (self.kind, self.event, self.time) = (kind, event, time) }

    private static let separators = (event: " event ", time: " at ")

    package var line: String { "\(kind.rawValue)\(Self.separators.event)\(event)\(Self.separators.time)\(time)" }

    package init?(_ line: String) {
        guard let kind = Kind.allCases.first(where: { line.hasPrefix($0.rawValue + Self.separators.event) }) else {
            return nil
        }
        let rest = line.dropFirst(kind.rawValue.count + Self.separators.event.count)
        let words = rest.split(separator: Self.separators.time)
        guard words.count == 2, let event = Int(words[0]), let time = Int64(words[1]) else { return nil }
        self.init(kind, event: event, time: time)
    }

    /// Returns the last event that a counterpart, or one of several, has brought about.
    ///
    /// - Parameter end: The time behind which events do not count; nil if it is not known.
    package static func last(in lines: [String], until end: Int64?) -> Int? {
        lines.compactMap { PlayedEvent($0) }.filter { $0.kind == .played && $0.time <= end ?? .max }
            .max { ($0.time, $0.event) < ($1.time, $1.event) }?.event
    }

    /// Returns the deeds of the app that have arrived.
    package static func deeds(in lines: [String]) -> Set<Int> {
        Set(lines.compactMap { PlayedEvent($0) }.filter { $0.kind == .got }.map(\.event))
    }
}
