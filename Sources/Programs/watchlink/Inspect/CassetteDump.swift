import Cassettes
import Configuration
import Foundation
import ServiceRuntime
import Words

/// A cassette as text: its description, a line for each event, and its contents.
struct CassetteDump {
    private let cassette: Cassette

    init(_ cassette: Cassette) { self.cassette = cassette }

    var text: String {
        let manifest = cassette.manifest
        let head = [
            "cassette, format \(manifest.format): \(manifest.sides.joined(separator: ", ")), recorded by \(manifest.program)"
                + (manifest.build.map { " \($0)" } ?? "") + " at \(manifest.started)",
            "\(manifest.state.rawValue): \(cassette.events.count) events, \(cassette.contents.count) contents"
                + (manifest.reason.map { ", \(manifest.lost) events missing: \($0)" } ?? ""),
        ].map { TerminalText.printable($0) }
        let rows = cassette.events.map(Self.row)
        let table = TextTable.text([["event", "ms", "side", "kind", "package", "cause", "content", "more"]] + rows)
        let contents = cassette.contents.sorted { $0.key < $1.key }.map {
            "\($0.key) ≤ \($0.value.bytes) bytes \($0.value.value.text)"
        }
        return (head + ["", table, ""] + contents).joined(separator: "\n")
    }

    private static func row(_ event: CassetteEvent) -> [String] {
        var more: [String] = []
        if let watch = event.watch { more.append("of #\(watch)") }
        if let bytes = event.bytes { more.append("≤ \(bytes) bytes") }
        if let error = event.error { more.append("error \(error)") }
        if event.wantsReply != nil { more.append("wants a reply") }
        if let words = event.words { more.append(words) }
        return [
            "\(event.sequence)", String(format: "%.3f", Double(event.time) / 1_000), event.side, event.kind,
            event.package.map { "#\($0)" } ?? "", event.cause.map { "\($0)" } ?? "", event.content ?? "",
            more.joined(separator: ", "),
        ]
    }

    /// Returns the whole cassette as one JSON value.
    func json() throws -> JSONValue {
        [
            "manifest": try JSONValue(json: try cassette.manifest.data()),
            "schema": try JSONValue(json: try cassette.schema.data()),
            "events": .array(
                try cassette.events.map { try JSONValue(json: Data($0.line.utf8)) }),
            "contents": .object(
                try cassette.contents.mapValues { content in
                    [
                        "bytes": .integer(Int64(content.bytes)),
                        "value": try JSONValue(json: Data(content.value.text.utf8)),
                    ]
                }),
        ]
    }
}
