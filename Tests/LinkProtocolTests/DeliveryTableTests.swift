import Foundation
import Testing

@testable import LinkProtocol

/// Tests of one message, and of the table of all messages: every event in every state.
@Suite("Delivery machine: every state and event")
struct DeliveryTableTests {
    typealias Table = DeliveryStateMachine
    private static let message = UUID()

    // MARK: - One message

    enum Waiting: String, CaseIterable {
        case forReply, forDelivery

        var message: OutgoingDelivery { OutgoingDelivery(wantsReply: self == .forReply, deadline: at(30)) }
    }

    /// Returns the next state and its meaning; nil if the status cannot follow.
    private static func answer(
        _ waiting: Waiting, _ status: DeliveryStatus
    ) -> (next: OutgoingDelivery, answer: OutgoingDelivery.Answer)? {
        switch (waiting, status) {
        case (.forReply, .sent), (.forReply, .received): nil
        case (.forReply, .replied): (.over, .replied)
        case (.forReply, .failed): (.over, .failed)
        case (.forDelivery, .sent), (.forDelivery, .received): nil
        case (.forDelivery, .replied): (.over, .delivered)
        case (.forDelivery, .failed): (.over, .failed)
        }
    }

    @Test("An answer ends a message, or is illegal and changes nothing")
    func answers() throws {
        for waiting in Waiting.allCases {
            for status in DeliveryStatus.allCases {
                guard let expected = Self.answer(waiting, status) else {
                    #expect(throws: IllegalTransition(from: .sent, to: status), "\(status) while waiting \(waiting)") {
                        try waiting.message.answered(with: status)
                    }
                    continue
                }
                let came = try waiting.message.answered(with: status)
                #expect(came.next == expected.next, "\(status) while waiting \(waiting)")
                #expect(came.answer == expected.answer, "\(status) while waiting \(waiting)")
            }
        }
    }

    @Test("A message's current deadline ends it, that of an earlier try does not", arguments: Waiting.allCases)
    func deadlines(_ waiting: Waiting) {
        let own = waiting.message.deadlinePassed(at(30))
        #expect(own.next == .over)
        #expect(own.isOverdue)
        let former = waiting.message.deadlinePassed(at(20))
        #expect(former.next == waiting.message)
        #expect(!former.isOverdue)
    }

    @Test("An event for a finished message stops the program, as no table keeps one", arguments: [true, false])
    func over(_ isAnswer: Bool) async {
        let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isAnswer] in
            if isAnswer {
                _ = try OutgoingDelivery.over.answered(with: .replied)
            } else {
                _ = OutgoingDelivery.over.deadlinePassed(at(1))
            }
        }
        let said = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            said.contains(isAnswer ? "an answer to a completed message" : "a deadline of a completed message"))
    }

    // MARK: - Outgoing messages

    enum Outgoing: String, CaseIterable {
        /// Never sent.
        case unknown
        /// Sent at second 0.
        case waitsForReply, waitsForDelivery
        case answered
        /// Sent at second 30.
        case timedOut
        /// Sent again at second 30, after a time-out.
        case sentAgain

        var table: Table {
            var table = Table(replyTimeout: .seconds(30))
            guard self != .unknown else { return table }
            _ = table.send(message, wantsReply: self != .waitsForDelivery, at: at(0))
            if self == .answered { _ = table.answered(message, with: .replied) }
            if self == .timedOut || self == .sentAgain { _ = table.deadlinePassed(at: at(30)) }
            if self == .sentAgain { _ = table.send(message, wantsReply: true, at: at(30)) }
            return table
        }
    }

    enum Event: String, CaseIterable {
        case sent, saidSent, saidReceived, saidReplied, saidFailed, early, due, connectionLost

        func happen(to table: inout Table) -> Came {
            switch self {
            case .sent: .send(table.send(message, wantsReply: true, at: at(30)))
            case .saidSent: .answer(table.answered(message, with: .sent))
            case .saidReceived: .answer(table.answered(message, with: .received))
            case .saidReplied: .answer(table.answered(message, with: .replied))
            case .saidFailed: .answer(table.answered(message, with: .failed))
            case .early: .over(table.deadlinePassed(at: at(29.9)))
            case .due: .over(table.deadlinePassed(at: at(30)))
            case .connectionLost: .over(table.connectionLost())
            }
        }
    }

    enum Came: Equatable {
        case send(Table.SendAction)
        case answer(Table.AnswerAction)
        case over([UUID])
    }

    /// The result of the event, and the deadline afterwards.
    private struct Outcome: Equatable {
        let came: Came
        let next: MonotonicTime?

        init(_ came: Came, next: MonotonicTime? = nil) { (self.came, self.next) = (came, next) }
    }

    private static func illegal(_ status: DeliveryStatus) -> Came {
        .answer(.illegal(IllegalTransition(from: .sent, to: status)))
    }

    private static func outcome(_ state: Outgoing, _ event: Event) -> Outcome {
        switch (state, event) {
        case (.unknown, .sent): Outcome(.send(.transmit), next: at(60))
        case (.unknown, .saidSent), (.unknown, .saidReceived): Outcome(.answer(.unknown(message)))
        case (.unknown, .saidReplied), (.unknown, .saidFailed): Outcome(.answer(.unknown(message)))
        case (.unknown, .early), (.unknown, .due), (.unknown, .connectionLost): Outcome(.over([]))
        case (.waitsForReply, .sent): Outcome(.send(.refuseDuplicate), next: at(30))
        case (.waitsForReply, .saidSent): Outcome(illegal(.sent), next: at(30))
        case (.waitsForReply, .saidReceived): Outcome(illegal(.received), next: at(30))
        case (.waitsForReply, .saidReplied): Outcome(.answer(.reply(message)))
        case (.waitsForReply, .saidFailed): Outcome(.answer(.fail(message)))
        case (.waitsForReply, .early): Outcome(.over([]), next: at(30))
        case (.waitsForReply, .due), (.waitsForReply, .connectionLost): Outcome(.over([message]))
        case (.waitsForDelivery, .sent): Outcome(.send(.refuseDuplicate), next: at(30))
        case (.waitsForDelivery, .saidSent): Outcome(illegal(.sent), next: at(30))
        case (.waitsForDelivery, .saidReceived): Outcome(illegal(.received), next: at(30))
        case (.waitsForDelivery, .saidReplied): Outcome(.answer(.delivered(message)))
        case (.waitsForDelivery, .saidFailed): Outcome(.answer(.fail(message)))
        case (.waitsForDelivery, .early): Outcome(.over([]), next: at(30))
        case (.waitsForDelivery, .due), (.waitsForDelivery, .connectionLost): Outcome(.over([message]))
        case (.answered, .sent): Outcome(.send(.transmit), next: at(60))
        case (.answered, .saidSent), (.answered, .saidReceived): Outcome(.answer(.unknown(message)))
        case (.answered, .saidReplied), (.answered, .saidFailed): Outcome(.answer(.unknown(message)))
        case (.answered, .early), (.answered, .due), (.answered, .connectionLost): Outcome(.over([]))
        case (.timedOut, .sent): Outcome(.send(.transmit), next: at(60))
        case (.timedOut, .saidSent), (.timedOut, .saidReceived): Outcome(.answer(.tooLate(message)))
        case (.timedOut, .saidReplied), (.timedOut, .saidFailed): Outcome(.answer(.tooLate(message)))
        case (.timedOut, .early), (.timedOut, .due), (.timedOut, .connectionLost): Outcome(.over([]))
        case (.sentAgain, .sent): Outcome(.send(.refuseDuplicate), next: at(60))
        case (.sentAgain, .saidSent): Outcome(illegal(.sent), next: at(60))
        case (.sentAgain, .saidReceived): Outcome(illegal(.received), next: at(60))
        case (.sentAgain, .saidReplied): Outcome(.answer(.reply(message)))
        case (.sentAgain, .saidFailed): Outcome(.answer(.fail(message)))
        case (.sentAgain, .early), (.sentAgain, .due): Outcome(.over([]), next: at(60))
        case (.sentAgain, .connectionLost): Outcome(.over([message]))
        }
    }

    @Test("Each event leads to its action and to the right deadline")
    func outgoing() {
        for state in Outgoing.allCases {
            for event in Event.allCases {
                var table = state.table
                let came = Outcome(event.happen(to: &table), next: table.nextDeadline)
                #expect(came == Self.outcome(state, event), "\(event) while \(state)")
                #expect(table.outstandingCount == (came.next == nil ? 0 : 1), "\(event) while \(state)")
            }
        }
    }

    // MARK: - Incoming messages

    /// Returns true if the answer may be sent; nil if it cannot follow.
    private static func mayAnswer(isInHand: Bool, _ status: DeliveryStatus) -> Bool? {
        switch (isInHand, status) {
        case (false, .sent), (false, .received), (false, .replied), (false, .failed): false
        case (true, .sent), (true, .received): nil
        case (true, .replied), (true, .failed): true
        }
    }

    @Test("A message in hand is delivered once and answered once; other answers are dropped")
    func incoming() throws {
        for isInHand in [false, true] {
            for status in DeliveryStatus.allCases {
                var table = Table(replyTimeout: .seconds(30))
                if isInHand { _ = table.received(Self.message) }
                let expected = Self.mayAnswer(isInHand: isInHand, status)
                if let expected {
                    let came = try table.answering(Self.message, with: status)
                    #expect(came == expected, "\(status), in hand: \(isInHand)")
                } else {
                    #expect(throws: IllegalTransition(from: .received, to: status), "\(status), in hand: \(isInHand)") {
                        try table.answering(Self.message, with: status)
                    }
                }
                // A message that was answered, or never arrived, is delivered.
                let isShown = table.received(Self.message)
                #expect(isShown == (expected != nil), "\(status), in hand: \(isInHand)")
            }
        }
    }
}
