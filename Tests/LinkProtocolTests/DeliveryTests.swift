import Foundation
import Testing

@testable import LinkProtocol

@Suite("Delivery machine")
struct DeliveryTests {
    @Test("Only the legal transitions are accepted")
    func transitions() {
        let legal: Set<[DeliveryStatus]> = [
            [.sent, .replied], [.sent, .failed], [.received, .replied], [.received, .failed], [.failed, .sent],
        ]
        for from in DeliveryStatus.allCases {
            for to in DeliveryStatus.allCases {
                if legal.contains([from, to]) {
                    #expect(throws: Never.self) { try from.becoming(to) }
                } else {
                    #expect(throws: IllegalTransition(from: from, to: to)) { try from.becoming(to) }
                }
            }
        }
        #expect("\(IllegalTransition(from: .replied, to: .sent))" == "a message that is Replied cannot become Sent")
    }

    static let identifier = UUID()

    static func sending(wantsReply: Bool = true) -> DeliveryStateMachine {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        _ = machine.send(identifier, wantsReply: wantsReply, at: at(0))
        return machine
    }

    @Test("A reply ends the message, once")
    func reply() {
        var machine = Self.sending()
        #expect(machine.answered(Self.identifier, with: .replied) == .reply(Self.identifier))
        #expect(machine.answered(Self.identifier, with: .replied) == .unknown(Self.identifier))
        #expect(machine.outstandingCount == 0)
        #expect(machine.nextDeadline == nil)
    }

    @Test("A message that is sent again gets its full time again, and is lost once")
    func sentAgain() {
        var machine = Self.sending()
        #expect(machine.answered(Self.identifier, with: .failed) == .fail(Self.identifier))
        #expect(machine.send(Self.identifier, wantsReply: true, at: at(20)) == .transmit)
        #expect(machine.nextDeadline == at(50))
        #expect(machine.deadlinePassed(at: at(30)) == [])
        #expect(machine.connectionLost() == [Self.identifier])
    }

    @Test("Answered messages leave no state, even while another one waits")
    func keepsLittle() {
        var machine = Self.sending()
        for number in 0..<10_000 {
            let identifier = UUID()
            _ = machine.send(identifier, wantsReply: true, at: at(Double(number) / 1_000))
            #expect(machine.answered(identifier, with: .replied) == .reply(identifier))
            #expect(machine.deadlineCount < 100)
        }
        #expect(machine.deadlinePassed(at: at(30)) == [Self.identifier])
        #expect(machine.deadlineCount < 100)
    }

    @Test("Without a requested reply the answer is “delivered”")
    func delivered() {
        var machine = Self.sending(wantsReply: false)
        #expect(machine.answered(Self.identifier, with: .replied) == .delivered(Self.identifier))
    }

    @Test("A failure at the receiver ends the message")
    func failure() {
        var machine = Self.sending()
        #expect(machine.answered(Self.identifier, with: .failed) == .fail(Self.identifier))
    }

    @Test(
        "An answer with a status that cannot follow is illegal and ends no message",
        arguments: [DeliveryStatus.sent, .received])
    func illegalAnswer(_ status: DeliveryStatus) {
        var machine = Self.sending()
        #expect(machine.answered(Self.identifier, with: status) == .illegal(IllegalTransition(from: .sent, to: status)))
        #expect(machine.outstandingCount == 1)
    }

    @Test("A message times out at its deadline, not before; a late reply is recognized as late")
    func timeout() {
        var machine = Self.sending()
        #expect(machine.nextDeadline == at(30))
        #expect(machine.deadlinePassed(at: at(29.9)) == [])
        #expect(machine.deadlinePassed(at: at(30)) == [Self.identifier])
        #expect(machine.answered(Self.identifier, with: .replied) == .tooLate(Self.identifier))
    }

    @Test("A lost connection fails all messages in flight, in order")
    func connectionLost() {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        let identifiers = (0..<10).map { _ in UUID() }
        for identifier in identifiers { _ = machine.send(identifier, wantsReply: true, at: at(0)) }
        _ = machine.answered(identifiers[3], with: .replied)
        #expect(machine.connectionLost() == identifiers.filter { $0 != identifiers[3] })
        #expect(machine.outstandingCount == 0)
    }

    @Test("An identifier is in flight once, and the messages in flight are limited")
    func refusals() {
        var machine = Self.sending()
        #expect(machine.send(Self.identifier, wantsReply: true, at: at(1)) == .refuseDuplicate)
        for _ in 1..<LinkLimits.outstandingMessages { _ = machine.send(UUID(), wantsReply: true, at: at(1)) }
        #expect(machine.send(UUID(), wantsReply: true, at: at(1)) == .refuseFull)
    }

    @Test("A message is delivered once while it is handled, answered once, and may arrive again afterwards")
    func incoming() throws {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        #expect(machine.received(Self.identifier) == true)
        #expect(machine.received(Self.identifier) == false)
        let first = try machine.answering(Self.identifier, with: .replied)
        #expect(first == true)
        let second = try machine.answering(Self.identifier, with: .replied)
        #expect(second == false)
        #expect(machine.received(Self.identifier) == true)
    }

    @Test("Messages that are handled at the same time are answered in any order, each once")
    func handledTogether() throws {
        let messages = (0..<3).map { _ in UUID() }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
            for message in messages { #expect(machine.received(message) == true, "\(order)") }
            var open = Set(messages.indices)
            for place in order {
                let isAnswered = try machine.answering(messages[place], with: .replied)
                #expect(isAnswered, "\(order): \(place) is not open")
                open.remove(place)
                let isRepeated = try machine.answering(messages[place], with: .replied)
                #expect(!isRepeated, "\(order): \(place) is still open")
                let shown = open.filter { machine.received(messages[$0]) }
                #expect(shown.isEmpty, "\(order), after \(place): delivered again")
            }
            // Nothing is left of them.
            for message in messages { #expect(machine.received(message) == true, "\(order)") }
            _ = machine.connectionLost()
            for message in messages { #expect(machine.received(message) == true, "\(order), with the connection lost") }
        }
    }

    @Test("An answer that is illegal for a receiver is an error that names both statuses")
    func illegalAnswering() {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        _ = machine.received(Self.identifier)
        #expect(throws: IllegalTransition(from: .received, to: .sent)) {
            try machine.answering(Self.identifier, with: .sent)
        }
    }

    @Test("As many messages that timed out as the limit are remembered, the latest ones")
    func remembered() {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        let identifiers = (0..<(LinkLimits.rememberedTimeouts + 2)).map { _ in UUID() }
        for identifier in identifiers { _ = machine.send(identifier, wantsReply: true, at: at(0)) }
        let overdue = machine.deadlinePassed(at: at(30))
        #expect(overdue == identifiers)
        let late = [0, 1, 2, identifiers.count - 1].map { machine.answered(identifiers[$0], with: .replied) }
        #expect(
            late == [
                .unknown(identifiers[0]), .unknown(identifiers[1]), .tooLate(identifiers[2]),
                .tooLate(identifiers[identifiers.count - 1]),
            ])
    }

    @Test("With as many messages in flight as allowed, a repeat is refused as such; an answer makes room for one")
    func repeatedWhenFull() {
        var machine = Self.sending()
        for _ in 1..<(LinkLimits.outstandingMessages - 1) { _ = machine.send(UUID(), wantsReply: true, at: at(1)) }
        let last = machine.send(UUID(), wantsReply: true, at: at(1))
        let again = machine.send(Self.identifier, wantsReply: true, at: at(1))
        let other = machine.send(UUID(), wantsReply: true, at: at(1))
        #expect([last, again, other] == [.transmit, .refuseDuplicate, .refuseFull])
        #expect(machine.outstandingCount == LinkLimits.outstandingMessages)
        _ = machine.answered(Self.identifier, with: .replied)
        let more = [0, 1].map { _ in machine.send(UUID(), wantsReply: true, at: at(1)) }
        #expect(more == [.transmit, .refuseFull])
    }

    @Test("A refused repeat changes neither the deadline nor what the sender expects")
    func repeatChangesNothing() {
        var machine = Self.sending(wantsReply: false)
        _ = machine.send(Self.identifier, wantsReply: true, at: at(10))
        #expect(machine.deadlineCount == 1)
        let deadline = machine.nextDeadline
        #expect(deadline == at(30))
        let answer = machine.answered(Self.identifier, with: .replied)
        #expect(answer == .delivered(Self.identifier))
    }

    @Test("The next deadline is that of the first message without an answer")
    func deadlineOfOpen() {
        var machine = Self.sending()
        let second = UUID()
        _ = machine.send(second, wantsReply: false, at: at(1))
        _ = machine.answered(Self.identifier, with: .replied)
        let deadline = machine.nextDeadline
        #expect(deadline == at(31))
        let overdue = machine.deadlinePassed(at: at(31))
        #expect(overdue == [second])
        let none = machine.nextDeadline
        #expect(none == nil)
    }

    @Test("With the connection, the messages that are being handled are lost, and may arrive again")
    func incomingLost() throws {
        var machine = DeliveryStateMachine(replyTimeout: .seconds(30))
        _ = machine.received(Self.identifier)
        _ = machine.connectionLost()
        let isAnswered = try machine.answering(Self.identifier, with: .replied)
        #expect(!isAnswered)
        let isNew = machine.received(Self.identifier)
        #expect(isNew)
        #expect(machine.deadlineCount == 0)
    }

    @Test("The deadlines of answered messages go when there are more than 64 beside two for each open message")
    func spareDeadlines() {
        var machine = Self.sending()
        var counts: [Int] = []
        for _ in 0..<68 {
            let identifier = UUID()
            _ = machine.send(identifier, wantsReply: true, at: at(1))
            counts.append(machine.deadlineCount)
            _ = machine.answered(identifier, with: .replied)
        }
        // Two messages are open at each count.
        let expected = Array(2...68) + [2]
        #expect(counts == expected)
    }

    @Test("With the connection, all deadlines are dropped, also those of messages without an answer")
    func lostDeadlines() {
        var machine = Self.sending()
        let second = UUID()
        _ = machine.send(second, wantsReply: false, at: at(1))
        #expect(machine.deadlineCount == 2)
        let lost = machine.connectionLost()
        #expect(lost == [Self.identifier, second])
        #expect(machine.deadlineCount == 0)
        let again = machine.send(second, wantsReply: true, at: at(1))
        #expect(again == .transmit)
        let lostAgain = machine.connectionLost()
        #expect(lostAgain == [second])
    }
}
