import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Removes the files that `install` installed.
enum UninstallCommand: Command {
    static let name = "uninstall"
    static let summary = "remove installed files"
    static let forms = [
        CommandForm(
            "uninstall",
            "stop the services and remove the installed files, except modified configurations and stored data"
        )
    ]
    static let options = [
        InstallCommand.prefix, InstallCommand.user,
        OptionDefinition("purge", help: "also remove modified configurations"),
    ]
    static let examples = [
        CommandForm("uninstall --prefix /usr/local", "uninstall from the whole machine"),
        CommandForm("uninstall --user --purge", "remove your own services with their configuration"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("uninstall takes no arguments; use --prefix") }
        var deeds: [JSONValue] = []
        try InstallCommand.installation(invocation).uninstall(isPurging: invocation.options.has("purge")) {
            InstallCommand.tell($0, $1, invocation, &deeds)
        }
        if invocation.wantsJSON { try StandardOutput.print(JSONValue.array(deeds).text(pretty: true)) }
        return .success
    }
}
