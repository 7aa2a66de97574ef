import Foundation

/// The record of a course: a line about the pair, then one for each claim and side, in JSON.
struct Record {
    static let file = "claims.jsonl"
    /// The version of the form of the lines.
    private static let format = 1

    private struct Head: Encodable {
        let format: Int
        let phone: String
        let watch: String
    }

    private struct Line: Encodable {
        let claim: String
        let id: String
        let side: String
        let observed: String?
        let notTried: String?
    }

    let lines: [String]

    /// - Parameters:
    ///   - system: The phone and its system.
    ///   - observed: What the phone's app has observed, by claim.
    ///   - omitted: Why it has not tried claims.
    ///   - watch: What the watch's app has handed over.
    init(_ system: String, _ observed: [String: String], _ omitted: [String: String], watch: [String: Any]) {
        let watchSystem = watch["system"] as? String ?? "unknown"
        let of: [Side: [String: String]] = [.phone: observed, .watch: watch["record"] as? [String: String] ?? [:]]
        let not: [Side: [String: String]] = [.phone: omitted, .watch: watch["omitted"] as? [String: String] ?? [:]]
        let isHanded = !watch.isEmpty
        func reason(_ claim: String, _ side: Side) -> String {
            if side == .watch && !isHanded { return "the watch's app did not hand over its observations" }
            // The phone's app may know why the watch's has not tried it.
            return not[side]?[claim] ?? not[.phone]?[claim] ?? "the probe did not get there"
        }
        let claims = Claims.all.flatMap { claim in
            claim.sides.map { side in
                let observation = of[side]?[claim.id]
                return Line(
                    claim: claim.words, id: claim.id, side: side.rawValue, observed: observation,
                    notTried: observation == nil ? reason(claim.id, side) : nil)
            }
        }
        lines =
            [Self.text(Head(format: Self.format, phone: system, watch: watchSystem))] + claims.map { Self.text($0) }
    }

    private static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return String(decoding: try encoder.encode(value), as: UTF8.self) } catch { return "\(error)" }
    }
}
