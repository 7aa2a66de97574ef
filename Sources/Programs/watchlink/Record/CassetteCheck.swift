import Cassettes
import Configuration
import Foundation

/// The result of checking a cassette.
struct CassetteCheck {
    /// The most findings that the text lists. 20: a screen.
    private static let mostListed = 20

    let cassette: Cassette
    let findings: [SecretSearch.Finding]
    /// The key paths whose values are kept, and which no content has.
    private let unmatched: [String]
    /// The bytes of `events.jsonl` for each event.
    private let bytesPerEvent: Int

    /// Checks a cassette that was read, and therefore is what its format says.
    init(_ cassette: Cassette, _ search: SecretSearch?) throws(CassetteError) {
        self.cassette = cassette
        findings = try search?.findings(in: cassette.path) ?? []
        unmatched = cassette.schema.missing(cassette.manifest.kept)
        let bytes = cassette.events.reduce(0) { $0 + $1.line.utf8.count + 1 }
        bytesPerEvent = cassette.events.isEmpty ? 0 : bytes / cassette.events.count
    }

    /// True for a course that was accepted, which shows made-up values.
    private var isAccepted: Bool {
        URL(filePath: cassette.path).lastPathComponent.hasPrefix(CassetteFile.accepted)
    }

    private var completeness: String {
        let manifest = cassette.manifest
        return switch manifest.state {
        case .complete: "complete"
        case .incomplete: "incomplete, \(manifest.lost) events are missing: \(manifest.reason ?? "no reason is known")"
        case .recording: "not finished: the device still records, or ended without finishing it"
        }
    }

    var text: String {
        var lines = [
            "\(cassette.path): \(completeness); \(cassette.events.count) events of \(bytesPerEvent) bytes, \(cassette.contents.count) contents"
        ]
        if cassette.manifest.kept.contains(RedactionRules.everything), !isAccepted {
            lines.append("  warning: \(RedactionRules.everythingWarning)")
        }
        lines += unmatched.map { "  \(Self.note(unmatched: $0))" }
        for finding in findings.prefix(Self.mostListed) {
            lines.append("  \(finding.file):\(finding.line) has the secret in line \(finding.secret) of the list")
        }
        if findings.count > Self.mostListed { lines.append("  and \(findings.count - Self.mostListed) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns the remark on a key path at which nothing was kept.
    static func note(unmatched path: String) -> String {
        "no content has the key path \(path), whose values are to be kept; schema.json lists the key paths"
    }

    /// Returns the lines about the search itself.
    static func notes(_ search: SecretSearch?) -> [String] {
        guard let search else { return [] }
        var notes = ["\(search.count) secrets were searched for, as text, in hexadecimal digits and in base64."]
        if !search.refused.isEmpty {
            notes.append(
                "\(search.refused.count) secrets are shorter than \(SecretSearch.shortest) bytes and were not: such words occur by chance."
            )
        }
        return notes
    }

    static func json(_ checks: [CassetteCheck], _ search: SecretSearch?) -> JSONValue {
        [
            "cassettes": .array(checks.map(\.json)),
            "secrets": search.map { .integer(Int64($0.count)) } ?? .null,
            "tooShort": .array(search?.refused.map { .integer(Int64($0)) } ?? []),
        ]
    }

    private var json: JSONValue {
        [
            "path": .string(cassette.path), "state": .string(cassette.manifest.state.rawValue),
            "events": .integer(Int64(cassette.events.count)), "contents": .integer(Int64(cassette.contents.count)),
            "lost": .integer(Int64(cassette.manifest.lost)), "bytesPerEvent": .integer(Int64(bytesPerEvent)),
            "unmatched": .array(unmatched.map { .string($0) }),
            "findings": .array(
                findings.map {
                    [
                        "file": .string($0.file), "line": .integer(Int64($0.line)),
                        "secret": .integer(Int64($0.secret)),
                    ]
                }),
        ]
    }
}
