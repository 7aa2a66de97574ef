import Foundation
import Testing

@testable import LinkProtocol

@Suite("Transfers in flight")
struct TransferStateMachineTests {
    typealias Ending = TransferStateMachine.Ending
    typealias Item = TransferStateMachine.Item
    let watch = UUID()
    let device = UUID()

    func machine() -> TransferStateMachine {
        var times = LinkTimes()
        times.acknowledgement = .seconds(60)
        return TransferStateMachine(backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1)), times: times)
    }

    func sent(_ actions: [TransferStateMachine.Action]) -> [UUID] {
        actions.compactMap { if case .transmit(let entry, _, _) = $0 { entry.identifier } else { nil } }
    }

    @Test("Nothing new is sent until an end is written; then it is reported, and the next transfer follows")
    func ends() {
        var machine = machine()
        let identifiers = (0..<2).map { _ in UUID() }
        _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0))
        let items = (0..<2).map { Item(peer: watch, kind: .file, position: $0) }
        #expect(
            sent(machine.queued(identifiers[0], items[0], replacing: nil, at: at(0), jitter: 0)) == [identifiers[0]])
        #expect(machine.queued(identifiers[1], items[1], replacing: nil, at: at(0), jitter: 0) == [])
        let ending = Ending(identifier: identifiers[0], outcome: .replied)
        #expect(machine.ended([ending], at: at(1), jitter: 0) == [.stop(identifiers[0]), .record([ending])])
        #expect(machine.availabilityChanged(true, of: device, for: watch, at: at(1)) == [])
        machine.recordFailed(at: at(1))
        #expect(machine.nextDeadline == at(2))
        #expect(machine.deadlinePassed(at: at(1), jitter: 0) == [])
        #expect(machine.deadlinePassed(at: at(2), jitter: 0) == [.record([ending])])
        let actions = machine.recorded(at: at(2))
        #expect(actions.first == .finished(ending, items[0]))
        #expect(sent(actions) == [identifiers[1]])
        #expect(machine.pendingCount == 1)
    }

    @Test("A transfer that is to end on demand is never sent, ends once it is written, and blocks no other")
    func onDemand() {
        var machine = machine()
        _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0))
        let items = (0..<2).map { Item(peer: watch, kind: .userInfo, position: $0) }
        let ending = Ending(identifier: UUID(), outcome: .refused(reason: "on demand"), code: 7017)
        #expect(machine.queued(items[0], ending: ending, at: at(0)) == [.record([ending])])
        #expect(machine.pendingCount == 1)
        #expect(machine.cancelled(ending.identifier, at: at(0), jitter: 0) == nil)
        let next = UUID()
        #expect(machine.queued(next, items[1], replacing: nil, at: at(0), jitter: 0) == [])
        let actions = machine.recorded(at: at(1))
        #expect(actions.first == .finished(ending, items[0]))
        #expect(sent(actions) == [next])
        #expect(machine.pendingCount == 1)
    }

    @Test("A transfer without a report from its receiver is sent again; one with a report is not")
    func overdue() {
        var machine = machine()
        let (info, file) = (UUID(), UUID())
        _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0))
        _ = machine.queued(info, Item(peer: watch, kind: .userInfo, position: 0), replacing: nil, at: at(0), jitter: 0)
        _ = machine.queued(file, Item(peer: watch, kind: .file, position: 1), replacing: nil, at: at(0), jitter: 0)
        #expect(machine.nextDeadline == at(60))
        machine.progressed(file, at: at(30))
        #expect(machine.deadlinePassed(at: at(59), jitter: 0) == [])
        let actions = machine.deadlinePassed(at: at(60), jitter: 0)
        #expect(actions.contains(.stop(info)))
        #expect(!actions.contains(.stop(file)))
        #expect(sent(actions) == [])
        #expect(sent(machine.deadlinePassed(at: at(61), jitter: 0)) == [info])
        #expect(machine.deadlinePassed(at: at(90), jitter: 0).contains(.stop(file)))
    }

    @Test("On a slow link a waiting transfer does not time out while the link moves")
    func delivering() {
        var machine = machine()
        let infos = [UUID(), UUID()]
        _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0))
        for (position, info) in infos.enumerated() {
            let item = Item(peer: watch, kind: .userInfo, position: Int64(position))
            _ = machine.queued(info, item, replacing: nil, at: at(0), jitter: 0)
        }
        for seconds in [50.0, 100, 150] {
            machine.delivering(to: watch, at: at(seconds))
            machine.delivering(to: UUID(), at: at(seconds))
            #expect(machine.deadlinePassed(at: at(seconds + 49), jitter: 0) == [])
        }
        let lost = machine.deadlinePassed(at: at(210), jitter: 0)
        #expect(infos.filter { !lost.contains(.stop($0)) } == [])
    }

    @Test("A newer context replaces a waiting one, and follows one in flight")
    func contexts() {
        var machine = machine()
        let contexts = (0..<3).map { _ in UUID() }
        let items = (0..<3).map { Item(peer: watch, kind: .context, position: $0) }
        _ = machine.queued(contexts[0], items[0], replacing: nil, at: at(0), jitter: 0)
        #expect(
            machine.queued(contexts[1], items[1], replacing: contexts[0], at: at(0), jitter: 0)
                == [.coalesced(contexts[0], items[0], by: contexts[1])])
        #expect(sent(machine.availabilityChanged(true, of: device, for: watch, at: at(1))) == [contexts[1]])
        #expect(
            machine.queued(contexts[2], items[2], replacing: contexts[1], at: at(1), jitter: 0)
                == [.coalesced(contexts[1], items[1], by: contexts[2])])
        // The replaced one ends with its try: nothing reports it as waiting again.
        #expect(machine.availabilityChanged(false, of: device, for: watch, at: at(2)) == [.stop(contexts[1])])
        #expect(machine.pendingCount == 1)
        #expect(sent(machine.availabilityChanged(true, of: device, for: watch, at: at(3))) == [contexts[2]])
    }

    @Test("A context that was replaced in flight and is then refused temporarily gives way to the newer one")
    func replacedAndUnavailable() {
        var machine = machine()
        let contexts = (0..<2).map { _ in UUID() }
        let items = (0..<2).map { Item(peer: watch, kind: .context, position: $0) }
        _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0))
        #expect(
            sent(machine.queued(contexts[0], items[0], replacing: nil, at: at(0), jitter: 0)) == [contexts[0]])
        _ = machine.queued(contexts[1], items[1], replacing: contexts[0], at: at(0), jitter: 0)
        let ending = Ending(identifier: contexts[0], outcome: .unavailable(reason: "busy"))
        let actions = machine.ended([ending], at: at(1), jitter: 0)
        #expect(actions.first == .stop(contexts[0]))
        #expect(machine.pendingCount == 1)
        #expect(!actions.contains { if case .retry = $0 { true } else { false } }, "\(actions)")
        #expect(sent(actions) + sent(machine.deadlinePassed(at: at(10), jitter: 0)) == [contexts[1]])
    }

    @Test("A transfer missing from the store is skipped, and later ones are sent")
    func vanished() {
        var machine = machine()
        let contexts = (0..<2).map { _ in UUID() }
        let items = (0..<2).map { Item(peer: watch, kind: .context, position: $0) }
        for (context, item) in zip(contexts, items) {
            _ = machine.queued(context, item, replacing: nil, at: at(0), jitter: 0)
        }
        #expect(sent(machine.availabilityChanged(true, of: device, for: watch, at: at(1))) == [contexts[0]])
        // Its connection closes before that is known, and it waits once more.
        _ = machine.availabilityChanged(false, of: device, for: watch, at: at(1))
        #expect(sent(machine.vanished(contexts[0], at: at(1))) == [])
        #expect(sent(machine.availabilityChanged(true, of: device, for: watch, at: at(2))) == [contexts[1]])
        #expect(machine.pendingCount == 1)
    }

    @Test("An answer ends its transfer if it is a reply or has an error code; otherwise the transfer is retried")
    func answers() {
        let transfer = UUID()
        let cases: [(DeliveryStatus, String?, Int?, OutboxStateMachine.Outcome)] = [
            (.replied, nil, nil, .replied), (.replied, "late", 7_007, .replied),
            (.failed, "full", nil, .unavailable(reason: "full")),
            (.failed, nil, nil, .unavailable(reason: "the counterpart gave no reason")),
            (.failed, "no", 7_007, .refused(reason: "no")),
            (.failed, nil, 0, .refused(reason: "the counterpart gave no reason")),
        ]
        for (status, text, code, outcome) in cases {
            let answer = MessagePackage(
                identifier: UUID(), command: .transferUserInfo, status: status, errorMessage: text, errorCode: code,
                answers: transfer, timestamp: Date(timeIntervalSince1970: 0))
            let ending = TransferStateMachine.Ending(transfer, answer)
            let expected = TransferStateMachine.Ending(identifier: transfer, outcome: outcome, code: code)
            #expect(ending == expected, "\(status), \(text ?? "no text"), \(code ?? -1)")
        }
    }
}
