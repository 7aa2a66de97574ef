package import EventLog
package import Words

/// A change of log levels while a service runs: for all subsystems or single ones.
package struct LogLevelDeed: WordConvertible, Equatable {
    package struct Change: Equatable, Sendable {
        /// The subsystem; nil for all.
        package let subsystem: LogSubsystem?
        package let level: LogLevel

        /// The change as a word of a command.
        var word: String { (subsystem.map { $0.name + "=" } ?? "") + level.description }
    }

    /// The changes in the order given; a later one wins.
    package let changes: [Change]

    /// Parses words, each LEVEL or SUBSYSTEM=LEVEL; at least one.
    package init(words: [String]) throws(WordError) {
        guard !words.isEmpty else {
            throw .missing(subject: "log level", allowed: LogLevel.allCases.map(\.description))
        }
        var changes: [Change] = []
        for word in words { changes.append(try Self.change(word)) }
        self.changes = changes
    }

    package var words: [String] { changes.map(\.word) }

    private static func change(_ word: String) throws(WordError) -> Change {
        let levels = LogLevel.allCases.map(\.description)
        let subsystems = LogCatalogue.subsystems.map(\.name)
        let name = word.firstIndex(of: "=").map { String(word[..<$0]) }
        let value = name.map { String(word.dropFirst($0.count + 1)) } ?? word
        let subsystem = name.flatMap(LogCatalogue.subsystem)
        if let name, subsystem == nil { throw .unknown(name, subject: "subsystem", allowed: subsystems) }
        guard let level = LogLevel(name: value) else {
            let allowed = name == nil ? levels + subsystems.map { $0 + "=LEVEL" } : levels
            throw .unknown(value, subject: "log level", allowed: allowed)
        }
        return Change(subsystem: subsystem, level: level)
    }
}
