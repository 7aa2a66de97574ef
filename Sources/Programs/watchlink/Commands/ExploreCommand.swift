import ExploreWords
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Trials

/// Runs the program that explores in this one's place. It is a program of its own, since it has the library of virtual time in itself, which nothing
/// else needs.
enum ExploreCommand: Command {
    static let name = "explore"
    static let summary = "run a phone's and a watch's program in virtual time, by seed"
    static let forms = ExploreForm.calls.map { CommandForm($0.words, $0.meaning) }
    static let options = ExploreForm.callOptions
    static let examples = ExploreForm.examples.map { CommandForm($0.words, $0.meaning) }
    static let vocabulary = ExploreForm.calls.filter { $0 != .explore }.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        try replaceThisProgram(invocation.words, invocation.options, options)
    }

    /// - Parameters:
    ///   - given: What is given on to it.
    ///   - definitions: The options among that which may be in it.
    static func replaceThisProgram(
        _ operands: [String], _ given: ParsedOptions, _ definitions: [OptionDefinition]
    ) throws -> ExitCode {
        let path = TrialServices.ownPrograms.appending(path: ExploreForm.program).path(percentEncoded: false)
        var words = [path]
        // Where the services are is nothing to it, as to other commands that ask none.
        let places = CommandOptions.common.filter { $0.placeholder != nil }.map(\.name)
        for name in given.names.sorted() where !places.contains(name) {
            let isFlag = (CommandOptions.common + definitions).contains { $0.name == name && $0.placeholder == nil }
            words += given.all(name).map { isFlag ? "--\(name)" : "--\(name)=\($0)" }
        }
        words += ["--"] + operands
        var pointers = words.map { strdup($0) } + [nil]
        execv(path, &pointers)
        // It is still here.
        let code = errno
        for pointer in pointers { free(pointer) }
        throw CommandError(
            "cannot run \(path): \(String(cString: strerror(code))); build or install all programs of one version")
    }
}
