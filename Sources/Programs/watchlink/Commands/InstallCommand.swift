import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Installs programs, units, configuration, manual pages and completions.
enum InstallCommand: Command {
    static let name = "install"
    static let summary = "install programs, units and manual pages"
    static let forms = [
        CommandForm(
            "install",
            "install programs, systemd units, manual pages, completions and, unless modified, configuration")
    ]
    static let options = [Self.prefix, Self.user, Self.root]
    static let examples = [
        CommandForm("install --prefix /usr/local", "install for the whole machine, as root"),
        CommandForm("install --prefix /usr --root build/root", "collect the files for a package"),
        CommandForm("install --user", "install for yourself in ~/.local, with your own services"),
    ]

    static let prefix = OptionDefinition(
        "prefix", placeholder: "DIR", help: "target directory; default /usr/local, or ~/.local with --user")
    static let root = OptionDefinition(
        "root", placeholder: "DIR", help: "write everything below DIR, for a package; texts in the files do not name it"
    )
    static let user = OptionDefinition("user", help: "use the user's own service manager")

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("install takes no arguments; use --prefix") }
        let isUser = invocation.options.has("user")
        var deeds: [JSONValue] = []
        try installation(invocation).install { tell($0, $1, invocation, &deeds) }
        if invocation.wantsJSON {
            try StandardOutput.print(JSONValue.array(deeds).text(pretty: true))
        } else if invocation.options.has("root") {
            // A package starts its services itself.
            return .success
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
        let root = invocation.options["root"].map { URL(filePath: $0).standardizedFileURL.plainPath } ?? ""
        return Installation(prefix: URL(filePath: prefix).standardizedFileURL.plainPath, isUser: isUser, root: root)
    }

    static func tell(_ deed: Installation.Deed, _ path: String, _ invocation: Invocation, _ deeds: inout [JSONValue]) {
        if invocation.wantsJSON {
            deeds.append(["path": .string(path), "deed": .string(deed.rawValue)])
        } else {
            StandardOutput.report("\(deed.rawValue)\(String(repeating: " ", count: 10 - deed.rawValue.count))\(path)")
        }
    }
}
