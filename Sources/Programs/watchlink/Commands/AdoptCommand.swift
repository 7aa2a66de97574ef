import Configuration
import Foundation
import Processes
import RoleCopies
import ServiceRuntime

/// Makes a package that runs an app's connectivity layer as phone and as watch.
enum AdoptCommand: Command {
    static let name = "adopt"
    static let summary = "run an app's connectivity layer as phone and as watch"
    static let forms = [
        CommandForm(
            "adopt PATH --into PACKAGE",
            "make a package with two programs of the sources in a folder, which stay as they are, and a test of both")
    ]
    private static let into = OptionDefinition(
        "into", placeholder: "PACKAGE", help: "the package's folder, new or empty")
    private static let packageName = OptionDefinition(
        "name", placeholder: "NAME", help: "the package's name; default: that of its folder")
    private static let watchLink = OptionDefinition(
        "watchlink", placeholder: "URL|PATH",
        help: "WatchLink's repository or checkout; default: the checkout that this program was built in")
    static let options = [into, packageName, watchLink]
    static let examples = [
        CommandForm(
            "adopt ../Scores/Shared --into ../Scores/Linux", "make the package, and say what is missing on Linux"),
        CommandForm("adopt Shared --into Linux --name ScoresOnLinux --json", "print the findings as JSON"),
        CommandForm(
            "adopt Shared --into Linux --watchlink https://example.org/WatchLink.git", "depend on a repository"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let path = invocation.words.first, invocation.words.count == 1 else {
            throw UsageError("adopt needs one folder: that of the app's connectivity layer")
        }
        guard let target = invocation.options[into.name], !target.isEmpty else {
            throw UsageError("adopt needs --into PACKAGE, the folder for the package")
        }
        let package = PackageWriter.place(target)
        let name = invocation.options[packageName.name] ?? package.lastPathComponent
        guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil else {
            throw UsageError(
                "“\(name)” is not a name for a package: it must begin with a letter and consist of letters, digits, - and _; "
                    + "choose one with --name")
        }
        let app = try AppFolder(path)
        try PackageWriter.check(package, for: app, target)
        let adopted = AdoptedPackage(
            name: name, watchLink: try PackageReference(invocation.options[watchLink.name]), app: app)
        try PackageWriter.write(adopted, to: package)
        let report = AdoptionReport(package: adopted, path: target)
        try StandardOutput.print(invocation.wantsJSON ? report.json.text(pretty: true) : report.text)
        return .success
    }
}
