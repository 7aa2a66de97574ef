import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Makes a package with an application of one's own: a payload and both services.
enum NewCommand: Command {
    static let name = "new"
    static let summary = "make a package with both services for a payload of your own"
    static let forms = [
        CommandForm(
            "new NAME",
            "make the folder NAME: a payload type of this name, host and companion for it, their configuration, a test, and a README to begin with"
        )
    ]
    private static let into = OptionDefinition(
        "into", placeholder: "PACKAGE", help: "the package's folder, new or empty; default: NAME")
    static let options = [into, PackageReference.option]
    static let examples = [
        CommandForm("new Steps", "make the package Steps, whose README tells how to go on"),
        CommandForm("new BloodPressure --into ../pressure", "name the folder"),
        CommandForm("new Steps --watchlink https://example.org/WatchLink.git", "depend on a repository"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let word = invocation.words.first, invocation.words.count == 1 else {
            throw UsageError("new needs one name, such as “watchlink new Steps”")
        }
        let name = try ApplicationName(word)
        let target = invocation.options[into.name] ?? name.type
        guard !target.isEmpty else { throw UsageError("--into needs the folder for the package") }
        let folder = PackageWriter.place(target)
        try PackageWriter.checkIsFree(folder, target)
        let package = NewPackage(
            name: name, watchLink: try PackageReference(invocation.options[PackageReference.option.name]))
        let files = package.files(in: folder)
        try PackageWriter.write(files, to: folder)
        try StandardOutput.print(
            invocation.wantsJSON ? json(name, folder, files).text(pretty: true) : text(name, target, files))
        return .success
    }

    private static func text(_ name: ApplicationName, _ target: String, _ files: [String: String]) -> String {
        """
        \(target): the payload \(name.type), its services \(name.host) and \(name.companion)
        \(files.keys.sorted().map { "  " + $0 }.joined(separator: "\n"))

        Next: cd \(target) && swift test
        README.md leads from there to a payload that survives kill -9, in five minutes.
        """
    }

    private static func json(_ name: ApplicationName, _ folder: URL, _ files: [String: String]) -> JSONValue {
        [
            "package": .string(folder.plainPath), "type": .string(name.type), "application": .string(name.plural),
            "host": .string(name.host), "companion": .string(name.companion),
            "files": .array(files.keys.sorted().map(JSONValue.string)),
        ]
    }
}
