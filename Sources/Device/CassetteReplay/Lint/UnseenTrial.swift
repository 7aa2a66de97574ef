import Cassettes

/// The trial of a build with a value that it does not know: one delivery or answer of a cassette has it.
package struct UnseenTrial: Sendable {
    package let enumeration: Enumeration
    package let change: PlayChange
    private let cassette: String

    /// Creates the trial of an enumeration with the cassette of a tape; nil if the tape's app was not given such a value.
    ///
    /// - Parameter cassette: The cassette's path, as it is shown.
    package init?(_ enumeration: Enumeration, _ tape: AppTape, in cassette: String) {
        let changes = tape.events.filter { LintKind(given: $0, tape) == enumeration.kind }.compactMap { event in
            let change = PlayChange(event: event.sequence, path: enumeration.path, leaf: enumeration.unseen)
            return event.content.flatMap(change.applied) == nil ? nil : (event, change)
        }
        // The lack of an answer shows only where there was one.
        let answered = changes.first { $0.0.wantsReply && tape.answer(to: $0.0.package) != nil }
        guard let (_, change) = answered ?? changes.first else { return nil }
        (self.enumeration, self.change, self.cassette) = (enumeration, change, cassette)
    }

    /// Returns what the build did wrong; nil if it got on.
    ///
    /// - Parameters:
    ///   - build: The build, as it is shown.
    ///   - usual: Its course with the cassette as it is.
    ///   - course: Its course with the value; nil if it recorded none.
    ///   - failure: The way in which the program failed.
    package func finding(_ build: String, usual: AppTape, course: AppTape?, failure: String?) -> LintFinding? {
        let value = "“\(Leaf(change.leaf).value ?? change.leaf)”, which it does not know"
        if let failure {
            return found(.unseenCrash, "\(build) \(failure) when it got \(value)")
        }
        let missing = course.map { Self.unanswered($0) - Self.unanswered(usual) } ?? 0
        if missing > 0 {
            let what = missing == 1 ? "a message" : "\(missing) messages"
            return found(.unseenUnanswered, "\(build) left \(what) without an answer when it got \(value)")
        }
        guard let course, stops(course, usual) else { return nil }
        return found(.unseenUnanswered, "\(build) did nothing more when it had got \(value)")
    }

    private func found(_ rule: LintRule, _ text: String) -> LintFinding {
        LintFinding(rule, enumeration.kind, enumeration.path, in: cassette, Seen(change.event), text)
    }

    private static func unanswered(_ tape: AppTape) -> Int {
        tape.events.count { $0.wantsReply && isDelivery($0) && tape.answer(to: $0.package) == nil }
    }

    private static func isDelivery(_ event: AppEvent) -> Bool {
        if case .delivery = event.role { true } else { false }
    }

    /// True if the app did nothing after it had got the value, where it usually did.
    private func stops(_ course: AppTape, _ usual: AppTape) -> Bool {
        guard let given = course.events.first(where: { $0.content.map(has) == true && !$0.role.isDeed }) else {
            return false
        }
        func isLater(_ event: AppEvent) -> Bool { event.time > given.time }
        return !course.deeds.contains(where: isLater) && usual.deeds.contains(where: isLater)
    }

    /// True for a content with the value.
    private func has(_ content: RedactedValue) -> Bool {
        switch content {
        case .leaf(let text): text == change.leaf
        case .list(let elements): elements.contains(where: has)
        case .entries(let entries): entries.values.contains(where: has)
        }
    }
}
