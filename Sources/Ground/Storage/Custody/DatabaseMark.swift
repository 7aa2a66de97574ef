import CSQLite
import Files
import Foundation
import Glibc

/// What is remembered beside a database: which one belongs there, and how far it had got. By it a start tells a database that is
/// new from one that was lost.
///
/// It is a small text, in a hidden file so that what deletes a database by a pattern leaves it. It never says more than what is on
/// the disk: it is written after each commit, without waiting for the disk.
package struct DatabaseMark: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        /// As ``Database/identifier`` says it.
        let identifier: UInt32
        /// The highest number that a row was given.
        var sequence: Int64
    }

    /// A database that a restore is about to put into place.
    struct Successor: Equatable, Sendable {
        let entry: Entry
        /// The name under which the former database is kept.
        let formerName: String
    }

    var current: Entry
    var successor: Successor?

    /// Where the mark of a database lies.
    package static func path(of database: String) -> String {
        DurableDirectory(of: database).path(of: name(of: database))
    }

    private static func name(of database: String) -> String {
        ".\(database.split(separator: "/").last ?? "").mark"
    }

    // MARK: - The file

    private static let heading = "watchlink-mark 1"
    /// Digits of the numbers: all of them have room, so that one sequence is written over another in place.
    private static let identifierDigits = 10
    private static let sequenceDigits = 19
    /// Longest mark that is read. 1 KiB: two entries and a file's name.
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

    /// Nil if there is none.
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
                detail: "its mark \(path) is unreadable; remove it to go on with the database as it is")
        }
        var mark = DatabaseMark(current: current)
        if lines.count > 2 {
            let words = lines[2].split(separator: " ", maxSplits: 2)
            guard let entry = entry(words), words.count == 3 else { return mark }
            mark.successor = Successor(entry: entry, formerName: String(words[2]))
        }
        return mark
    }

    /// Writes it, durably.
    func write(of database: String) throws(DatabaseError) {
        var text = "\(Self.heading)\n\(Self.text(current))\n"
        if let successor { text += "\(Self.text(successor.entry)) \(successor.formerName)\n" }
        do {
            try DurableDirectory(of: database).write(Data(text.utf8), to: Self.name(of: database))
        } catch {
            throw DatabaseError(error, path: database)
        }
    }

    /// Writes how far the database has got, without waiting for the disk: a process that is killed loses nothing by that, and
    /// after a power cut the mark says too little, never too much.
    mutating func advance(to sequence: Int64, of database: String) throws(DatabaseError) {
        guard sequence > current.sequence else { return }
        current.sequence = sequence
        let path = Self.path(of: database)
        let number = open(path, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else {
            // Somebody removed it; the database is there.
            guard errno != ENOENT else { return try write(of: database) }
            throw DatabaseError(SystemError("open", on: path), path: database)
        }
        let descriptor = Descriptor(number)
        let place = Self.heading.utf8.count + 1 + Self.identifierDigits + 1
        let bytes = Array(Self.text(max(0, sequence), Self.sequenceDigits).utf8)
        guard retryingInterrupts({ pwrite(descriptor.number, bytes, bytes.count, place) }) == bytes.count else {
            throw DatabaseError(SystemError("write to", on: path), path: database)
        }
    }
}
