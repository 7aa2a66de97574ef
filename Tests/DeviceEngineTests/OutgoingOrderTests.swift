import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's transfers on their way out: order, notes and repeats")
struct OutgoingOrderTests {
    private var trial: EngineTrial
    private static let watch = EngineTrial.watch
    private static let adopt = "adopt(\(EngineTrial.watch))"

    init() throws { trial = try EngineTrial() }

    private static func found(_ transfers: [OutgoingTransfer]) -> [UUID: OutgoingTransfer] {
        Dictionary(uniqueKeysWithValues: transfers.map { ($0.identifier, $0) })
    }

    /// Starts over with transfers that waited for the watch, and that are being read in batch 0.
    private mutating func reading(_ count: UInt8) throws -> [OutgoingTransfer] {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let transfers = (1...count).map { trial.transfer($0) }
        for transfer in transfers { _ = trial.queue(transfer) }
        _ = trial.connect()
        _ = trial.tell { $0.adopted(Self.watch, at: $1) }
        return transfers
    }

    /// Answers the request to read these transfers.
    private static func load(_ transfers: [OutgoingTransfer], into engine: inout DeviceEngine, at moment: Moment) {
        engine.loaded(found(transfers), of: transfers.map(\.identifier), batch: 0, at: moment)
    }

    /// Returns the transfers in the packages that are to be written.
    private static func written(_ effects: [DeviceEngine.Effect]) -> [String] {
        effects.compactMap { effect in
            if case .write(let package, _, _) = effect { EngineTrial.name(package.identifier) } else { nil }
        }
    }

    private static func package(_ transfer: OutgoingTransfer) -> MessagePackage {
        MessagePackage(
            identifier: transfer.identifier, command: transfer.kind.command, status: .sent,
            timestamp: Date(timeIntervalSince1970: 0))
    }

    private func retries() -> Int { trial.logged.count { $0 == "transfer retry scheduled" } }

    // MARK: - Order

    @Test("A transfer is written when the one before it was, and not when something else was")
    mutating func turns() throws {
        let transfers = try reading(3)
        let first = trial.effects { Self.load(transfers, into: &$0, at: $1) }
        #expect(Self.written(first) == ["1"])
        let other = Self.package(trial.transfer(9))
        let nothing = trial.effects { $0.wrote(other, to: Self.watch, of: other.identifier, at: $1) }
        #expect(nothing == [])
        let written = Self.package(transfers[0])
        let second = trial.effects { $0.wrote(written, to: Self.watch, of: written.identifier, at: $1) }
        #expect(Self.written(second) == ["2"])
    }

    @Test("What was in memory for a connection that is gone is not written when the last write of that ends")
    mutating func formerConnection() throws {
        let transfers = try reading(2)
        let first = trial.effects { Self.load(transfers, into: &$0, at: $1) }
        #expect(Self.written(first) == ["1"])
        _ = trial.disconnect()
        let connecting = trial.connect()
        #expect(connecting.contains("load [\"1\", \"2\"], batch 1"), "\(connecting)")
        let written = Self.package(transfers[0])
        let late = trial.effects { $0.wrote(written, to: Self.watch, of: written.identifier, at: $1) }
        #expect(Self.written(late) == [])
    }

    @Test("A transfer that is not in the store holds up none that is queued later")
    mutating func vanished() throws {
        let transfers = try reading(2)
        let vanished = trial.tell { $0.loaded([:], of: transfers.map(\.identifier), batch: 0, at: $1) }
        #expect(vanished == [])
        #expect(trial.engine.pendingTransfers == 0)
        let next = trial.queue(trial.transfer(3))
        #expect(next == ["write TransferUserInfo 3"])
    }

    @Test("Transfers behind one that could not be written are put off in their order")
    mutating func putOff() throws {
        let transfers = try reading(6)
        trial.refused = [transfers[0].identifier]
        let effects = trial.tell { Self.load(transfers, into: &$0, at: $1) }
        #expect(effects == ["write TransferUserInfo 1"])
        let queued = trial.noted.filter { $0.state == .queued }
        #expect(queued.map(\.identifier) == transfers.map(\.identifier))
        #expect(Set(queued.compactMap(\.cause)) == [LinkSendError.queueFull.reason])
        #expect(retries() == 6)
    }

    @Test("A transfer for one watch does not wait until those for another are read")
    mutating func devices() throws {
        var policy = CompanionPolicy()
        policy.serving = .all
        trial = try EngineTrial(policy: policy)
        _ = trial.disconnect()
        _ = trial.queue(trial.transfer(1))
        let connecting = trial.connect()
        #expect(connecting.contains("load [\"1\"], batch 0"), "\(connecting)")
        _ = trial.connectOther()
        let other = trial.queue(trial.transfer(2, peer: EngineTrial.other.identifier))
        #expect(other == ["write TransferUserInfo 2"])
        let behind = trial.queue(trial.transfer(3))
        #expect(behind == ["load [\"3\"], batch 1"])
    }

    // MARK: - Notes

    @Test("A transfer is noted as sent, and as queued again when its connection ends before the answer")
    mutating func interrupted() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.disconnect()
        #expect(trial.noted.map(\.state) == [.sent, .queued])
        #expect(trial.noted.map(\.device) == [Self.watch, Self.watch])
        #expect(trial.noted.last?.cause == "the counterpart disconnected before answering")
        #expect(trial.logged.filter { $0 == "transfer interrupted" }.count == 1)
    }

    @Test("A transfer that its receiver put off is noted as queued again, with the reason")
    mutating func putOffByReceiver() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.answer(1, .failed)
        _ = trial.wait(2)
        #expect(trial.noted.map(\.state) == [.sent, .queued])
        #expect(trial.noted.last?.cause == "full")
        #expect(trial.noted.last?.direction == .outgoing)
        #expect(trial.noted.last?.kind == .userInfo)
    }

    @Test("A cancelled transfer is forgotten with a note that says so")
    mutating func cancelled() {
        let transfer = trial.transfer(1)
        _ = trial.queue(transfer)
        let date = trial.moment.date
        let effects = trial.effects { engine, moment in
            let kind = engine.cancelled(transfer.identifier, at: moment)
            #expect(kind == .userInfo)
        }
        let note = LedgerNote(
            transfer.identifier, .outgoing, .userInfo, device: Self.watch, .failed, at: date, cause: "cancelled")
        #expect(effects.first == .forget([transfer.identifier], [note]))
    }

    @Test("A transfer for the first watch that is cancelled before that comes is noted without a device")
    mutating func cancelledUnaddressed() throws {
        trial = try EngineTrial(isConnected: false)
        let transfer = trial.transfer(1, peer: .unknownPeer)
        _ = trial.queue(transfer)
        let date = trial.moment.date
        let effects = trial.effects { engine, moment in
            let kind = engine.cancelled(transfer.identifier, at: moment)
            #expect(kind == .userInfo)
        }
        let note = LedgerNote(
            transfer.identifier, .outgoing, .userInfo, device: nil, .failed, at: date, cause: "cancelled")
        #expect(effects == [.forget([transfer.identifier], [note])])
    }

    // MARK: - Once

    @Test("An attempt that ended is settled once, whatever ends after it")
    mutating func settledOnce() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.answer(1, .failed)
        _ = trial.wait(2)
        #expect(retries() == 1)
        let again = trial.waitOn()
        #expect(again == ["load [\"1\"], batch 0"])
        let transfer = trial.transfer(1)
        _ = trial.tell { $0.loaded(Self.found([transfer]), of: [transfer.identifier], batch: 0, at: $1) }
        _ = trial.queue(trial.transfer(2))
        _ = trial.answer(2)
        let ended = trial.wait(2)
        #expect(ended == ["record [\"2\"]"])
        #expect(retries() == 1)
        #expect(trial.engine.pendingTransfers == 2)
    }

    @Test("What could not be forgotten is forgotten with its notes, once")
    mutating func forgottenOnce() {
        let identifiers = (1...3).map { EngineTrial.identifier($0) }
        let note = LedgerNote(
            identifiers[0], .outgoing, .userInfo, device: Self.watch, .failed, at: Date(timeIntervalSince1970: 0),
            cause: "cancelled")
        _ = trial.tell { $0.forgetFailed([identifiers[0]], [note], at: $1) }
        _ = trial.tell { $0.told(identifiers[1], wasTold: true, at: $1) }
        // The retry takes what was told in the meantime with it.
        let first = trial.wait(1_000)
        #expect(first == ["forget [\"1\", \"2\"], 1 notes"])
        _ = trial.tell { $0.told(identifiers[2], wasTold: true, at: $1) }
        let second = trial.wait(2)
        #expect(second == ["forget [\"3\"], 0 notes"])
    }

    @Test("An outcome that was read again and is forgotten is not asked for again")
    mutating func forgottenReread() {
        var ended = trial.transfer(1)
        ended.ending = OutgoingTransfer.Ending(code: nil, reason: nil)
        let identifier = ended.identifier
        let transfer = ended
        let told = [0, 1].map { _ in trial.tell { engine, _ in engine.endedRead([transfer]) } }
        #expect(told == [["tell end 1: delivered"], []])
        _ = trial.tell { engine, _ in engine.forgotten([identifier]) }
        _ = trial.tell { engine, _ in engine.endedRead([transfer]) }
        let untold = trial.tell { $0.told(identifier, wasTold: false, at: $1) }
        #expect(untold == [])
    }

    @Test("Outcomes that could not be recorded are recorded again after a second, also when nothing else happens")
    mutating func recordedAgain() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.answer(1)
        let first = trial.wait(2)
        #expect(first == ["record [\"1\"]"])
        _ = trial.tell { $0.recordFailed(at: $1) }
        let second = trial.wait(1_000)
        #expect(second == ["record [\"1\"]"])
    }

    @Test("What cannot be read is put off at once, and nothing of it remains to be settled 2 ms later")
    mutating func settledAtOnce() throws {
        let transfers = try reading(1)
        _ = trial.tell { $0.loadFailed(transfers.map(\.identifier), batch: 0, reason: "locked", at: $1) }
        #expect(retries() == 1)
        #expect(trial.noted.map(\.cause) == ["locked"])
        let due = trial.engine.nextDeadline.map { $0 - trial.moment.time }
        let (shortest, longest) = (Duration.milliseconds(250), Duration.milliseconds(500))
        #expect(due.map { $0 >= shortest && $0 <= longest } == true, "\(due.map { "\($0)" } ?? "no deadline")")
    }

    @Test("What was put off in memory is read again, and not sent from there when the write before it ends")
    mutating func putOffInMemory() throws {
        let transfers = try reading(2)
        let first = trial.effects { Self.load(transfers, into: &$0, at: $1) }
        #expect(Self.written(first) == ["1"])
        let behind = trial.queue(trial.transfer(3))
        #expect(behind == ["load [\"3\"], batch 1"])
        let third = EngineTrial.identifier(3)
        _ = trial.tell { $0.loadFailed([third], batch: 1, reason: "locked", at: $1) }
        #expect(retries() == 2)
        // Nothing is under way any more, so that the others have their turn after their delay.
        _ = trial.tell { _ = $0.cancelled(transfers[0].identifier, at: $1) }
        let again = trial.waitOn()
        #expect(again == ["load [\"2\", \"3\"], batch 2"])
        let written = Self.package(transfers[0])
        let late = trial.effects { $0.wrote(written, to: Self.watch, of: written.identifier, at: $1) }
        #expect(late == [])
    }

    // MARK: - The first watch

    @Test("A watch that comes back is assigned nothing unless something waits for the first watch")
    mutating func nothingToAdopt() {
        _ = trial.disconnect()
        let connecting = trial.connect()
        #expect(!connecting.contains(Self.adopt), "\(connecting)")
    }

    @Test("What waits for the first watch is assigned once at a time, and once more if something came afterwards")
    mutating func adoptedOnce() {
        let requests = (1...2).map { trial.queue(trial.transfer($0, peer: .unknownPeer)) }
        #expect(requests == [[Self.adopt], []])
        let adopted = trial.tell { $0.adopted(Self.watch, at: $1) }
        #expect(adopted == ["load [\"1\", \"2\"], batch 0"])
        let later = trial.queue(trial.transfer(3, peer: .unknownPeer))
        #expect(later == [Self.adopt])
    }

    /// Returns the endings that are to be recorded.
    private static func recorded(_ effects: [DeviceEngine.Effect]) -> [TransferStateMachine.Ending] {
        effects.flatMap { effect in
            if case .record(let endings) = effect { endings } else { [] as [TransferStateMachine.Ending] }
        }
    }

    @Test(
        "What was assigned to a watch that is unpaired, or lacks the app, fails with the code for it",
        arguments: [false, true])
    mutating func adoptedTooLate(isPaired: Bool) {
        let transfer = trial.transfer(1, peer: .unknownPeer)
        _ = trial.queue(transfer)
        _ = trial.tell { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try isPaired
                        ? presence.setAppInstalled(false, Self.watch) : presence.unpair(Self.watch)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
        let effects = trial.effects { $0.adopted(Self.watch, at: $1) }
        let (code, reason): (SessionErrorCode, String) =
            isPaired
            ? (.watchAppNotInstalled, "The app is not installed on the watch")
            : (.deviceNotPaired, "No device is paired")
        let ending = TransferStateMachine.Ending(
            identifier: transfer.identifier, outcome: .refused(reason: reason), code: code.rawValue)
        #expect(Self.recorded(effects) == [ending])
        #expect(effects.contains(.forgetContexts(Self.watch)))
    }
}
