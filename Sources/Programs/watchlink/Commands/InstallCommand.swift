import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Puts programs, units, configuration, manual pages and completions where they belong.
enum InstallCommand: Command {
    static let name = "install"
    static let summary = "put programs, units and manual pages where they belong"
    static let forms = [
        CommandForm(
            "install", "programs, systemd units, configuration, manual pages, completions; what is changed there stays")
    ]
    static let options = [Self.prefix, Self.user]
    static let examples = [
        CommandForm("install --prefix /usr/local", "for the whole machine, as root"),
        CommandForm("install --user", "for yourself: ~/.local, services of your own"),
    ]

    static let prefix = OptionDefinition(
        "prefix", placeholder: "DIR", help: "where to; /usr/local, or ~/.local with --user")
    static let user = OptionDefinition("user", help: "services of the user's own service manager")

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("install takes no words; --prefix says where to") }
        let isUser = invocation.options.has("user")
        var deeds: [JSONValue] = []
        try installation(invocation).install { tell($0, $1, invocation, &deeds) }
        if invocation.wantsJSON {
            try StandardOutput.print(JSONValue.array(deeds).text(pretty: true))
        } else if isUser {
            try StandardOutput.print(
                "\nNext: systemctl --user daemon-reload && systemctl --user enable --now watchlink-host watchlink-companion"
            )
        } else {
            try StandardOutput.print(
                """

                Next: systemd-sysusers && systemd-tmpfiles --create
                      systemctl daemon-reload && systemctl enable --now watchlink-host watchlink-companion
                """)
        }
        return .success
    }

    static func installation(_ invocation: Invocation) -> Installation {
        let isUser = invocation.options.has("user")
        let prefix = invocation.options["prefix"] ?? (isUser ? UserDirectory.home() + "/.local" : "/usr/local")
        return Installation(prefix: URL(filePath: prefix).standardizedFileURL.plainPath, isUser: isUser)
    }

    static func tell(_ deed: Installation.Deed, _ path: String, _ invocation: Invocation, _ deeds: inout [JSONValue]) {
        if invocation.wantsJSON {
            deeds.append(["path": .string(path), "deed": .string(deed.rawValue)])
        } else {
            StandardOutput.report("\(deed.rawValue)\(String(repeating: " ", count: 10 - deed.rawValue.count))\(path)")
        }
    }
}
