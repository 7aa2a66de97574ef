import Cassettes
package import Foundation

/// A contract of an app with its counterpart: what it gives and what it takes, learned from a cassette and kept in a file
/// for review.
package struct Contract: Codable, Equatable, Sendable {
    /// The keys of a kind of content, each with its types, separated by ``separator``; a key that is not always there ends
    /// with `?`.
    package typealias Keys = [String: String]

    static let separator = " | "
    /// The key of a whole content, if it is an object of a class.
    private static let root = "."

    /// The device whose app it is.
    package var side: String
    /// The keys that say what a message is, by the call: contents are then those of one kind, such as `sendMessage kind=lap`. Nil
    /// without one.
    package var kindKeys: [String: String]?
    /// The keys of the kinds of messages that share no key, by the call, each with the one that names it first, as in `sendMessage
    /// with lap`. Nil without any.
    package var kindFamilies: [String: [[String]]]?
    /// The kinds of calls and answers that came in some of the recordings only; a build may leave them out. Nil without any.
    package var sometimes: [String]?
    /// The contents of the app's calls and answers, by kind.
    package var gives: [String: Keys] = [:]
    /// The contents of the calls of its delegate, and of the replies that it gets.
    package var takes: [String: Keys] = [:]
    /// The calls for which the app waits for a reply.
    package var awaitsReplies: [String] = []
    /// The delegate's methods whose messages the app answers.
    package var answers: [String] = []
    /// The codes of the errors that the app was told, by its call.
    package var errors: [String: [Int]] = [:]
    /// The calls that the app always makes during a call of its delegate, in their order.
    package var order: [String: [String]] = [:]

    /// Learns the contract of the app of some tapes, of which there is one at least.
    package init?(_ tapes: [AppTape]) {
        guard let first = tapes.first else { return nil }
        self.init(first.side, tapes, MessageKinds(tapes))
    }

    /// - Parameter kinds: The kinds that are told apart.
    init(_ side: String, _ tapes: [AppTape], _ kinds: MessageKinds) {
        self.side = side
        kindKeys = kinds.keys.isEmpty ? nil : kinds.keys
        kindFamilies = kinds.families.isEmpty ? nil : kinds.families
        var (given, taken) = (CassetteSchema(), CassetteSchema())
        var times: [String: Int] = [:]
        for tape in tapes {
            var seen: Set<String> = []
            for event in tape.events {
                let kind = kinds.name(of: event, in: tape)
                switch event.role {
                case .call, .answer:
                    seen.insert(kind)
                    if let content = Self.content(of: event) { given.learn(content, of: kind) }
                    if event.role.isCall, event.wantsReply { awaitsReplies.append(kind) }
                case .delivery(_, let wantsReply):
                    if let content = Self.content(of: event) { taken.learn(content, of: kind) }
                    if wantsReply, tape.answer(to: event.package) != nil { answers.append(kind) }
                case .outcome, .refusal:
                    if let content = Self.content(of: event) { taken.learn(content, of: kind) }
                    note(event, tape, kinds)
                case .droppedAnswer, .cancel, .activation, .notice, .link, .action, .fault: break
                }
            }
            for kind in seen { times[kind, default: 0] += 1 }
        }
        (gives, takes) = (given.messages.mapValues(Self.keys), taken.messages.mapValues(Self.keys))
        awaitsReplies = Set(awaitsReplies).sorted()
        answers = Set(answers).sorted()
        let rare = times.filter { $0.value < tapes.count }.keys.sorted()
        sometimes = rare.isEmpty ? nil : rare
        order = Self.order(tapes, kinds)
    }

    /// Returns what an event says. A file without metadata is given as well: all keys of its kind are missing.
    private static func content(of event: AppEvent) -> RedactedValue? {
        if let content = event.content { return content.withJSONNumbers }
        return switch event.role {
        case .call(.file), .delivery(.file, _): .entries([:])
        default: nil
        }
    }

    private mutating func note(_ event: AppEvent, _ tape: AppTape, _ kinds: MessageKinds) {
        guard let code = event.error, let call = tape.call(of: event.package) else { return }
        let kind = kinds.name(of: call, in: tape)
        errors[kind] = Set((errors[kind] ?? []) + [code]).sorted()
    }

    private static func keys(_ message: CassetteSchema.Message) -> Keys {
        var keys: Keys = [:]
        for (path, found) in message.paths where !path.isEmpty || found.classes != nil {
            let isOptional = found.present.map { $0 < found.possible ?? 0 } ?? false
            // Sizes are those of this recording.
            let types = Set(found.types.keys.map { String($0.prefix { $0 != " " }) }).sorted()
            let classes = (found.classes ?? []).map { "class \($0)" }
            keys[(path.isEmpty ? root : path) + (isOptional ? "?" : "")] = (types + classes).joined(
                separator: separator)
        }
        return keys
    }

    /// Returns the calls during each method of the delegate, where they are the same every time.
    private static func order(_ tapes: [AppTape], _ kinds: MessageKinds) -> [String: [String]] {
        var orders: [String: Set<[String]>] = [:]
        for tape in tapes {
            let made = Dictionary(grouping: tape.deeds.filter { $0.occasion != nil }, by: { $0.occasion ?? 0 })
            for event in tape.events where event.role.isOccasion {
                orders[kinds.name(of: event, in: tape), default: []].insert((made[event.sequence] ?? []).map(\.kind))
            }
        }
        return orders.compactMapValues { $0.count == 1 ? $0.first : nil }.filter { !$0.value.isEmpty }
    }

    // MARK: - The file

    /// The file's bytes: JSON with sorted keys, to be read in a review.
    package func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    package init(data: Data) throws { self = try JSONDecoder().decode(Contract.self, from: data) }
}
