import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's retries")
struct RetryTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    @Test("A transfer that must be sent again waits for its delay only, even if another one ended in between")
    mutating func delay() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let all = (1...2).map { trial.transfer($0) }
        for transfer in all { _ = trial.queue(transfer) }
        _ = trial.connect()
        _ = trial.tell { $0.adopted(EngineTrial.watch, at: $1) }
        let found = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })
        trial.refused = [all[1].identifier]
        _ = trial.tell { $0.loaded(found, of: all.map(\.identifier), batch: 0, at: $1) }
        trial.refused = []
        _ = trial.answer(1)
        #expect(trial.waitOn() == ["record [\"1\"]"])
        _ = trial.tell { $0.recorded(at: $1) }
        let due = trial.engine.nextDeadline.map { $0 - trial.moment.time }
        let longest = Duration.seconds(2)
        #expect(due.map { $0 < longest } == true, "the next attempt is due after \(due.map { "\($0)" } ?? "no time")")
        #expect(trial.waitOn() == ["load [\"2\"], batch 1"])
    }

    @Test("A late request to wait does not stop a transfer that is about to be sent again, before those after it")
    mutating func latePostponement() {
        let both = (1...2).map { trial.transfer($0) }
        for transfer in both { _ = trial.queue(transfer) }
        trial.lock(true)
        #expect(trial.lock(false).suffix(1) == ["load [\"1\", \"2\"], batch 0"])
        #expect(trial.answer(1, .failed) == [])
        let found = Dictionary(uniqueKeysWithValues: both.map { ($0.identifier, $0) })
        #expect(
            trial.tell { $0.loaded(found, of: both.map(\.identifier), batch: 0, at: $1) }
                == ["write TransferUserInfo 1, a new round", "write TransferUserInfo 2"])
    }

    @Test("A request to wait counts for the attempt that it answers, not for one that begins meanwhile")
    mutating func postponementInBetween() {
        let both = (1...2).map { trial.transfer($0) }
        for transfer in both { _ = trial.queue(transfer) }
        #expect(trial.answer(1, .failed) == [])
        trial.lock(true)
        #expect(trial.lock(false).suffix(1) == ["load [\"1\", \"2\"], batch 0"])
        let found = Dictionary(uniqueKeysWithValues: both.map { ($0.identifier, $0) })
        #expect(
            trial.tell { $0.loaded(found, of: both.map(\.identifier), batch: 0, at: $1) }
                == ["write TransferUserInfo 1, a new round", "write TransferUserInfo 2"])
        _ = trial.answer(1)
        _ = trial.answer(2)
        #expect(trial.waitOn() == ["record [\"1\", \"2\"]"])
    }

    @Test("A transfer that has arrived ends, even if it is about to be sent again")
    mutating func lateArrival() {
        let transfer = trial.transfer(1)
        _ = trial.queue(transfer)
        trial.lock(true)
        trial.lock(false)
        _ = trial.answer(1)
        #expect(trial.waitOn() == ["record [\"1\"]"])
    }

    @Test("A file is closed when it has arrived")
    mutating func fileArrives() {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        _ = trial.tell { $0.sourceOpened(transfer.identifier, at: $1) }
        #expect(trial.answer(1) == [])
        #expect(trial.waitOn() == ["close source 1", "record [\"1\"]"])
    }

    @Test("The receiver of a file learns that it was cancelled, also between two attempts")
    mutating func cancelledBetween() {
        let transfer = trial.transfer(1, .file, isFile: true)
        _ = trial.queue(transfer)
        trial.refused = [transfer.identifier]
        #expect(
            trial.tell { $0.sourceOpened(transfer.identifier, at: $1) } == ["write TransferFile 1", "close source 1"])
        let effects = trial.tell { _ = $0.cancelled(transfer.identifier, at: $1) }
        #expect(effects == ["forget [\"1\"], 1 notes", "write Cancel"])
    }

    @Test("Nobody learns of a file that was cancelled before its first attempt")
    mutating func cancelledBefore() {
        _ = trial.queue(trial.transfer(1, .file, isFile: true))
        let second = trial.transfer(2, .file, isFile: true)
        _ = trial.queue(second)
        #expect(trial.tell { _ = $0.cancelled(second.identifier, at: $1) } == ["forget [\"2\"], 1 notes"])
    }

    @Test("The size of a part counts for the offer it was opened for, not for a later one")
    mutating func staleSize() throws {
        let key = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(1))
        let offer = MessagePackage(
            identifier: key.transfer, command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 10, metadata: nil).data(), timestamp: Date())
        for _ in 1...2 { _ = trial.tell { $0.received(offer, from: EngineTrial.device, bytes: 1, at: $1) } }
        #expect(trial.tell { $0.partOpened(key, size: 0, at: $1) } == [])
        #expect(trial.tell { $0.partOpened(key, size: 4, at: $1) } == ["write FileProgress"])
    }

    @Test("The files of a device are closed while the app takes nothing from it")
    mutating func interrupted() throws {
        let key = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(1))
        let offer = MessagePackage(
            identifier: key.transfer, command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 10, metadata: nil).data(), timestamp: Date())
        _ = trial.tell { $0.received(offer, from: EngineTrial.device, bytes: 1, at: $1) }
        let locked = trial.lock(true)
        #expect(locked.contains { $0.hasPrefix("close parts") }, "\(locked)")
        #expect(trial.engine.undeliveredPackages == 0)
        #expect(trial.tell { $0.partOpened(key, size: 4, at: $1) } == [])
    }
}
