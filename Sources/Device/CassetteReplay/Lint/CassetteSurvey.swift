package import Cassettes
import Foundation

/// The contents of both apps in a cassette, as the rules need them.
package struct CassetteSurvey: Sendable {
    /// The error for a content of another type than property lists have.
    private static let unsupportedTypes = 7_010
    /// The errors of a message whose receiver did not answer.
    private static let unanswered: Set<Int> = [7_011, 7_012]
    /// The keys of a reply that tells of an error.
    private static let errorKeys: Set<String> = ["error", "err", "failure", "errormessage", "errorcode"]

    /// The cassette's path, as it is shown.
    package let cassette: String
    let build: String?
    let started: String
    private(set) var kinds: [LintKind: KindSurvey] = [:]
    /// The contents that were refused for their types.
    private(set) var unsupported: [LintKind: Seen] = [:]

    /// - Parameter others: The recordings of the other devices of the same run, if they are checked, too.
    package init(_ cassette: Cassette, as name: String, beside others: [RecordedSpan] = []) {
        self.init(name, cassette.manifest, cassette.events, cassette.contents.mapValues(\.value), beside: others)
    }

    init(
        _ name: String, _ manifest: CassetteManifest, _ events: [CassetteEvent], _ contents: [String: RedactedValue],
        beside others: [RecordedSpan] = []
    ) {
        let start = RecordedSpan.start(of: manifest)
        (self.cassette, build, started) = (name, manifest.build, manifest.started)
        let packages = Packages(events, contents)
        var groups: [LintKind: [String: KeyShape.Fate]] = [:]
        for event in events {
            if event.error == Self.unsupportedTypes {
                let kind =
                    packages.kind(of: event)
                    ?? LintKind(sender: LintKind.side(event.side), event.kind == "refused" ? .context : .message)
                if unsupported[kind] == nil {
                    unsupported[kind] = Seen(event.sequence)
                } else {
                    unsupported[kind]?.add(Seen(event.sequence))
                }
            }
            // In a recording of both apps, or two of one run, each content is taken from its sender.
            guard let digest = event.content, let kind = packages.kind(of: event),
                LintKind.side(event.side) == kind.sender
                    || !manifest.sides.map(LintKind.side).contains(kind.sender)
                        && !others.contains(where: { $0.tells(of: kind.sender, event, since: start) })
            else { continue }
            let fate = packages.fate(of: event)
            groups[kind, default: [:]][digest] = groups[kind]?[digest].map { $0.adding(fate) } ?? fate
        }
        learn(groups, contents)
    }

    private mutating func learn(
        _ groups: [LintKind: [String: KeyShape.Fate]], _ contents: [String: RedactedValue]
    ) {
        var count = 0
        for (kind, digests) in groups.sorted(by: { $0.key < $1.key }) {
            for (digest, fate) in digests.sorted(by: { $0.value.seen.first < $1.value.seen.first }) {
                guard let content = contents[digest] else { continue }
                count += kinds[kind, default: KindSurvey()].learn(content, fate, room: CassetteLimits.paths - count)
            }
        }
    }

    // MARK: - Messages and their ends

    /// The messages of a cassette by their numbers.
    private struct Packages {
        private var data: Set<Int> = []
        private var calls: [Int: LintKind] = [:]
        private var answered: Set<Int> = []
        private var failed: Set<Int> = []

        init(_ events: [CassetteEvent], _ contents: [String: RedactedValue]) {
            for event in events {
                guard let package = event.package, let role = EventRole(kind: event.kind) else { continue }
                let side = LintKind.side(event.side)
                switch role {
                case .call(let channel):
                    calls[package] = LintKind(sender: side, LintKind.Content(channel))
                    if channel == .data { data.insert(package) }
                case .delivery(let channel, _):
                    calls[package] = LintKind(sender: AppTape.counterpart(of: side), LintKind.Content(channel))
                    if channel == .data { data.insert(package) }
                case .droppedAnswer: failed.insert(package)
                case .answer, .outcome: note(event, package, contents)
                case .cancel, .activation, .refusal, .notice, .link, .action, .fault: break
                }
            }
        }

        private mutating func note(_ event: CassetteEvent, _ package: Int, _ contents: [String: RedactedValue]) {
            if let error = event.error {
                if CassetteSurvey.unanswered.contains(error) { failed.insert(package) }
            } else if event.kind == "reply" || event.kind == "replyHandler" {
                let content = event.content.flatMap { contents[$0] }
                if CassetteSurvey.isError(content) { failed.insert(package) } else { answered.insert(package) }
            }
        }

        /// Returns the kind of an event's content; nil for an event whose content is none of an app.
        func kind(of event: CassetteEvent) -> LintKind? {
            let side = LintKind.side(event.side)
            switch EventRole(kind: event.kind) {
            case .call(let channel): return LintKind(sender: side, LintKind.Content(channel))
            case .delivery(let channel, _):
                return LintKind(sender: AppTape.counterpart(of: side), LintKind.Content(channel))
            case .answer: return LintKind(sender: side, reply(event))
            case .outcome where event.kind == "replyHandler":
                return LintKind(sender: AppTape.counterpart(of: side), reply(event))
            case .outcome, .refusal: return event.error == nil ? nil : event.package.flatMap { calls[$0] }
            case .droppedAnswer, .cancel, .activation, .notice, .link, .action, .fault, nil: return nil
            }
        }

        private func reply(_ event: CassetteEvent) -> LintKind.Content {
            event.package.map(data.contains) == true ? .dataReply : .reply
        }

        func fate(of event: CassetteEvent) -> KeyShape.Fate {
            var fate = KeyShape.Fate(seen: Seen(event.sequence))
            guard let package = event.package else { return fate }
            switch EventRole(kind: event.kind) {
            case .call, .delivery:
                fate.failed = failed.contains(package) ? 1 : 0
                fate.answered = fate.failed == 0 && answered.contains(package) ? 1 : 0
            default: break
            }
            return fate
        }
    }

    /// Returns true for a reply with a key that tells of an error.
    private static func isError(_ content: RedactedValue?) -> Bool {
        guard let content, case .keys(let entries, _) = Shape(content) else { return false }
        return entries.keys.contains { errorKeys.contains($0.lowercased()) }
    }
}
