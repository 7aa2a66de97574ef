import Cassettes

/// The deeds of an app that made identifiers: what passes on such a value cannot have come before.
struct ValueSources {
    /// The first deed with each identifier.
    private var deeds: [String: AppEvent] = [:]

    init(_ tape: AppTape) {
        var given: Set<String> = []
        for event in tape.events {
            guard let content = event.content else { continue }
            var isMade = false
            switch event.role {
            // What never left the app told the counterpart nothing.
            case .call where !tape.hasLeft(event): continue
            case .call, .answer: isMade = true
            case .droppedAnswer, .cancel, .activation, .refusal, .delivery, .outcome, .notice, .link, .action, .fault:
                break
            }
            for identity in content.identifiers where deeds[identity] == nil && !given.contains(identity) {
                if isMade { deeds[identity] = event } else { given.insert(identity) }
            }
        }
    }

    /// Returns the latest deed that made a value of an event; nil if there is none.
    func source(of event: AppEvent) -> AppEvent? {
        guard let content = event.content else { return nil }
        return content.identifiers.compactMap { deeds[$0] }.filter { $0.sequence < event.sequence }
            .max { $0.sequence < $1.sequence }
    }
}
