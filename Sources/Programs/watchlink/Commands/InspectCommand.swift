import Cassettes
import Configuration
import Foundation
import KeyedArchive
import Processes
import ServiceRuntime

/// Prints any keyed archive, binary property list or cassette.
enum InspectCommand: Command {
    static let name = "inspect"
    static let summary = "print any keyed archive, binary property list or cassette"
    static let forms = [
        CommandForm(
            "inspect FILE… | CASSETTE… | -", "print any keyed archive, binary property list or cassette as text")
    ]
    static let examples = [
        CommandForm("inspect message.bin", "print one file as a tree"),
        CommandForm("inspect cassettes/phone-1", "print a recording: its events, their causes and their contents"),
        CommandForm("inspect *.plist --json", "print several files, one line of JSON each"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let first = invocation.words.first else {
            throw UsageError("inspect needs a file, or “-” for standard input")
        }
        guard invocation.words.count > 1 else {
            try StandardOutput.print(text(of: first, asJSON: invocation.wantsJSON))
            return .success
        }
        var exit = ExitCode.success
        for name in invocation.words where try !show(name, asJSON: invocation.wantsJSON) { exit = .failure }
        return exit
    }

    private static func text(of name: String, asJSON: Bool) throws -> String {
        if let cassette = try cassette(name) {
            let dump = CassetteDump(cassette)
            return asJSON ? try dump.json().text(pretty: true) : dump.text
        }
        let value = try value(of: name)
        guard !asJSON else { return try ArchiveJSON.value(value).text(pretty: true) }
        var dump = ArchiveDump(value)
        return dump.text()
    }

    /// Returns the cassette in a directory; nil for anything else.
    private static func cassette(_ name: String) throws(CommandError) -> Cassette? {
        guard Cassette.exists(at: name) else { return nil }
        do throws(CassetteError) {
            return try Cassette(at: name)
        } catch {
            throw CommandError("\(error)")
        }
    }

    private static func json(of name: String) throws -> JSONValue {
        if let cassette = try cassette(name) { return try CassetteDump(cassette).json() }
        return try ArchiveJSON.value(try value(of: name))
    }

    private static func value(of name: String) throws -> PropertyListValue {
        let data = try InputFile.read(name)
        do {
            return try PropertyListValue(binary: data)
        } catch {
            throw CommandError("\(name): \(error)")
        }
    }

    /// Prints one of several files; false if it is invalid, which does not stop the others.
    ///
    /// As JSON, each file is one line: an object with `file` and either `value` or `error`.
    private static func show(_ name: String, asJSON: Bool) throws -> Bool {
        do {
            try StandardOutput.print(
                asJSON
                    ? try line(["file": .string(name), "value": try json(of: name)])
                    : "\(name):\n" + (try text(of: name, asJSON: false)) + "\n")
            return true
        } catch let error as CommandError {
            if asJSON {
                try StandardOutput.print(line(["file": .string(name), "error": .string(error.message)]))
            } else {
                FileHandle.standardError.write(Data("watchlink inspect: \(error.message)\n".utf8))
            }
            return false
        }
    }

    private static func line(_ fields: [String: JSONValue]) throws -> String {
        try JSONValue.object(fields).text(pretty: false)
    }
}
