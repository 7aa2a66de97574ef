import Cassettes
package import Configuration
import Foundation
import KeyedArchive

/// The messages of an app as a contract of Pact, version 4 of its specification, for those who have a broker: each message
/// that its counterpart takes, with made-up values that are matched by type.
package struct PactDocument {
    private let tape: AppTape

    package init(_ tape: AppTape) { self.tape = tape }

    /// Returns the document.
    ///
    /// - Throws: `ArchiveError` for a content that is too large.
    package func json() throws -> JSONValue {
        var values = PlayedValues()
        var seen: Set<String> = []
        var interactions: [JSONValue] = []
        let kinds = MessageKinds([tape])
        for event in tape.events {
            guard case .call(let channel) = event.role, channel != .data, let content = event.content else { continue }
            let request = try message(content, &values)
            let reply = tape.first(of: event.package) { $0.kind == "replyHandler" }?.content
            let description = "\(kinds.name(of: event, in: tape)) with \(Self.names(content))"
            guard seen.insert(description).inserted else { continue }
            var interaction: [String: JSONValue] = [
                "description": .string(description), "key": .string("\(tape.side)-\(seen.count)"), "pending": false,
            ]
            if event.wantsReply {
                interaction["type"] = "Synchronous/Messages"
                interaction["request"] = request
                interaction["response"] = .array(try reply.map { [try message($0, &values)] } ?? [])
            } else {
                interaction["type"] = "Asynchronous/Messages"
                if case .object(let parts) = request { interaction.merge(parts) { $1 } }
            }
            interactions.append(.object(interaction))
        }
        let other = AppTape.counterpart(of: tape.side)
        return [
            "consumer": ["name": .string(other)], "provider": ["name": .string(tape.side)],
            "interactions": .array(interactions), "metadata": ["pactSpecification": ["version": "4.0"]],
        ]
    }

    private static func names(_ content: RedactedValue) -> String {
        guard case .keys(let entries, _) = Shape(content), !entries.isEmpty else { return "no keys" }
        return entries.keys.sorted().joined(separator: ", ")
    }

    private func message(_ content: RedactedValue, _ values: inout PlayedValues) throws -> JSONValue {
        let made = try PropertyListValue(binary: try values.dictionary(content))
        let matchers: JSONValue = .array([["match": "type"]])
        return [
            "contents": ["contentType": "application/json", "encoded": false, "content": Self.json(made)],
            "matchingRules": ["body": ["$": ["combine": "AND", "matchers": matchers]]],
        ]
    }

    /// Returns a value as JSON; dates as ISO 8601, data in base64.
    private static func json(_ value: PropertyListValue) -> JSONValue {
        switch value {
        case .null, .uid: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .unsigned(let number): .number(Double(number))
        case .float(let number): .number(Double(number))
        case .real(let number): .number(number)
        case .date(let seconds): .string(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))
        case .data(let data): .string(data.base64EncodedString())
        case .string(let text): .string(text)
        case .array(let elements), .set(let elements): .array(elements.map(json))
        case .dictionary(let entries): .object(entries.mapValues(json))
        }
    }
}
