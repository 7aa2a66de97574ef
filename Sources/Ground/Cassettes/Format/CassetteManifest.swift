package import Foundation

/// The description of a cassette: `manifest.json`.
package struct CassetteManifest: Codable, Equatable, Sendable {
    /// The completeness of a recording.
    package enum State: String, Codable, Sendable {
        /// It is not finished, or its process ended too early to finish it.
        case recording
        /// Everything that happened is in it.
        case complete
        /// Something that happened is not in it.
        case incomplete
    }

    /// The version that this module writes. Readers accept it and earlier ones.
    package static let currentFormat = 1

    /// The version of the format.
    package var format = currentFormat
    package var state = State.recording
    /// The devices whose events it has.
    package var sides: [String]
    /// The name of the program that recorded it.
    package var program: String
    /// The version that the program was given for the recording, if any.
    package var build: String?
    /// The start by the wall clock of the recorded process, as ISO 8601 in UTC; in virtual time, by that of its world.
    package var started: String
    /// The seed of the random choices of faults and link conditions.
    package var seed: UInt64
    /// The key paths whose values are in it as they were.
    package var kept: [String]
    /// The way in which the recorded phone serves its watches, `active` or `all`; nil if it is not known, and on a watch.
    package var serving: String?
    /// The number of events.
    package var events = 0
    /// The number of contents.
    package var contents = 0
    /// The number of events that are missing.
    package var lost = 0
    /// The reason why events are missing.
    package var reason: String?
    /// In an accepted course, the lines by which the build said that something is wrong; nil if there are none.
    package var findings: [String]?

    package init(
        sides: [String], program: String, build: String? = nil, started: Date, seed: UInt64, rules: RedactionRules,
        serving: String? = nil
    ) {
        self.sides = sides
        self.program = program
        self.build = build
        self.started = started.formatted(Self.dates)
        self.seed = seed
        kept = rules.kept.sorted()
        self.serving = serving
    }

    private static let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The start as a date; nil if it is not written as one.
    package var start: Date? {
        do {
            return try Self.dates.parse(started)
        } catch {
            // Cassettes are text, which a person may have changed.
            return nil
        }
    }

    /// The file's bytes.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
