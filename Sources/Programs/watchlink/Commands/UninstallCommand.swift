import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Takes away what `install` put there.
enum UninstallCommand: Command {
    static let name = "uninstall"
    static let summary = "take them away again"
    static let forms = [
        CommandForm(
            "uninstall",
            "stop the services and take it all away again; a configuration that was changed stays, and so does what services stored"
        )
    ]
    static let options = [
        InstallCommand.prefix, InstallCommand.user,
        OptionDefinition("purge", help: "changed configurations as well"),
    ]
    static let examples = [
        CommandForm("uninstall --prefix /usr/local", "from the whole machine"),
        CommandForm("uninstall --user --purge", "your own, with its configuration"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("uninstall takes no words; --prefix says where from") }
        var deeds: [JSONValue] = []
        try InstallCommand.installation(invocation).uninstall(isPurging: invocation.options.has("purge")) {
            InstallCommand.tell($0, $1, invocation, &deeds)
        }
        if invocation.wantsJSON { try StandardOutput.print(JSONValue.array(deeds).text(pretty: true)) }
        return .success
    }
}
