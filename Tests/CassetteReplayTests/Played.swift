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

    static func sent(_ actions: [PlayMachine.Action]) throws -> [PropertyListValue] {
        try actions.compactMap { action in
            switch action {
            case .send(_, let data, _, _, _), .answer(_, let data, _): try PropertyListValue(binary: data)
            case .activate, .link, .show, .act, .look, .note: nil
            }
        }
    }
}
