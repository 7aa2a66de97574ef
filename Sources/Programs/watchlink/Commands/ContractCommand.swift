import CassetteReplay
import Cassettes
import Configuration
import Foundation
import Processes
import ServiceRuntime

/// Writes what an app gives and takes, as a file for review.
enum ContractCommand: Command {
    static let name = "contract"
    static let summary = "print from a cassette what an app gives to its counterpart and takes from it"
    static let forms = [
        CommandForm(
            "contract CASSETTE…",
            "print its messages, keys, types, replies, errors and their order as JSON; “replay --contract” holds a build to it; of several, what came in some only is marked"
        )
    ]
    private static let side = OptionDefinition(
        "side", placeholder: "NAME", help: "phone or watch; needed for a cassette of both")
    private static let pact = OptionDefinition(
        "pact", help: "print the messages as a Pact of version 4, with made-up values, for a broker")
    static let options = [side, pact]
    static let examples = [
        CommandForm("contract cassettes/phone-1 > phone.contract.json", "keep it beside the code"),
        CommandForm("replay cassettes/phone-1 --phone PhoneApp --contract phone.contract.json", "hold a build to it"),
        CommandForm("contract cassettes/phone-1 --pact > phone.pact.json", "for those who have a broker"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard !invocation.words.isEmpty else {
            throw UsageError("contract needs a cassette, the directory that a recording made, or several of one app")
        }
        do {
            let tapes = try invocation.words.map { try tape(of: try Cassette(at: $0), invocation.options[side.name]) }
            if let other = tapes.first(where: { $0.side != tapes[0].side }) {
                throw UsageError(
                    "a contract is one app's: these cassettes are of the \(tapes[0].side) and the \(other.side)")
            }
            try StandardOutput.print(invocation.options.has(pact.name) ? try pactText(tapes) : try text(tapes))
        } catch let error as CassetteError {
            throw CommandError("\(error)")
        }
        return .success
    }

    private static func text(_ tapes: [AppTape]) throws -> String {
        guard let contract = Contract(tapes) else { return "" }
        return String(decoding: try contract.data().dropLast(), as: UTF8.self)
    }

    private static func pactText(_ tapes: [AppTape]) throws -> String {
        guard tapes.count == 1 else { throw UsageError("--pact takes one cassette") }
        return try PactDocument(tapes[0]).json().text(pretty: true)
    }

    private static func tape(of cassette: Cassette, _ side: String?) throws -> AppTape {
        let sides = cassette.manifest.sides
        guard let chosen = side ?? (sides.count == 1 ? sides.first : nil) else {
            throw UsageError("\(cassette.path) has \(sides.joined(separator: " and ")): name one with --side")
        }
        guard let tape = AppTape(cassette, side: chosen) else {
            throw CommandError(
                "\(cassette.path) has no events of the \(chosen); it has those of \(sides.joined(separator: " and "))")
        }
        return tape
    }
}
