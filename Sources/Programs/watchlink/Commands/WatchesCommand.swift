import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// Lists, pairs and switches the phone's watches.
enum WatchesCommand: Command {
    static let name = "watches"
    static let summary = "list, pair, revoke and switch the phone's watches"
    static let forms = [
        CommandForm("watches [list]", "list the host's watches with their state"),
        CommandForm("watches switch ID", "make another watch the active one"),
        CommandForm("watches pair|unpair ID", "pair a watch; revoke a watch, which is disconnected immediately"),
        CommandForm("watches code", "create a pairing code for a new watch, if the host requires one"),
        CommandForm("watches install|uninstall ID", "install or remove the app on a watch"),
        CommandForm("watches complication ID on|off", "add or remove the app's complication on the watch face"),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("watches", "list all watches"),
        CommandForm("watches code", "create a code for the owner of a new watch"),
        CommandForm("watches unpair 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60", "revoke a lost watch"),
    ]
    static let vocabulary = ["list", "code"] + WatchDeed.verbs

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let verb = invocation.words.isEmpty ? "list" : try reader.choice("watches", among: vocabulary)
        switch verb {
        case "list":
            try reader.end("watches list")
            return try show(try invocation.ask(try invocation.phone(), .watches), invocation)
        case "code":
            try reader.end("watches code")
            return try showCode(try invocation.ask(try invocation.phone(), .makePairingCode), invocation)
        default:
            let deed = try WatchDeed(words: invocation.words)
            return try show(try invocation.ask(try invocation.phone(), .watch(deed)), invocation)
        }
    }

    private static func show(_ watches: JSONValue, _ invocation: Invocation) throws -> ExitCode {
        try StandardOutput.print(invocation.wantsJSON ? watches.text(pretty: true) : text(watches))
        return .success
    }

    private static func showCode(_ answer: JSONValue, _ invocation: Invocation) throws -> ExitCode {
        if invocation.wantsJSON {
            try StandardOutput.print(answer.text(pretty: true))
        } else {
            // Only the code on standard output, for scripts; the explanation on standard error.
            try StandardOutput.print(answer["code"]?.string ?? "")
            FileHandle.standardError.write(
                Data("Valid for one new watch: set link: { pairingCode: \"…\" } in its configuration.\n".utf8))
        }
        return .success
    }

    private static func text(_ watches: JSONValue) -> String {
        let watches = watches.array ?? []
        guard !watches.isEmpty else { return "no watch has connected yet" }
        let rows = watches.map { watch in
            func word(_ key: String, _ yes: String, _ no: String) -> String { watch[key]?.boolean == true ? yes : no }
            return [
                watch["identifier"]?.string ?? "", watch["name"]?.string ?? "",
                word("active", "active", "-"), word("paired", "paired", "unpaired"),
                word("appInstalled", "app", "no app"), word("complication", "complication", "-"),
                word("reachable", "reachable", word("connected", "connected", "away")),
            ]
        }
        return TextTable.text([["WATCH", "NAME", "ACTIVE", "PAIRED", "APP", "COMPLICATION", "LINK"]] + rows)
    }
}
