import Foundation
import Testing

@testable import LinkProtocol

@Suite("Transfers: cancellations, complications and counterparts that go")
struct TransferOrderTests {
    typealias Item = TransferStateMachine.Item
    typealias Ending = TransferStateMachine.Ending
    private static let watch = UUID()
    private static let device = UUID()

    private static func machine(isAvailable: Bool = true) -> TransferStateMachine {
        var machine = TransferStateMachine(
            backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1)), times: LinkTimes())
        if isAvailable { _ = machine.availabilityChanged(true, of: device, for: watch, at: at(0)) }
        return machine
    }

    private static func identifiers(_ count: Int) -> [UUID] { (0..<count).map { _ in UUID() } }

    /// Queues a transfer whose position is its index.
    private static func queue(
        _ index: Int, of transfers: [UUID], _ kind: TransferKind, for peer: UUID = watch,
        in machine: inout TransferStateMachine
    ) -> [String] {
        let item = Item(peer: peer, kind: kind, position: Int64(index))
        return words(machine.queued(transfers[index], item, replacing: nil, at: at(0), jitter: 0), transfers)
    }

    /// Returns the actions in words, with the indices of the transfers.
    private static func words(_ actions: [TransferStateMachine.Action], _ transfers: [UUID]) -> [String] {
        func name(_ transfer: UUID) -> String { transfers.firstIndex(of: transfer).map { "\($0)" } ?? "unknown" }
        return actions.map { action in
            switch action {
            case .transmit(let entry, let item, _): "transmit \(name(entry.identifier)) as \(item.kind.rawValue)"
            case .stop(let transfer): "stop \(name(transfer))"
            case .withdraw(let transfer, let device): "withdraw \(name(transfer)), known: \(device == Self.device)"
            case .record(let endings): "record \(endings.map { name($0.identifier) }.joined(separator: " "))"
            case .finished(let ending, _): "finished \(name(ending.identifier))"
            case .retry(let entry, _, let reason): "retry \(name(entry.identifier)): \(reason)"
            case .interrupted(let entry, _, let device):
                "interrupted \(name(entry.identifier)), known: \(device == Self.device)"
            case .coalesced(let former, _, let newer): "\(name(former)) replaced by \(name(newer))"
            case .demote(let former): "demote \(name(former))"
            }
        }
    }

    @Test("A cancelled transfer is stopped, and withdrawn from its receiver if it is in flight; the next one is sent")
    func cancelled() {
        let transfers = Self.identifiers(3)
        var machine = Self.machine()
        for index in 0..<3 { _ = Self.queue(index, of: transfers, .file, in: &machine) }
        let waiting = machine.cancelled(transfers[1], at: at(1), jitter: 0)
        #expect(Self.words(waiting?.1 ?? [], transfers) == ["stop 1"])
        let underWay = machine.cancelled(transfers[0], at: at(1), jitter: 0)
        #expect(
            Self.words(underWay?.1 ?? [], transfers) == ["stop 0", "withdraw 0, known: true", "transmit 2 as file"])
        _ = machine.availabilityChanged(false, of: Self.device, for: Self.watch, at: at(2))
        let away = machine.cancelled(transfers[2], at: at(2), jitter: 0)
        #expect(Self.words(away?.1 ?? [], transfers) == ["stop 2"])
        #expect(machine.pendingCount == 0)
        let again = machine.cancelled(transfers[2], at: at(2), jitter: 0)?.1
        #expect(again == nil)
    }

    @Test("Only the newest complication transfer is urgent; the former one becomes an ordinary user info")
    func complications() {
        let transfers = Self.identifiers(3)
        var machine = Self.machine(isAvailable: false)
        let queued = [TransferKind.userInfo, .complication, .complication].enumerated().map { index, kind in
            Self.queue(index, of: transfers, kind, in: &machine)
        }
        #expect(queued == [[], [], ["demote 1"]])
        let sent = Self.words(machine.availabilityChanged(true, of: Self.device, for: Self.watch, at: at(1)), transfers)
        #expect(sent == ["transmit 2 as complication", "transmit 0 as user info", "transmit 1 as user info"])
    }

    @Test("A complication transfer that arrived or was cancelled is not demoted; one that waits behind a former one is")
    func formerComplications() {
        let transfers = Self.identifiers(5)
        var machine = Self.machine()
        var queued: [[String]] = []
        func end(_ index: Int) {
            _ = machine.ended([Ending(identifier: transfers[index], outcome: .replied)], at: at(1), jitter: 0)
            _ = machine.recorded(at: at(1))
        }
        queued.append(Self.queue(0, of: transfers, .complication, in: &machine))
        queued.append(Self.queue(1, of: transfers, .complication, in: &machine))
        // The end of the former one leaves the current one in place.
        end(0)
        queued.append(Self.queue(2, of: transfers, .complication, in: &machine))
        end(2)
        queued.append(Self.queue(3, of: transfers, .complication, in: &machine))
        _ = machine.cancelled(transfers[3], at: at(1), jitter: 0)
        queued.append(Self.queue(4, of: transfers, .complication, in: &machine))
        #expect(
            queued == [
                ["transmit 0 as complication"], ["demote 0", "transmit 1 as complication"],
                ["demote 1", "transmit 2 as complication"], ["transmit 3 as complication"],
                ["transmit 4 as complication"],
            ])
    }

    @Test("Transfers in flight are stopped and queued again when their counterpart goes, in order, and resent once")
    func interrupted() {
        let transfers = Self.identifiers(2)
        var machine = Self.machine()
        for index in 0..<2 { _ = Self.queue(index, of: transfers, .userInfo, in: &machine) }
        func changes(_ isAvailable: Bool) -> [String] {
            Self.words(machine.availabilityChanged(isAvailable, of: Self.device, for: Self.watch, at: at(1)), transfers)
        }
        let news = [changes(true), changes(false), changes(false), changes(true), changes(true)]
        let lost = ["stop 0", "interrupted 0, known: true", "stop 1", "interrupted 1, known: true"]
        #expect(news == [[], lost, [], ["transmit 0 as user info", "transmit 1 as user info"], []])
        #expect(machine.pendingCount == 2)
    }

    @Test("A lost counterpart's transfers fail in order with the given code, except those that have ended already")
    func gaveUp() {
        let transfers = Self.identifiers(4)
        var machine = Self.machine()
        for index in 0..<3 { _ = Self.queue(index, of: transfers, .userInfo, in: &machine) }
        _ = Self.queue(3, of: transfers, .userInfo, for: UUID(), in: &machine)
        let ended = machine.ended([Ending(identifier: transfers[1], outcome: .replied)], at: at(1), jitter: 0)
        #expect(Self.words(ended, transfers) == ["stop 1", "record 1"])
        let given = machine.gaveUp(Self.watch, reason: "unpaired", code: 7_005, at: at(1), jitter: 0)
        #expect(Self.words(given, transfers) == ["stop 0", "stop 2"])
        let first = machine.recorded(at: at(1))
        #expect(Self.words(first, transfers) == ["finished 1", "record 0 2"])
        let endings = [0, 2].map {
            Ending(identifier: transfers[$0], outcome: .refused(reason: "unpaired"), code: 7_005)
        }
        #expect(first.last == .record(endings))
        let second = machine.recorded(at: at(1))
        #expect(Self.words(second, transfers) == ["finished 0", "finished 2"])
        #expect(machine.pendingCount == 1)
    }

    @Test("A transfer that its receiver cannot take now is stopped and retried with the reason; a stranger is ignored")
    func retried() {
        let transfers = Self.identifiers(1)
        var machine = Self.machine()
        _ = Self.queue(0, of: transfers, .file, in: &machine)
        let full = OutboxStateMachine.Outcome.unavailable(reason: "full")
        let endings = [UUID(), transfers[0], transfers[0]].map { Ending(identifier: $0, outcome: full) }
        let actions = Self.words(machine.ended(endings, at: at(1), jitter: 1), transfers)
        #expect(actions == ["stop 0", "retry 0: full"])
        #expect(machine.nextDeadline == at(1.1))
        let early = machine.deadlinePassed(at: at(1.05), jitter: 1)
        #expect(early == [])
        let due = Self.words(machine.deadlinePassed(at: at(1.1), jitter: 1), transfers)
        #expect(due == ["transmit 0 as file"])
    }

    @Test("A watch sends to its phone, whichever it is; a phone sends first what waited for the first watch")
    func unaddressed() {
        let transfers = Self.identifiers(2)
        var companion = Self.machine(isAvailable: false)
        _ = companion.availabilityChanged(true, of: Self.device, for: .unknownPeer, at: at(0))
        let sent = Self.queue(0, of: transfers, .userInfo, for: .unknownPeer, in: &companion)
        #expect(sent == ["transmit 0 as user info"])

        var phone = Self.machine()
        let waiting = [
            Self.queue(0, of: transfers, .userInfo, for: .unknownPeer, in: &phone),
            Self.queue(1, of: transfers, .userInfo, in: &phone),
        ]
        #expect(waiting == [[], []])
        #expect(phone.hasUnaddressed)
        let adopted = Self.words(phone.adopted(by: Self.watch, at: at(1)), transfers)
        #expect(adopted == ["transmit 0 as user info", "transmit 1 as user info"])
        #expect(!phone.hasUnaddressed)
    }

    @Test("Of complication transfers left by an earlier run, the latest is the current one, also after their adoption")
    func leftComplications() {
        let transfers = Self.identifiers(3)
        var machine = Self.machine()
        for index in [1, 0] {
            machine.load(transfers[index], Item(peer: .unknownPeer, kind: .complication, position: Int64(index)))
        }
        let adopted = Self.words(machine.adopted(by: Self.watch, at: at(0)), transfers)
        #expect(adopted == ["transmit 0 as complication", "transmit 1 as complication"])
        let next = Self.queue(2, of: transfers, .complication, in: &machine)
        #expect(next == ["demote 1", "transmit 2 as complication"])
    }

    @Test("Only the unknown counterpart has no identifier to report")
    func known() {
        #expect(UUID.unknownPeer.known == nil)
        #expect(Self.watch.known == Self.watch)
    }

    @Test("Thirty-two user infos are in flight to one counterpart, and one more when one has ended")
    func window() {
        let transfers = Self.identifiers(34)
        var machine = Self.machine()
        let queued = (0..<34).flatMap { Self.queue($0, of: transfers, .userInfo, in: &machine) }
        #expect(queued.count == LinkLimits.userInfosUnderWay)
        _ = machine.ended([Ending(identifier: transfers[5], outcome: .replied)], at: at(1), jitter: 0)
        let next = Self.words(machine.recorded(at: at(1)), transfers)
        #expect(next == ["finished 5", "transmit 32 as user info"])
    }

    @Test("A context whose result is being recorded is not superseded: its result is reported, and the newer one sent")
    func supersededTooLate() {
        let transfers = Self.identifiers(2)
        var machine = Self.machine()
        _ = Self.queue(0, of: transfers, .context, in: &machine)
        let ended = machine.ended([Ending(identifier: transfers[0], outcome: .replied)], at: at(1), jitter: 0)
        #expect(Self.words(ended, transfers) == ["stop 0", "record 0"])
        let item = Item(peer: Self.watch, kind: .context, position: 1)
        let queued = machine.queued(transfers[1], item, replacing: transfers[0], at: at(1), jitter: 0)
        #expect(queued == [])
        #expect(machine.pendingCount == 2)
        let recorded = Self.words(machine.recorded(at: at(2)), transfers)
        #expect(recorded == ["finished 0", "transmit 1 as context"])
        #expect(machine.pendingCount == 1)
    }

    @Test("A result from one counterpart sends nothing to another: what waits there is sent at its own deadline")
    func otherCounterpart() {
        let transfers = Self.identifiers(2)
        let other = UUID()
        var machine = Self.machine()
        _ = machine.availabilityChanged(true, of: UUID(), for: other, at: at(0))
        _ = Self.queue(0, of: transfers, .file, in: &machine)
        _ = Self.queue(1, of: transfers, .file, for: other, in: &machine)
        let away = OutboxStateMachine.Outcome.unavailable(reason: "away")
        let first = machine.ended([Ending(identifier: transfers[0], outcome: away)], at: at(1), jitter: 1)
        #expect(Self.words(first, transfers) == ["stop 0", "retry 0: away"])
        #expect(machine.nextDeadline == at(1.1))
        let second = machine.ended([Ending(identifier: transfers[1], outcome: away)], at: at(2), jitter: 1)
        #expect(Self.words(second, transfers) == ["stop 1", "retry 1: away"])
        let due = Self.words(machine.deadlinePassed(at: at(2), jitter: 1), transfers)
        #expect(due == ["transmit 0 as file"])
    }

    @Test("A transfer has a counterpart until its result is recorded")
    func peers() {
        let transfers = Self.identifiers(1)
        var machine = Self.machine()
        _ = Self.queue(0, of: transfers, .userInfo, in: &machine)
        _ = machine.ended([Ending(identifier: transfers[0], outcome: .replied)], at: at(1), jitter: 0)
        let peer = machine.peer(of: transfers[0])
        #expect(peer == Self.watch)
        _ = machine.recorded(at: at(1))
        let none = machine.peer(of: transfers[0])
        #expect(none == nil)
    }
}
