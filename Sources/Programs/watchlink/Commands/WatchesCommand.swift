import Configuration
import ControlSocket
import Foundation
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
    static let vocabulary = ["list", "switch", "pair", "unpair", "code", "install", "uninstall", "complication"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let words = invocation.words
        var reader = WordReader(words)
        let verb = words.isEmpty ? "list" : try reader.choice("watches", among: vocabulary)
        let params = try params(verb, reader.rest)
        let client = try invocation.device("host")
        guard verb != "code" else { return try showCode(client, invocation) }
        let watches: JSONValue
        do throws(ControlClient.Failure) {
            watches = try client.call("watches.\(verb)", params)
        } catch {
            throw CommandError(error, service: "host")
        }
        try StandardOutput.print(invocation.wantsJSON ? watches.text(pretty: true) : text(watches))
        return .success
    }

    private static func showCode(_ client: ControlClient, _ invocation: Invocation) throws -> ExitCode {
        let answer: JSONValue
        do throws(ControlClient.Failure) {
            answer = try client.call("watches.code")
        } catch {
            throw CommandError(error, service: "host")
        }
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

    private static func params(_ verb: String, _ words: [String]) throws(WordError) -> JSONValue {
        var reader = WordReader(words)
        switch verb {
        case "list", "code":
            try reader.end("watches \(verb)")
            return [:]
        case "complication":
            let watch = try watch(verb, &reader)
            let isEnabled = try reader.choice("complication", among: ["on", "off"]) == "on"
            try reader.end("watches complication")
            return ["watch": .string(watch), "enabled": .boolean(isEnabled)]
        default:
            let watch = try watch(verb, &reader)
            try reader.end("watches \(verb)")
            return ["watch": .string(watch)]
        }
    }

    private static func watch(_ verb: String, _ reader: inout WordReader) throws(WordError) -> String {
        guard let text = reader.next() else {
            throw .missing(subject: "watches \(verb)", allowed: ["the identifiers of “watchlink watches list”"])
        }
        return try WordValue.uuid("watches \(verb)", text).uuidString
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
