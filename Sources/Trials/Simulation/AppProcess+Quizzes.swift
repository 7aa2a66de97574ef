import Foundation
import LinkProtocol
import QuizSync
import WatchConnectivity

/// The mission's application: the companion's outbox, and the host's receiver.
extension AppProcess {
    // MARK: - The companion's outbox

    func loadOutbox() {
        guard node.role == .companion else { return }
        // An end that was recorded, and that a crash kept from being told.
        for (quiz, entry) in node.app.content.outbox {
            if let end = entry.end { world.chronicle.ended(quiz, end, rows: world.rows(quiz)) }
        }
        let pending = node.app.content.outbox.filter { $0.value.end == nil }
            .sorted { $0.value.position < $1.value.position }
        outbox.accepted(
            pending.map { OutboxStateMachine.Entry(identifier: $0.key, position: $0.value.position) })
    }

    func submit(_ quiz: UUID) {
        if world.bug == .acceptsUnsynced { world.chronicle.accepted(quiz) }
        commit(node.app) { records -> Int64 in
            records.lastPosition += 1
            records.outbox[quiz] = AppRecords.Entry(position: records.lastPosition)
            return records.lastPosition
        } _: { [self] position in
            guard let position else { return }
            trace { "accepts quiz \(world.name(quiz))" }
            world.chronicle.accepted(quiz)
            outbox.accepted([OutboxStateMachine.Entry(identifier: quiz, position: position)])
            transmitQuizzes()
        }
    }

    func reachabilityChanged(_ isReachable: Bool) {
        trace { "the outbox hears that the phone is \(isReachable ? "reachable" : "not reachable")" }
        outbox.reachabilityChanged(isReachable)
        transmitQuizzes()
    }

    private func transmitQuizzes() {
        guard isAlive else { return }
        for entry in outbox.transmit(at: world.now) {
            trace { "sends quiz \(world.name(entry.identifier)), try \(entry.attempts)" }
            world.chronicle.status(entry.identifier, .sent)
            let predecessor = world.bug == .forgetsPredecessor ? nil : entry.predecessor
            send(entry.identifier, to: world.nodes[0].device.identifier, isQuiz: true, after: predecessor)
        }
        guard !outboxTimer, world.bug != .neverRetries, let deadline = outbox.nextDeadline else { return }
        outboxTimer = true
        schedule(at: max(deadline, world.now)) { [self] in
            outboxTimer = false
            transmitQuizzes()
        }
    }

    /// A try is over.
    func quizEnded(_ quiz: UUID, _ reply: Reply) {
        let outcome: OutboxStateMachine.Outcome =
            switch reply {
            case .failure(let failure): .failed(failure.code, reason: "\(failure)")
            case .success(let data):
                QuizVerdict(rawValue: String(decoding: data ?? Data(), as: UTF8.self))
                    .map { .acknowledged($0, reason: nil) } ?? .unavailable(reason: "no verdict")
            }
        quizEnds.append((quiz, outcome))
        guard quizEnds.count == 1 else { return }
        schedule(after: 0) { [self] in recordQuizEnds() }
    }

    private func recordQuizEnds() {
        let ends = quizEnds
        quizEnds.removeAll()
        for (quiz, outcome) in ends {
            switch outbox.settled(quiz, outcome, at: world.now, jitter: world.random.unit()) {
            case .ignore: break
            case .finish:
                world.chronicle.status(quiz, .replied)
                unrecordedQuizzes.append((quiz, QuizEnd(isFailed: false, cause: nil)))
            case .giveUp(_, let reason):
                world.chronicle.status(quiz, .failed)
                let cause = world.bug == .forgetsCause ? nil : reason
                unrecordedQuizzes.append((quiz, QuizEnd(isFailed: true, cause: cause)))
            case .retry(let entry, let reason):
                trace { "quiz \(world.name(entry.identifier)) must be sent again: \(reason)" }
                world.chronicle.status(quiz, .failed)
                if world.bug == .skipsStatus { world.chronicle.status(quiz, .replied) }
            }
        }
        record()
        transmitQuizzes()
    }

    private func record() {
        let ends = unrecordedQuizzes
        guard !ends.isEmpty, !isRecording else { return }
        isRecording = true
        commit(node.app) { records in
            for (quiz, end) in ends { records.outbox[quiz]?.end = end }
        } _: { [self] done in
            guard done != nil else {
                return schedule(after: .second) { [self] in
                    isRecording = false
                    record()
                }
            }
            isRecording = false
            for (quiz, end) in ends {
                unrecordedQuizzes.removeAll { $0.identifier == quiz }
                trace { "quiz \(world.name(quiz)) has ended\(end.isFailed ? " as failed" : "")" }
                world.chronicle.ended(quiz, end, rows: world.rows(quiz))
            }
            record()
        }
    }

    // MARK: - The host's receiver

    func quizArrived(_ package: MessagePackage, _ device: Device) {
        quizArrivals.append((package, device))
        guard quizArrivals.count == 1 else { return }
        schedule(after: 0) { [self] in storeArrivals() }
    }

    private func storeArrivals() {
        var (arrivals, round): ([(package: MessagePackage, device: Device)], [UUID: UUID]) = ([], [:])
        for arrival in quizArrivals {
            let isNext = predecessors.admits(
                arrival.package.identifier, after: arrival.package.dataPackage.flatMap(Self.identifier),
                from: arrival.device.identifier, in: &round)
            if !world.isValid(arrival.package.identifier) {
                settle(arrival, .invalid)
            } else if isNext {
                arrivals.append(arrival)
            } else {
                trace { "puts quiz \(world.name(arrival.package.identifier)) off" }
                settle(arrival, .unavailable)
            }
        }
        quizArrivals.removeAll()
        guard !arrivals.isEmpty else { return predecessors.settled(round) }
        let keys = arrivals.map { QuizKey(identifier: $0.package.identifier, device: $0.device.identifier) }
        let ignoresKey = world.bug == .storesTwice
        commit(node.app, isEager: world.bug == .repliesUnsynced) { records in
            keys.map { key in
                guard records.quizzes[key] == nil || ignoresKey else { return false }
                records.quizzes[key, default: 0] += 1
                records.rows.append(key)
                return true
            }
        } _: { [self] inserted in
            guard let inserted else {
                for arrival in arrivals { settle(arrival, .unavailable) }
                return
            }
            predecessors.settled(round)
            for (arrival, isNew) in zip(arrivals, inserted) {
                if isNew { trace { "stores quiz \(world.name(arrival.package.identifier))" } }
                settle(arrival, isNew ? .stored : .repeated)
            }
        }
    }

    /// A predecessor as a simulated package carries it.
    private static func identifier(_ bytes: Data) -> UUID? { UUID(uuidString: String(decoding: bytes, as: UTF8.self)) }

    private func settle(_ arrival: (package: MessagePackage, device: Device), _ verdict: QuizVerdict) {
        answer(arrival.package, arrival.device, .replied, nil, data: Data(verdict.rawValue.utf8))
    }
}
