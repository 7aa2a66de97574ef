import LinkProtocol

/// A place where a replay departs from a recording.
package struct Deviation: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The app did not do what it did.
        case missing
        /// The app did not answer, as its message did not come either: that followed from another deed.
        case unasked
        /// The app did more than it did.
        case extra
        case content(ContentChange)
        /// The app was told of another outcome, or its answer was not sent; both in words.
        case outcome(from: String, to: String)
        /// The answer came later; both in microseconds.
        case late(from: Int64, to: Int64)
        /// It was done in another order than others of its kind.
        case order
        /// It was done in another call of the app's code, or outside of one.
        case occasion
        /// The sender no longer waits for a reply, or now does.
        case reply(wanted: Bool)
        /// The app's reply handler was released without an answer.
        case unanswered
        /// A promise of a contract about a part of the event is not kept: about a key path, a code, or the whole if it is empty.
        case contract(part: String, String)
        /// The program ended: by a signal, a deadlock, an exit code.
        case ending(String)
        /// The program itself wrote that something is wrong; the cause is the same for lines with other numbers.
        case finding(String, cause: String)
    }

    /// The position of the event in the recording, if it is there.
    package let recorded: Int?
    /// The position in the replay's own recording.
    package let replayed: Int?
    /// The kind of event: the app's call.
    package let event: String
    package let kind: Kind

    package init(recorded: Int?, replayed: Int?, event: String, _ kind: Kind) {
        (self.recorded, self.replayed, self.event, self.kind) = (recorded, replayed, event, kind)
    }

    package var verdict: Verdict {
        switch kind {
        case .occasion: .equivalent
        case .content(let change): change.verdict
        case .missing where event == "reply", .outcome where event == "reply": .broken
        case .late(let from, let to) where Self.isInVain(from, to): .broken
        case .unanswered, .ending, .finding: .broken
        case .missing, .unasked, .extra, .outcome, .late, .order, .reply, .contract: .changed
        }
    }

    /// True for a value that is another one than where it was first.
    package var isOfIdentity: Bool {
        if case .content(let change) = kind { change.isOfIdentity } else { false }
    }

    /// True for a deed that was not done.
    package var isMissing: Bool { kind == .missing || kind == .unasked }

    /// The text by which an expectation knows it, such as `sendMessage answers[].points type`.
    package var name: String {
        switch kind {
        case .content(let change): name(of: change.path)
        case .contract(let part, _): name(of: part)
        case .finding(_, let cause): "\(event) \(kind.name) \(cause)"
        default: "\(event) \(kind.name)"
        }
    }

    private func name(of part: String) -> String {
        [event, part, kind.name].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The event in words; the end if it has none.
    package var place: String {
        recorded.map { "event \($0)" } ?? replayed.map { "replay's event \($0)" } ?? "end"
    }

    package var text: String {
        switch kind {
        case .missing: "\(event): not done"
        case .unasked: "\(event): not done, because its message, which followed from another deed, did not come"
        case .extra: "\(event): done once more than recorded"
        case .content(let change): "\(event): \(change)"
        case .outcome(let from, let to): "\(event): its outcome was \(from), is \(to)"
        case .late(let from, let to):
            "\(event): \(Self.seconds(to)) after the message, \(Self.seconds(from)) when recorded"
                + (Self.isInVain(from, to)
                    ? "; after \(Self.seconds(Self.replyTimeout)) the sender has error \(SessionErrorCode.messageReplyTimedOut.rawValue)"
                    : "")
        case .order: "\(event): in another order than others of its kind"
        case .occasion: "\(event): from another call of the app's code"
        case .reply(let wanted): wanted ? "\(event): now waits for a reply" : "\(event): no longer waits for a reply"
        case .unanswered: "\(event): the reply handler was released without an answer"
        case .contract(_, let text): "\(event): \(text)"
        case .ending(let text): "the program \(text)"
        case .finding(let line, _): "the program wrote “\(line)”"
        }
    }

    /// The microseconds for which a sender usually waits for a reply.
    private static let replyTimeout = Int64(LinkTimes().reply / .microseconds(1))

    /// Returns true for an answer that its sender no longer awaits.
    private static func isInVain(_ from: Int64, _ to: Int64) -> Bool { from < replyTimeout && to >= replyTimeout }

    private static func seconds(_ time: Int64) -> String { "\(Double(time / 1_000) / 1_000) s" }
}

extension Deviation.Kind {
    /// The word for expectations and machines.
    package var name: String {
        switch self {
        case .missing: "missing"
        case .unasked: "unasked"
        case .extra: "extra"
        case .content(let change): change.kind.name
        case .outcome: "outcome"
        case .late: "late"
        case .order: "order"
        case .occasion: "occasion"
        case .reply: "reply-wanted"
        case .unanswered: "unanswered"
        case .contract: "contract"
        case .ending: "ending"
        case .finding: "finding"
        }
    }
}

extension ContentChange.Kind {
    /// The word for expectations and machines.
    package var name: String {
        switch self {
        case .missing: "key-missing"
        case .added: "key-added"
        case .type: "type"
        case .value: "value"
        case .count: "count"
        case .className: "class"
        case .identity, .merged: "identity"
        }
    }
}
