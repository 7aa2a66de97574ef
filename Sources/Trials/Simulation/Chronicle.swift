import Foundation
import LinkProtocol

/// What was promised and what came of it, seen from outside the devices: the judge of a run. Its rules are its own, so that a
/// rule of the product that is wrong is not wrong here as well.
struct Chronicle {
    private struct Quiz {
        let watch: Int
        let number: Int
        /// Whether the host may refuse it.
        let isValid: Bool
        var isAccepted = false
        var end: QuizEnd?
        var status: DeliveryStatus?
    }

    private struct Message {
        let sender: Int
        var calls = 0
        /// How often the receiver's delegate was given it.
        var gifts = 0
        /// Its process is gone, or its app: nobody waits any more.
        var isAbandoned = false
    }

    private struct Transfer {
        let from: Int
        let to: Int
        let kind: TransferKind
        let number: Int
        var isQueued = false
        var arrivals = 0
        var end: (isFailed: Bool, cause: String?)?
        var isCancelled = false
        var isUrgent: Bool
        /// The lives of their devices in which the receiver's delegate was given it last, and the sender's was told of its end.
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
    /// What has no end yet.
    private var openQuizzes = NameSet()
    private var openMessages = NameSet()
    private var openTransfers = NameSet()
    /// What arrived, and the delegate has not had.
    private var notGiven = NameSet()
    /// Routes of which packages were dropped: what is sent again arrives behind what was not.
    private var disordered: Set<Route> = []
    private var lastNumber = 0
    private var lastArrived: [Route: Int] = [:]
    private var lastContext: [Route: UUID] = [:]
    private var shownContext: [Route: UUID] = [:]
    private(set) var violation: (invariant: Invariant, detail: String)?
    /// Messages and transfers so far, by any name.
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
        quizzes[quiz]?.isAccepted = true
        openQuizzes.insert(quiz)
    }

    /// The companion tells how a quiz ended.
    ///
    /// - Parameter rows: How many the host's database has of it.
    mutating func ended(_ quiz: UUID, _ end: QuizEnd, rows: Int) {
        quizzes[quiz]?.end = end
        openQuizzes.remove(quiz)
        if end.isFailed {
            expect(end.cause?.isEmpty == false, .storedOnce, "quiz \(quiz) failed without a cause")
            expect(quizzes[quiz]?.isValid == false, .storedOnce, "quiz \(quiz) failed: \(end.cause ?? "")")
        } else {
            expect(rows == 1, .storedOnce, "quiz \(quiz) is replied to, and has \(rows) rows")
        }
    }

    mutating func status(_ quiz: UUID, _ next: DeliveryStatus) {
        guard let former = quizzes[quiz]?.status else {
            expect(next == .sent, .legalStatus, "the first status of \(quiz) is \(next.rawValue)")
            quizzes[quiz]?.status = next
            return
        }
        let isLegal =
            switch (former, next) {
            case (.sent, .replied), (.sent, .failed), (.failed, .sent): true
            default: false
            }
        expect(isLegal, .legalStatus, "quiz \(quiz) goes from \(former.rawValue) to \(next.rawValue)")
        quizzes[quiz]?.status = next
    }

    /// The companion's process is new: it knows of no try that was under way.
    mutating func restarted(_ node: Int) {
        quizzes.changeAll { if $0.watch == node { $0.status = nil } }
        for identifier in openMessages.all where messages[identifier]?.sender == node { abandoned(identifier) }
    }

    /// A watch's quizzes as the host's database has them.
    ///
    /// - Parameter positions: The places of their acceptance, in the order of the rows.
    mutating func stored(watch: Int, positions: [Int64]) {
        for (former, next) in zip(positions, positions.dropFirst()) {
            expect(former <= next, .order, "watch \(watch)'s quiz \(former) is stored ahead of its quiz \(next)")
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
        messages[message]?.calls += 1
        openMessages.remove(message)
        let calls = messages[message]?.calls ?? 0
        expect(calls == 1, .oneHandler, "handlers of \(message) were called \(calls) times")
    }

    /// The receiver's delegate is given a message. Its sender writes it once, whatever becomes of it.
    mutating func messageGiven(_ message: UUID) {
        messages[message]?.gifts += 1
        let gifts = messages[message]?.gifts ?? 0
        expect(gifts <= 1, .oneHandler, "message \(message) is given to the delegate \(gifts) times")
    }

    mutating func abandoned(_ message: UUID) {
        messages[message]?.isAbandoned = true
        openMessages.remove(message)
    }

    // MARK: - Transfers

    mutating func transfers(_ transfer: UUID, _ kind: TransferKind, from: Int, to: Int) {
        transfers[transfer] = Transfer(
            from: from, to: to, kind: kind, number: nextNumber(), isUrgent: kind == .complication)
    }

    /// A transfer is queued: it has its place from now on. Told again after a restart.
    mutating func queued(_ transfer: UUID) {
        guard let found = transfers[transfer], !found.isQueued else { return }
        transfers[transfer]?.isQueued = true
        guard found.kind == .context else {
            openTransfers.insert(transfer)
            return
        }
        lastContext[Route(from: found.from, to: found.to)] = transfer
    }

    mutating func cancelled(_ transfer: UUID) {
        transfers[transfer]?.isCancelled = true
        openTransfers.remove(transfer)
    }

    /// It is durable in the receiver's inbox, and is new there.
    ///
    /// - Parameter isRestart: Whether it is what a restart finds there, which may be known already.
    mutating func arrived(_ transfer: UUID, isRestart: Bool = false) {
        guard let found = transfers[transfer], !isRestart || found.arrivals == 0 else { return }
        transfers[transfer]?.arrivals += 1
        if found.kind != .context { notGiven.insert(transfer) }
        expect(found.arrivals == 0, .transfersArrive, "transfer \(transfer) arrived \(found.arrivals + 1) times")
        guard found.kind == .userInfo || found.kind == .file, !found.isUrgent else { return }
        // Each kind has an order of its own; user infos and files are told apart by their routes.
        let route = Route(from: found.from * 10 + (found.kind == .file ? 1 : 0), to: found.to)
        guard !disordered.contains(route) else { return }
        expect(
            lastArrived[route] ?? 0 < found.number, .order,
            "\(found.kind.rawValue) \(transfer) arrived after a later one")
        lastArrived[route] = max(lastArrived[route] ?? 0, found.number)
    }

    /// The delegate is given a transfer: of contexts the last one counts.
    ///
    /// - Parameters:
    ///   - life: The receiver's.
    ///   - mayRepeat: Whether its disk did not remove what the delegate had.
    mutating func given(_ transfer: UUID, in life: Int, mayRepeat: Bool) {
        guard let found = transfers[transfer] else { return }
        expect(
            found.givenIn != life || mayRepeat, .oneHandler, "transfer \(transfer) is given to the delegate again")
        transfers[transfer]?.givenIn = life
        notGiven.remove(transfer)
        expect(found.arrivals > 0, .transfersArrive, "transfer \(transfer) is given, and had not arrived")
        if found.kind == .context { shownContext[Route(from: found.from, to: found.to)] = transfer }
    }

    /// A package met a fault on demand, which may break what holds for a link that loses nothing.
    mutating func met(_ rule: FaultRule, _ package: MessagePackage) {
        switch rule.effect {
        case .delay, .duplicate, .hold: return
        case .drop, .lose: break
        }
        guard let found = transfers[package.identifier], found.kind == .userInfo || found.kind == .complication else {
            return
        }
        disordered.insert(Route(from: found.from * 10, to: found.to))
    }

    /// - Parameter life: The sender's.
    mutating func ended(_ transfer: UUID, cause: String?, isFailed: Bool, in life: Int) {
        expect(
            transfers[transfer]?.toldIn != life, .oneHandler, "the delegate is told again that \(transfer) has ended")
        transfers[transfer]?.toldIn = life
        transfers[transfer]?.end = (isFailed, cause)
        openTransfers.remove(transfer)
        if isFailed {
            expect(cause?.isEmpty == false, .transfersArrive, "transfer \(transfer) failed without a cause")
            // Nobody unpairs a watch here, or removes its app: there is no cause.
            expect(false, .transfersArrive, "transfer \(transfer) failed: \(cause ?? "")")
        } else if let found = transfers[transfer] {
            expect(found.arrivals > 0, .transfersArrive, "transfer \(transfer) ended and had not arrived")
        }
    }

    // MARK: - The end

    /// The faults have stopped, and time enough has passed.
    ///
    /// - Parameters:
    ///   - rows: How many the host's database has of a quiz.
    ///   - isPending: Whether a watch's outbox still has one.
    mutating func judge(rows: (UUID) -> Int, isPending: (UUID, Int) -> Bool) {
        for (identifier, quiz) in quizzes.all where quiz.isAccepted {
            let count = rows(identifier)
            expect(count <= 1, .storedOnce, "quiz \(identifier) has \(count) rows")
            guard let end = quiz.end else {
                expect(isPending(identifier, quiz.watch), .storedOnce, "quiz \(identifier) is lost")
                fail(.settles, "quiz \(identifier) of watch \(quiz.watch) has no end; it has \(count) rows")
                continue
            }
            expect(end.isFailed || count == 1, .storedOnce, "quiz \(identifier) ended as stored, and has \(count) rows")
        }
        for (identifier, message) in messages.all where message.calls == 0 && !message.isAbandoned {
            fail(.oneHandler, "no handler of message \(identifier) was called")
        }
        for (identifier, transfer) in transfers.all
        where transfer.isQueued && !transfer.isCancelled && transfer.kind != .context {
            guard let end = transfer.end else {
                fail(
                    .settles,
                    "\(transfer.kind.rawValue) \(identifier) from \(transfer.from) to \(transfer.to) has no end")
                continue
            }
            expect(
                end.isFailed || transfer.arrivals > 0, .transfersArrive,
                "\(transfer.kind.rawValue) \(identifier) ended and has not arrived")
        }
        for transfer in notGiven.all { fail(.transfersArrive, "transfer \(transfer) arrived, and was not given") }
        for (route, context) in lastContext where shownContext[route] != context {
            fail(.latestContext, "the context from \(route.from) to \(route.to) is not the latest, \(context)")
        }
    }

    /// Whether all has its end: then there is nothing to wait for.
    var isSettled: Bool {
        openQuizzes.isEmpty && openMessages.isEmpty && openTransfers.isEmpty
            && notGiven.isEmpty && lastContext.allSatisfy { shownContext[$0.key] == $0.value }
    }
}
