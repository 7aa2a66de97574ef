package import Cassettes
import Foundation
import KeyedArchive

/// Values for a cassette's tokens: those that the app has sent stand for the recorded ones in what it gets, and others
/// are made up from their tokens, so that equal ones are equal and each has its type and about its size.
package struct PlayedValues: Sendable {
    /// The longest text or data that is made up, in bytes. 1 MiB: as much as any message.
    static let longest = 1024 * 1024

    private var known: [String: PropertyListValue] = [:]
    /// The tokens of truth values: there are two in a cassette, and which is which is unknown.
    private var truths: [String] = []

    package init() {}

    /// Learns the values of a content that the app has sent.
    ///
    /// - Parameters:
    ///   - recorded: The content in the cassette.
    ///   - arrived: The content that stands for it, with its values.
    package mutating func learn(_ recorded: RedactedValue, _ arrived: RedactedValue) {
        switch (Shape(recorded), Shape(arrived)) {
        case (.leaf(let old), .leaf(let new)):
            guard case .token(let token) = old.content, old.type == new.type, let value = Self.value(of: new) else {
                return
            }
            known[token] = known[token] ?? value
        case (.list(let old), .list(let new)):
            for (old, new) in zip(old, new) { learn(old, new) }
        case (.wrapped(let key, let old), .wrapped(let other, let new)) where key == other: learn(old, new)
        case (.keys(let old, _), .keys(let new, _)):
            for (key, old) in old { if let new = new[key] { learn(old, new) } }
        case (.leaf, _), (.list, _), (.wrapped, _), (.keys, _): break
        }
    }

    /// Returns the value of a leaf.
    mutating func value(_ leaf: Leaf) -> PropertyListValue {
        switch leaf.content {
        case .value: return Self.value(of: leaf) ?? .null
        case .nothing: return leaf.type == "null" ? .null : .string(leaf.type)
        case .token(let token):
            if let value = known[token] { return value }
            let value = madeUp(leaf, token)
            known[token] = value
            return value
        }
    }

    /// Returns a kept value.
    private static func value(of leaf: Leaf) -> PropertyListValue? {
        guard let text = leaf.value else { return nil }
        switch leaf.type {
        case "string", "uuid", "identifier": return .string(text)
        case "boolean": return .boolean(text == "true")
        case "integer": return Int64(text).map { .integer($0) } ?? UInt64(text).map { .unsigned($0) }
        case "real": return Double(text).map { .real($0) }
        case "date": return Double(text).map { .date($0) }
        case "data": return Data(base64Encoded: text).map { .data($0) }
        default: return nil
        }
    }

    // MARK: - Values made up

    private mutating func madeUp(_ leaf: Leaf, _ token: String) -> PropertyListValue {
        switch leaf.type {
        case "boolean":
            if !truths.contains(token) { truths.append(token) }
            return .boolean(truths.first == token)
        case "integer": return integer(leaf.size ?? "", token)
        case "real": return .real(real(leaf.size ?? "", token))
        // A day of 2025, so that it is neither in the future nor long ago.
        case "date": return .date(757_382_400 + Double(Self.number(token) % 86_400_000) / 1_000)
        case "uuid", "identifier": return .string(Self.identifier(token).uuidString)
        case "data": return .data(Data(Self.text(token, Int(leaf.size ?? "") ?? 0).utf8))
        default: return .string(Self.text(token, Int(leaf.size ?? "") ?? 0))
        }
    }

    /// Returns a whole number with the bound of a token: from a sixteenth of it.
    private func integer(_ size: String, _ token: String) -> PropertyListValue {
        guard let bound = Int64(size) else { return .integer(.max - Int64(Self.number(token) % 1_000)) }
        let (most, sign) = (abs(bound), bound < 0 ? Int64(-1) : 1)
        // Below 16 it is from 0; a negative number is not.
        let least = most > 16 ? most / 16 : bound < 0 ? 1 : 0
        return .integer(sign * (least + Int64(Self.number(token) % UInt64(most - least))))
    }

    private func real(_ size: String, _ token: String) -> Double {
        guard case .integer(let number) = integer(size, token) else { return 0 }
        // Not whole, so that it stays a real number in every format.
        return Double(number) + (number < 0 ? -0.5 : 0.5)
    }

    /// Returns a number that is the same for equal tokens.
    private static func number(_ token: String) -> UInt64 {
        // FNV-1a with its published constants: short, and the same on every machine.
        token.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 } >> 1
    }

    /// Returns a text of a size that contains as much of its token as fits.
    private static func text(_ token: String, _ size: Int) -> String {
        guard size > 0, !token.isEmpty else { return "" }
        let size = min(size, longest)
        return String(String(repeating: token, count: size / token.utf8.count + 1).prefix(size))
    }

    private static func identifier(_ token: String) -> UUID {
        let (high, low) = (number(token), number(token + token))
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64($0 % 8 * 8)) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
