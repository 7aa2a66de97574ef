import Foundation
import LinkProtocol

/// The judge of a run: records promises and outcomes as seen from outside the devices. It has its own rules, so that an
/// error in a rule of the product is not repeated here.
struct Chronicle {
    private struct Quiz {
        let watch: Int
        let number: Int
        /// True if the host must accept it.
        let isValid: Bool
        var isAccepted = false
        var end: QuizEnd?
        var status: DeliveryStatus?
    }

    private struct Message {
        let sender: Int
        var calls = 0
        /// The number of times it was delivered to the receiver's delegate.
        var gifts = 0
        /// True when its process or app has ended and nobody waits for the reply.
        var isAbandoned = false
    }

    private struct Transfer {
        let from: Int
        let to: Int
        let kind: TransferKind
        let number: Int
        let startedAt: MonotonicTime
        var isQueued = false
        var arrivals = 0
        var end: (isFailed: Bool, cause: String?)?
        var isCancelled = false
        var isUrgent: Bool
        /// The device lives in which the receiver's delegate last got it, and the sender's delegate its end.
        var givenIn: Int?
        var toldIn: Int?
    }

    private struct Route: Hashable {
        let from: Int
        let to: Int
    }

    private var quizzes = NameTable<Quiz>()
    private var messages = NameTable<Message>()
    private var transfers = NameTable<Transfer>()
    /// The items that have not ended yet.
    private var openQuizzes = NameSet()
    private var openMessages = NameSet()
    private var openTransfers = NameSet()
    /// The number of files that have not ended yet: they go one after another.
    private(set) var openFiles = 0
    /// The transfers that have arrived and have not been delivered to the delegate.
    private var notGiven = NameSet()
    /// The routes on which packages were dropped: a resent package arrives after later ones.
    private var disordered: Set<Route> = []
    /// The time after which a phone knows that a watch's app was removed and is back, even over a stalled link.
    private static let slowestNews: Duration = .seconds(1_200)

    /// The watches that are unpaired or without the app, and how often; and the ends of former absences.
    private var absences: [Int: Int] = [:]
    private var absentUntil: [Int: MonotonicTime] = [:]
    private var lastNumber = 0
    private var lastArrived: [Route: Int] = [:]
    private var lastContext: [Route: UUID] = [:]
    private var shownContext: [Route: UUID] = [:]
    private(set) var violation: (invariant: Invariant, detail: String)?
    /// The number of messages and transfers sent so far, of any kind.
    private(set) var sent = 0

    private mutating func expect(_ condition: Bool, _ invariant: Invariant, _ detail: @autoclosure () -> String) {
        if !condition, violation == nil { violation = (invariant, detail()) }
    }

    mutating func fail(_ invariant: Invariant, _ detail: String) { expect(false, invariant, detail) }

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        sent += 1
        return lastNumber
    }

    // MARK: - Quizzes

    mutating func submits(_ quiz: UUID, watch: Int, isValid: Bool) {
        quizzes[quiz] = Quiz(watch: watch, number: nextNumber(), isValid: isValid)
    }

    mutating func accepted(_ quiz: UUID) {
        quizzes.change(quiz) { $0.isAccepted = true }
        openQuizzes.insert(quiz)
    }

    /// Records the end of a quiz, as the companion reports it.
    ///
    /// - Parameter rows: The number of rows for it in the host's database.
    mutating func ended(_ quiz: UUID, _ end: QuizEnd, rows: Int) {
        quizzes.change(quiz) { $0.end = end }
        openQuizzes.remove(quiz)
        if end.isFailed {
            expect(end.cause?.isEmpty == false, .storedOnce, "quiz \(quiz) failed without a cause")
            expect(quizzes[quiz]?.isValid == false, .storedOnce, "quiz \(quiz) failed: \(end.cause ?? "")")
        } else {
            expect(rows == 1, .storedOnce, "quiz \(quiz) was acknowledged, but has \(rows) rows")
        }
    }

    mutating func status(_ quiz: UUID, _ next: DeliveryStatus) {
        guard let former = quizzes[quiz]?.status else {
            expect(next == .sent, .legalStatus, "the first status of \(quiz) is \(next.rawValue)")
            quizzes.change(quiz) { $0.status = next }
            return
        }
        let isLegal =
            switch (former, next) {
            case (.sent, .replied), (.sent, .failed), (.failed, .sent): true
            default: false
            }
        expect(isLegal, .legalStatus, "quiz \(quiz) changes from \(former.rawValue) to \(next.rawValue)")
        quizzes.change(quiz) { $0.status = next }
    }

    /// Records that the companion's process restarted: it knows none of the earlier tries.
    mutating func restarted(_ node: Int) {
        quizzes.changeAll { if $0.watch == node { $0.status = nil } }
        for identifier in openMessages.all where messages[identifier]?.sender == node { abandoned(identifier) }
    }

    /// Checks the order of a watch's quizzes in the host's database.
    ///
    /// - Parameter positions: The positions in which they were accepted, in row order.
    mutating func stored(watch: Int, positions: [Int64]) {
        for (former, next) in zip(positions, positions.dropFirst()) {
            expect(former <= next, .order, "watch \(watch)'s quiz \(former) was stored before its quiz \(next)")
        }
    }

    // MARK: - Messages

    mutating func sends(_ message: UUID, from node: Int) {
        sent += 1
        messages[message] = Message(sender: node)
        openMessages.insert(message)
    }

    mutating func handlerCalled(_ message: UUID) {
        guard messages[message] != nil else { return }
        messages.change(message) { $0.calls += 1 }
        openMessages.remove(message)
        let calls = messages[message]?.calls ?? 0
        expect(calls == 1, .oneHandler, "handlers of \(message) were called \(calls) times")
    }

    /// Records that the receiver's delegate got a message. The sender writes a message only once, even if it is lost.
    mutating func messageGiven(_ message: UUID) {
        messages.change(message) { $0.gifts += 1 }
        let gifts = messages[message]?.gifts ?? 0
        expect(gifts <= 1, .oneHandler, "message \(message) was delivered to the delegate \(gifts) times")
    }

    mutating func abandoned(_ message: UUID) {
        messages.change(message) { $0.isAbandoned = true }
        openMessages.remove(message)
    }

    // MARK: - Transfers

    mutating func transfers(_ transfer: UUID, _ kind: TransferKind, from: Int, to: Int, at time: MonotonicTime) {
        transfers[transfer] = Transfer(
            from: from, to: to, kind: kind, number: nextNumber(), startedAt: time, isUrgent: kind == .complication)
    }

    /// Records that a watch is unpaired or without the app.
    mutating func isAway(_ watch: Int) { absences[watch, default: 0] += 1 }

    mutating func isBack(_ watch: Int, at time: MonotonicTime) {
        absences[watch, default: 0] -= 1
        absentUntil[watch] = time + Self.slowestNews
    }

    /// Returns true if the receiver of a transfer was a watch that was away for a time since then.
    private func wasAway(_ transfer: Transfer) -> Bool {
        absences[transfer.to] ?? 0 > 0 || absentUntil[transfer.to].map { $0 >= transfer.startedAt } ?? false
    }

    /// Records that a transfer is queued, which fixes its position. Called again after a restart.
    mutating func queued(_ transfer: UUID) {
        guard let found = transfers[transfer], !found.isQueued else { return }
        transfers.change(transfer) { $0.isQueued = true }
        guard found.kind == .context else {
            if openTransfers.insert(transfer), found.kind == .file { openFiles += 1 }
            return
        }
        lastContext[Route(from: found.from, to: found.to)] = transfer
    }

    private mutating func close(_ transfer: UUID) {
        guard openTransfers.contains(transfer) else { return }
        openTransfers.remove(transfer)
        if transfers[transfer]?.kind == .file { openFiles -= 1 }
    }

    mutating func cancelled(_ transfer: UUID) {
        transfers.change(transfer) { $0.isCancelled = true }
        close(transfer)
    }

    /// Records that a transfer is durable in the receiver's inbox.
    ///
    /// - Parameter isRestart: True for a transfer that a restart finds there, which may already be known.
    mutating func arrived(_ transfer: UUID, isRestart: Bool = false) {
        guard let found = transfers[transfer], !isRestart || found.arrivals == 0 else { return }
        transfers.change(transfer) { $0.arrivals += 1 }
        if found.kind != .context { notGiven.insert(transfer) }
        expect(found.arrivals == 0, .transfersArrive, "transfer \(transfer) arrived \(found.arrivals + 1) times")
        // A cancelled one that the disk could not remove comes back after a restart, when others have passed it.
        guard found.kind == .userInfo || found.kind == .file, !found.isUrgent, !found.isCancelled else { return }
        // Each kind has its own order; separate routes distinguish user infos from files.
        let route = Route(from: found.from * 10 + (found.kind == .file ? 1 : 0), to: found.to)
        guard !disordered.contains(route) else { return }
        expect(
            lastArrived[route] ?? 0 < found.number, .order,
            "\(found.kind.rawValue) \(transfer) arrived after a later one")
        lastArrived[route] = max(lastArrived[route] ?? 0, found.number)
    }

    /// Records that the delegate got a transfer; among contexts only the last one counts.
    ///
    /// - Parameter life: The life of the receiver.
    mutating func given(_ transfer: UUID, in life: Int) {
        guard let found = transfers[transfer] else { return }
        expect(found.givenIn != life, .oneHandler, "transfer \(transfer) was delivered again")
        transfers.change(transfer) { $0.givenIn = life }
        notGiven.remove(transfer)
        expect(found.arrivals > 0, .transfersArrive, "transfer \(transfer) was delivered, but had not arrived")
        if found.kind == .context { shownContext[Route(from: found.from, to: found.to)] = transfer }
    }

    /// Records that an injected fault hit a package, which can break rules that hold on a lossless link.
    mutating func met(_ rule: FaultRule, _ package: MessagePackage) {
        switch rule.effect {
        case .delay, .duplicate, .hold, .reorder: return
        case .drop, .lose: break
        }
        guard let found = transfers[package.identifier], found.kind == .userInfo || found.kind == .complication else {
            return
        }
        disordered.insert(Route(from: found.from * 10, to: found.to))
    }

    /// Records the end of a transfer, as the sender's delegate gets it.
    ///
    /// - Parameter life: The life of the sender.
    mutating func ended(_ transfer: UUID, cause: String?, isFailed: Bool, in life: Int) {
        expect(
            transfers[transfer]?.toldIn != life, .oneHandler, "the delegate got the end of \(transfer) again")
        transfers.change(transfer) {
            $0.toldIn = life
            $0.end = (isFailed, cause)
        }
        close(transfer)
        if isFailed {
            expect(cause?.isEmpty == false, .transfersArrive, "transfer \(transfer) failed without a cause")
            guard let found = transfers[transfer] else { return }
            expect(wasAway(found), .transfersArrive, "transfer \(transfer) failed: \(cause ?? "")")
            let route = Route(from: found.from, to: found.to)
            if lastContext[route] == transfer { lastContext[route] = nil }
        } else if let found = transfers[transfer] {
            expect(found.arrivals > 0, .transfersArrive, "transfer \(transfer) ended, but had not arrived")
        }
    }

    // MARK: - The end

    /// Judges the final state, after the faults have stopped and everything has had time to settle.
    ///
    /// - Parameters:
    ///   - rows: Returns the number of rows for a quiz in the host's database.
    ///   - isPending: Returns true if a watch's outbox still holds the quiz.
    mutating func judge(rows: (UUID) -> Int, isPending: (UUID, Int) -> Bool) {
        for (identifier, quiz) in quizzes.all where quiz.isAccepted {
            let count = rows(identifier)
            expect(count <= 1, .storedOnce, "quiz \(identifier) has \(count) rows")
            guard let end = quiz.end else {
                expect(isPending(identifier, quiz.watch), .storedOnce, "quiz \(identifier) is lost")
                fail(.settles, "quiz \(identifier) of watch \(quiz.watch) has not ended; it has \(count) rows")
                continue
            }
            expect(end.isFailed || count == 1, .storedOnce, "quiz \(identifier) ended as stored, with \(count) rows")
        }
        for (identifier, message) in messages.all where message.calls == 0 && !message.isAbandoned {
            fail(.oneHandler, "no handler of message \(identifier) was called")
        }
        for (identifier, transfer) in transfers.all
        where transfer.isQueued && !transfer.isCancelled && transfer.kind != .context {
            guard let end = transfer.end else {
                fail(
                    .settles,
                    "\(transfer.kind.rawValue) \(identifier) from \(transfer.from) to \(transfer.to) never ended")
                continue
            }
            expect(
                end.isFailed || transfer.arrivals > 0, .transfersArrive,
                "\(transfer.kind.rawValue) \(identifier) ended, but has not arrived")
        }
        for transfer in notGiven.all { fail(.transfersArrive, "transfer \(transfer) arrived, but was not delivered") }
        for (route, context) in lastContext where shownContext[route] != context {
            fail(.latestContext, "the context from \(route.from) to \(route.to) is not the latest, \(context)")
        }
    }

    /// True when everything has ended and there is nothing left to wait for.
    var isSettled: Bool {
        openQuizzes.isEmpty && openMessages.isEmpty && openTransfers.isEmpty
            && notGiven.isEmpty && lastContext.allSatisfy { shownContext[$0.key] == $0.value }
    }
}
