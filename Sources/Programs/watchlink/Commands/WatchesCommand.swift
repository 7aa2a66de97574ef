import Configuration
import DeviceControl
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Words

/// The phone's watches: listed, paired, switched between.
enum WatchesCommand: Command {
    static let name = "watches"
    static let summary = "the phone's watches: pair, revoke, switch"
    static let forms = [
        CommandForm("watches [list]", "the host's watches, which is active, which is there"),
        CommandForm("watches switch ID", "talk to another watch"),
        CommandForm("watches pair|unpair ID", "let a watch in; revoke a watch, which is disconnected at once"),
        CommandForm("watches code", "a new code that a new watch must show, if the host's pairing asks for it"),
        CommandForm("watches install|uninstall ID", "the app on a watch"),
        CommandForm("watches complication ID on|off", "the app's complication on the watch's face"),
    ]
    static let options = [CommandOptions.control]
    static let examples = [
        CommandForm("watches", "all"),
        CommandForm("watches code", "read it to whoever has the new watch"),
        CommandForm("watches unpair 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60", "a watch was lost"),
    ]
    static let vocabulary = ["list", "code"] + WatchDeed.verbs

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let verb = invocation.words.isEmpty ? "list" : try reader.choice("watches", among: vocabulary)
        switch verb {
        case "list":
            try reader.end("watches list")
            return try show(try invocation.ask(.host, .watches), invocation)
        case "code":
            try reader.end("watches code")
            return try showCode(try invocation.ask(.host, .makePairingCode), invocation)
        default:
            let deed = try WatchDeed(words: invocation.words)
            return try show(try invocation.ask(.host, .watch(deed)), invocation)
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
            // A code alone on its line, for scripts; what it is for goes where a person reads it.
            try StandardOutput.print(answer["code"]?.string ?? "")
            FileHandle.standardError.write(
                Data("Good for one new watch: link: { pairingCode: \"…\" } in its configuration.\n".utf8))
        }
        return .success
    }

    private static func text(_ watches: JSONValue) -> String {
        let watches = watches.array ?? []
        guard !watches.isEmpty else { return "no watch has come yet" }
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
