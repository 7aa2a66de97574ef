import Foundation
import KeyedArchive
import ServiceRuntime

/// Shows any keyed archive or binary property list.
enum InspectCommand: Command {
    static let name = "inspect"
    static let usage = ["inspect FILE | -           any keyed archive or binary property list, readable"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.count == 1 else { throw UsageError("inspect needs one file, or “-” for standard input") }
        let name = invocation.words[0]
        let data = try InputFile.read(name)
        let value: PropertyListValue
        do {
            value = try PropertyListValue(binary: data)
        } catch {
            throw CommandError("\(name): \(error)")
        }
        if invocation.wantsJSON {
            print(try ArchiveJSON.value(value).text(pretty: true))
        } else {
            var dump = ArchiveDump(value)
            print(dump.text())
        }
        return .success
    }
}
