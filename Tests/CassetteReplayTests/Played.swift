import Cassettes
import Foundation
import KeyedArchive

@testable import CassetteReplay

/// What a played counterpart is given, and what it sends.
enum Played {
    static func content(_ content: [String: Any]) throws -> RedactedValue {
        let data = try PropertyListValue(object: content).binaryData()
        return Redactor(RedactionRules(keeping: ["*"]), hash: KeyedHash()).value(of: .propertyList(data))
    }

    static func message(_ content: [String: Any], ticket: Int? = nil) throws -> PlayMachine.Arrival {
        PlayMachine.Arrival(.message, try self.content(content), ticket: ticket)
    }

    /// Returns the part of a reachable counterpart that has done what is due at once.
    static func begun(_ tape: TapeBuilder) -> PlayMachine {
        var machine = PlayMachine(Play(tape.tape()))
        _ = machine.changed(.reachable, at: 0)
        _ = machine.timePassed(at: 0)
        return machine
    }

    static func sent(_ actions: [PlayMachine.Action]) throws -> [PropertyListValue] {
        try actions.compactMap { action in
            switch action {
            case .send(_, let data, _, _, _), .answer(_, let data, _): try PropertyListValue(binary: data)
            case .activate, .loseAcknowledgement, .link, .show, .act, .look, .note: nil
            }
        }
    }
}
