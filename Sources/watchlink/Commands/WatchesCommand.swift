import Foundation
import ServiceRuntime

/// The phone's watches: listed, paired, switched between.
enum WatchesCommand: Command {
    static let name = "watches"
    static let usage = [
        "watches [list]             the host's watches, which is active, which is there",
        "watches switch ID          talk to another watch; also pair, unpair, install, uninstall",
        "watches complication ID on|off",
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let words = invocation.words
        let verb = words.first ?? "list"
        let params = try params(verb, Array(words.dropFirst()))
        let client = try invocation.device("host")
        let watches: JSONValue
        do throws(ControlClient.Failure) {
            watches = try client.call("watches.\(verb)", params)
        } catch {
            throw CommandError(error, service: "host")
        }
        print(invocation.wantsJSON ? try watches.text(pretty: true) : text(watches))
        return .success
    }

    private static func params(_ verb: String, _ words: [String]) throws(UsageError) -> JSONValue {
        switch (verb, words.count) {
        case ("list", 0): return [:]
        case ("switch", 1), ("pair", 1), ("unpair", 1), ("install", 1), ("uninstall", 1):
            return ["watch": .string(words[0])]
        case ("complication", 2) where words[1] == "on" || words[1] == "off":
            return ["watch": .string(words[0]), "enabled": .boolean(words[1] == "on")]
        default: throw UsageError("watches takes list, or switch, pair, unpair, install, uninstall and a watch’s UUID")
        }
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
