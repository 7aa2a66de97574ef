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
            "adopt PATH… --into PACKAGE",
            "make a package with two programs of the sources in folders, which stay as they are, and a test of both")
    ]
    private static let phone = OptionDefinition(
        "phone", placeholder: "PATH", help: "a folder or Swift file that only the phone compiles; can be repeated")
    private static let watch = OptionDefinition(
        "watch", placeholder: "PATH", help: "a folder or Swift file that only the watch compiles; can be repeated")
    private static let leaveOut = OptionDefinition(
        "leave-out", placeholder: "PATH",
        help: "a folder or Swift file inside of the others that is not compiled, such as views; can be repeated")
    private static let into = OptionDefinition(
        "into", placeholder: "PACKAGE", help: "the package's folder, new or empty")
    private static let packageName = OptionDefinition(
        "name", placeholder: "NAME", help: "the package's name; default: that of its folder")
    static let options = [phone, watch, leaveOut, into, packageName, PackageReference.option]
    static let examples = [
        CommandForm(
            "adopt ../Scores/Shared --into ../Scores/Linux", "make the package, and say what is missing on Linux"),
        CommandForm(
            "adopt Shared --phone iOS/PhoneSession.swift --watch Watch/Session --into Linux",
            "a layer with sources in the folders of both targets"),
        CommandForm("adopt Shared --leave-out Shared/Views --into Linux --json", "print the findings as JSON"),
        CommandForm(
            "adopt Shared --into Linux --watchlink https://example.org/WatchLink.git", "depend on a repository"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let options = invocation.options
        let own: [CopyRole: [String]] = [.phone: options.all(phone.name), .watch: options.all(watch.name)]
        let isForBoth = CopyRole.allCases.allSatisfy { own[$0]?.isEmpty == false } || !invocation.words.isEmpty
        guard isForBoth else {
            throw UsageError(
                "adopt needs the folder of the app's connectivity layer, or one for each device: --phone and --watch")
        }
        guard let target = options[into.name], !target.isEmpty else {
            throw UsageError("adopt needs --into PACKAGE, the folder for the package")
        }
        let package = PackageWriter.place(target)
        let name = options[packageName.name] ?? package.lastPathComponent
        guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil else {
            throw UsageError(
                "“\(name)” is not a name for a package: it must begin with a letter and consist of letters, digits, - and _; "
                    + "choose one with --name")
        }
        let app = try AppSources(invocation.words, own: own, leavingOut: options.all(leaveOut.name))
        try PackageWriter.checkIsFree(package, target)
        try AdoptedPackage.check(package, for: app, target)
        let adopted = try AdoptedPackage(
            name: name, watchLink: try PackageReference(options[PackageReference.option.name]), app: app)
        try adopted.write(to: package)
        let report = AdoptionReport(package: adopted, path: target)
        try StandardOutput.print(invocation.wantsJSON ? report.json.text(pretty: true) : report.text)
        return .success
    }
}
