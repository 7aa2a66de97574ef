import CSQLite
import Files
import Foundation
import Glibc

/// The mark stored beside a database: its identity, and the highest sequence number it had reached. With it a start
/// distinguishes a new database from a lost one.
///
/// The mark is a short text in a hidden file, so that deleting a database by a pattern leaves it. It is never ahead of
/// the database: it is written after each commit, without waiting for the disk.
package struct DatabaseMark: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// The value of ``Database/identifier``.
        let identifier: UInt32
        /// The highest sequence number that a row was given.
        var sequence: Int64
    }

    /// A database that a restore is about to install.
    struct Successor: Equatable, Sendable {
        let entry: Entry
        /// The name under which the previous database is kept.
        let formerName: String
    }

    var current: Entry
    var successor: Successor?

    /// Returns the path of a database's mark.
    package static func path(of database: String) -> String {
        DurableDirectory(of: database).path(of: name(of: database))
    }

    private static func name(of database: String) -> String {
        ".\(database.split(separator: "/").last ?? "").mark"
    }

    // MARK: - The file

    private static let heading = "watchlink-mark 1"
    /// Fixed widths of the numbers, so that a sequence number can be overwritten in place.
    private static let identifierDigits = 10
    private static let sequenceDigits = 19
    /// The longest mark that is read, in bytes. 1 KiB: two entries and a file name.
    private static let bytes = 1_024

    private static func text(_ number: some BinaryInteger, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func text(_ entry: Entry) -> String {
        text(entry.identifier, identifierDigits) + " " + text(max(0, entry.sequence), sequenceDigits)
    }

    private static func entry(_ words: [Substring]) -> Entry? {
        guard words.count >= 2, let identifier = UInt32(words[0]), let sequence = Int64(words[1]) else { return nil }
        return Entry(identifier: identifier, sequence: sequence)
    }

    /// Returns the mark of a database; nil if it has none.
    static func read(of database: String) throws(DatabaseError) -> DatabaseMark? {
        let path = path(of: database)
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw DatabaseError(SystemError("open", on: path), path: database)
            }
            return nil
        }
        let descriptor = Descriptor(number)
        var buffer = [UInt8](repeating: 0, count: bytes)
        let count = retryingInterrupts { Glibc.read(descriptor.number, &buffer, bytes) }
        guard count >= 0 else { throw DatabaseError(SystemError("read", on: path), path: database) }
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == heading, lines.count > 1,
            let current = entry(lines[1].split(separator: " "))
        else {
            throw DatabaseError(
                code: SQLITE_CORRUPT, path: database, operation: "use",
                detail: "its mark \(path) is unreadable; remove the mark to use the database unchecked")
        }
        var mark = DatabaseMark(current: current)
        if lines.count > 2 {
            let words = lines[2].split(separator: " ", maxSplits: 2)
            guard let entry = entry(words), words.count == 3 else { return mark }
            mark.successor = Successor(entry: entry, formerName: String(words[2]))
        }
        return mark
    }

    /// Writes the mark durably.
    func write(of database: String) throws(DatabaseError) {
        var text = "\(Self.heading)\n\(Self.text(current))\n"
        if let successor { text += "\(Self.text(successor.entry)) \(successor.formerName)\n" }
        do {
            try DurableDirectory(of: database).write(Data(text.utf8), to: Self.name(of: database))
        } catch {
            throw DatabaseError(error, path: database)
        }
    }

    /// Updates the sequence number without waiting for the disk: nothing is lost if the process is killed, and after a
    /// power cut the mark may be behind the database, never ahead.
    ///
    /// - Parameter file: The file of the mark as it was last opened; nil to open it.
    mutating func advance(
        to sequence: Int64, of database: String, in file: inout MarkFile?
    ) throws(DatabaseError) {
        guard sequence > current.sequence else { return }
        current.sequence = sequence
        if file?.isRemoved ?? true { file = try MarkFile(at: Self.path(of: database), of: database) }
        // The mark was removed; the database still exists.
        guard let file else { return try write(of: database) }
        let place = Self.heading.utf8.count + 1 + Self.identifierDigits + 1
        try file.write(Self.text(max(0, sequence), Self.sequenceDigits), at: place)
    }
}
