import ExploreWords
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Trials

/// Replaces this process with the exploring program, which is separate because it contains the library of virtual time.
enum ExploreCommand: Command {
    static let name = "explore"
    static let summary = "run the programs of a phone and a watch in virtual time, by seed"
    static let forms = ExploreForm.calls.map { CommandForm($0.words, $0.meaning) }
    static let options = ExploreForm.callOptions
    static let optionGroups = ExploreForm.groups
    static let examples = ExploreForm.examples.map { CommandForm($0.words, $0.meaning) }
    static let vocabulary = ExploreForm.calls.filter { $0 != .explore }.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        try replaceThisProgram(invocation.words, invocation.options, options)
    }

    /// Replaces this process with the exploring program.
    ///
    /// - Parameters:
    ///   - given: The options to pass on.
    ///   - definitions: The definitions of these options.
    static func replaceThisProgram(
        _ operands: [String], _ given: ParsedOptions, _ definitions: [OptionDefinition]
    ) throws -> ExitCode {
        let path = TrialServices.ownPrograms.appending(path: ExploreForm.program).path(percentEncoded: false)
        var words = [path]
        // The program does not use the services' sockets and directories.
        let places = CommandOptions.common.filter { $0.placeholder != nil }.map(\.name)
        for name in given.names.sorted() where !places.contains(name) {
            let isFlag = (CommandOptions.common + definitions).contains { $0.name == name && $0.placeholder == nil }
            words += given.all(name).map { isFlag ? "--\(name)" : "--\(name)=\($0)" }
        }
        words += ["--"] + operands
        var pointers = words.map { strdup($0) } + [nil]
        execv(path, &pointers)
        // execv returns only if it fails.
        let code = errno
        for pointer in pointers { free(pointer) }
        throw CommandError(
            "cannot run \(path): \(String(cString: strerror(code))); build or install all programs of one version")
    }
}
