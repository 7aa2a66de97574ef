import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's transfers on their way out")
struct OutgoingTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    @Test("A transfer that has just been queued is written at once, without being read again")
    mutating func fresh() {
        let transfer = trial.transfer(1)
        #expect(trial.queue(transfer) == ["write TransferUserInfo 1"])
        #expect(trial.noted.map(\.state) == [.sent])
        #expect(trial.engine.pendingTransfers == 1)
    }

    @Test("Those that waited for the watch are read together, and one that is queued meanwhile goes behind them")
    mutating func order() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let (first, second, third) = (trial.transfer(1), trial.transfer(2), trial.transfer(3))
        #expect(trial.queue(first) == [])
        #expect(trial.queue(second) == [])
        #expect(trial.connect().suffix(1) == ["load [\"1\", \"2\"], batch 0"])
        #expect(trial.queue(third) == ["load [\"3\"], batch 1"])
        let found = [first.identifier: first, second.identifier: second]
        #expect(
            trial.tell { $0.loaded(found, of: [first.identifier, second.identifier], batch: 0, at: $1) }
                == ["write TransferUserInfo 1", "write TransferUserInfo 2"])
    }

    @Test("A transfer whose watch went away while it was read is not written")
    mutating func epoch() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let transfer = trial.transfer(1)
        _ = trial.queue(transfer)
        _ = trial.connect()
        _ = trial.disconnect()
        #expect(
            trial.tell { $0.loaded([transfer.identifier: transfer], of: [transfer.identifier], batch: 0, at: $1) } == []
        )
        #expect(trial.connect().suffix(1) == ["load [\"1\"], batch 1"])
    }

    @Test("What was read for a connection that is gone sends nothing on the next one, where it would overtake")
    mutating func overtaking() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let (first, second) = (trial.transfer(1), trial.transfer(2))
        let found = [first.identifier: first, second.identifier: second]
        let both = [first.identifier, second.identifier]
        _ = trial.queue(first)
        #expect(trial.connect().suffix(1) == ["load [\"1\"], batch 0"])
        #expect(trial.queue(second) == ["load [\"2\"], batch 1"])
        _ = trial.disconnect()
        #expect(trial.connect().suffix(1) == ["load [\"1\", \"2\"], batch 2"])
        #expect(trial.tell { $0.loaded(found, of: [second.identifier], batch: 1, at: $1) } == [])
        #expect(trial.tell { $0.loadFailed([second.identifier], batch: 1, reason: "locked", at: $1) } == [])
        #expect(
            trial.tell { $0.loaded(found, of: both, batch: 2, at: $1) }
                == ["write TransferUserInfo 1, a new round", "write TransferUserInfo 2"])
    }

    @Test("Behind one that could not be written none goes out, however small; all begin anew, in their order")
    mutating func unwritten() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let all = (1...3).map { trial.transfer($0) }
        for transfer in all { _ = trial.queue(transfer) }
        _ = trial.connect()
        _ = trial.tell { $0.adopted(EngineTrial.watch, at: $1) }
        let found = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })
        trial.refused = [all[1].identifier]
        #expect(
            trial.tell { $0.loaded(found, of: all.map(\.identifier), batch: 0, at: $1) }
                == ["write TransferUserInfo 1", "write TransferUserInfo 2"])
        #expect(trial.logged.count { $0 == "transfer retry scheduled" } == 2)
        #expect(trial.queue(trial.transfer(4)) == [])
        trial.refused = []
        _ = trial.answer(1)
        #expect(trial.waitOn() == ["record [\"1\"]"])
        _ = trial.tell { $0.recorded(at: $1) }
        #expect(trial.waitOn() == ["load [\"2\", \"3\", \"4\"], batch 1"])
    }

    @Test("An end is written down 2 ms later, with others; told when that is durable; forgotten when it was told")
    mutating func end() {
        for number: UInt8 in 1...2 { _ = trial.queue(trial.transfer(number)) }
        #expect(trial.answer(1) == [])
        #expect(trial.answer(2) == [])
        #expect(trial.wait(2) == ["record [\"1\", \"2\"]"])
        #expect(
            trial.tell { $0.recorded(at: $1) } == ["tell end 1: delivered", "tell end 2: delivered"])
        #expect(trial.engine.pendingTransfers == 0)
        #expect(trial.tell { $0.told(EngineTrial.identifier(1), wasTold: true, at: $1) } == [])
        #expect(trial.tell { $0.told(EngineTrial.identifier(2), wasTold: true, at: $1) } == [])
        #expect(trial.wait(2) == ["forget [\"1\", \"2\"], 0 notes"])
        #expect(
            trial.tell { $0.forgetFailed([EngineTrial.identifier(1), EngineTrial.identifier(2)], [], at: $1) } == [])
        #expect(trial.wait(1_000) == ["forget [\"1\", \"2\"], 0 notes"])
    }

    @Test("While an end cannot be written down nothing new goes out, and it is tried again after a second")
    mutating func unrecorded() {
        _ = trial.queue(trial.transfer(1))
        _ = trial.answer(1)
        #expect(trial.wait(2) == ["record [\"1\"]"])
        #expect(trial.tell { $0.recordFailed(at: $1) } == [])
        #expect(trial.queue(trial.transfer(2)) == [])
        #expect(trial.wait(1_000) == ["record [\"1\"]"])
        #expect(
            trial.tell { $0.recorded(at: $1) } == ["tell end 1: delivered", "load [\"2\"], batch 0"])
    }

    @Test("An end that nobody was there to hear is told once more when there is somebody")
    mutating func unheard() {
        _ = trial.queue(trial.transfer(1))
        let ending = TransferStateMachine.Ending(identifier: EngineTrial.identifier(1), outcome: .replied)
        var ended = trial.transfer(1)
        ended.ending = OutgoingTransfer.Ending(ending)
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == ["tell end 1: delivered"])
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == [])
        // Who came meanwhile asked for it while it was still being told to nobody.
        #expect(trial.tell { $0.told(EngineTrial.identifier(1), wasTold: false, at: $1) } == ["readEnded"])
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == ["tell end 1: delivered"])
        #expect(trial.tell { $0.told(EngineTrial.identifier(1), wasTold: false, at: $1) } == [])
    }

    @Test("An end that the delegate knows is not told again while the store cannot forget it")
    mutating func unforgotten() {
        let identifier = EngineTrial.identifier(1)
        var ended = trial.transfer(1)
        ended.ending = OutgoingTransfer.Ending(
            TransferStateMachine.Ending(identifier: identifier, outcome: .replied))
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == ["tell end 1: delivered"])
        _ = trial.tell { $0.told(identifier, wasTold: true, at: $1) }
        #expect(trial.wait(2) == ["forget [\"1\"], 0 notes"])
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == [])
        _ = trial.tell { $0.forgetFailed([identifier], [], at: $1) }
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == [])
        #expect(trial.wait(1_000) == ["forget [\"1\"], 0 notes"])
        _ = trial.tell { engine, _ in engine.forgotten([identifier]) }
        #expect(trial.tell { engine, _ in engine.endedRead([ended]) } == ["tell end 1: delivered"])
    }

    @Test("A transfer is taken back while it waits or is under way, and not twice")
    mutating func cancelled() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.queue(trial.transfer(1))
        var kinds: [TransferKind?] = []
        #expect(
            trial.tell { kinds.append($0.cancelled(EngineTrial.identifier(1), at: $1)) } == ["forget [\"1\"], 1 notes"])
        #expect(trial.tell { kinds.append($0.cancelled(EngineTrial.identifier(1), at: $1)) } == [])
        #expect(kinds == [.userInfo, nil])
        #expect(trial.engine.pendingTransfers == 0)
    }

    @Test("What cannot be read is put off, with what is behind it; what is not there is let go of")
    mutating func unreadable() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        for number: UInt8 in 1...2 { _ = trial.queue(trial.transfer(number)) }
        _ = trial.connect()
        let both = [EngineTrial.identifier(1), EngineTrial.identifier(2)]
        #expect(trial.tell { $0.loadFailed(both, batch: 0, reason: "locked", at: $1) } == [])
        #expect(trial.engine.pendingTransfers == 2)
        #expect(trial.waitOn() == ["load [\"1\", \"2\"], batch 1"])
        #expect(trial.tell { $0.loaded([:], of: both, batch: 1, at: $1) } == [])
        #expect(trial.engine.pendingTransfers == 0)
    }

    @Test("A watch without the app gets nothing: what waits for it fails with the code that says why")
    mutating func givenUp() throws {
        _ = trial.queue(trial.transfer(1))
        let effects = trial.tell { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try presence.setAppInstalled(false, EngineTrial.watch)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
        #expect(effects.contains("record [\"1\"]"))
        #expect(effects.contains { $0.hasPrefix("forgetContexts") }, "\(effects)")
    }

    @Test(
        "What waits for the first watch is given to it until the store has done so, and goes ahead of what is queued since"
    )
    mutating func adoption() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        let early = trial.transfer(1, peer: .unknownPeer)
        #expect(trial.queue(early) == [])
        let adopt = "adopt(\(EngineTrial.watch))"
        #expect(trial.connect().contains(adopt))
        let late = trial.transfer(2)
        #expect(trial.queue(late) == [])
        // The store was not able to, and says nothing.
        #expect(trial.wait(1_000) == [adopt])
        #expect(trial.tell { $0.adopted(EngineTrial.watch, at: $1) } == ["load [\"1\", \"2\"], batch 0"])
        let next = trial.engine.nextDeadline
        #expect(next.map { $0 > trial.moment.time + .seconds(1) } ?? true, "\(String(describing: next))")
    }

    @Test("What an earlier run left for the first watch, which is known by now, is given to it when it comes")
    mutating func lateAdoption() throws {
        let adopt = "adopt(\(EngineTrial.watch))"
        _ = trial.disconnect()
        let left = trial.transfer(1, peer: .unknownPeer)
        _ = trial.tell { engine, _ in engine.load(left) }
        #expect(trial.connect().contains(adopt))
        #expect(trial.tell { $0.adopted(EngineTrial.watch, at: $1) } == ["load [\"1\"], batch 0"])
    }

    @Test("A first watch that is unpaired before the store has given it what waits leaves that to the next one")
    mutating func adopterGone() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        _ = trial.queue(trial.transfer(1, peer: .unknownPeer))
        let connecting = trial.connect()
        #expect(connecting.contains { $0.hasPrefix("adopt(") }, "\(connecting)")
        let unpairing = trial.unpair()
        #expect(!unpairing.contains { $0.hasPrefix("adopt(") }, "\(unpairing)")
        #expect(trial.waitOn() == ["there is no deadline"])
        #expect(trial.engine.pendingTransfers == 1)
    }

    @Test("What the store gave to a first watch that is unpaired by then fails, with the code that says why")
    mutating func adopterGoneMeanwhile() throws {
        trial = try EngineTrial(isConnected: false)
        _ = trial.tell { $0.activate(at: $1) }
        _ = trial.queue(trial.transfer(1, peer: .unknownPeer))
        _ = trial.connect()
        _ = trial.unpair()
        #expect(trial.tell { $0.adopted(EngineTrial.watch, at: $1) }.contains("record [\"1\"]"))
    }

    @Test("What is known of a watch is kept a second later, as it is by then, when the store could not")
    mutating func unrecordedWatch() {
        _ = trial.tell { $0.companionUnrecorded(EngineTrial.watch, at: $1) }
        #expect(trial.wait(1_000) == ["keep watch"])
        let unknown = EngineTrial.identifier(77)
        _ = trial.tell { $0.companionUnrecorded(unknown, at: $1) }
        #expect(trial.wait(1_000) == ["forget watch"])
    }

    @Test("What is queued for the first watch while that comes is given to it")
    mutating func adoptionMeanwhile() {
        let transfer = trial.transfer(1, peer: .unknownPeer)
        #expect(trial.queue(transfer) == ["adopt(\(EngineTrial.watch))"])
    }

    // MARK: - Ends without sending, and second ones

    @Test("A transfer on which a fault imposes its end is never written, and ends as the fault says")
    mutating func imposed() {
        let transfer = trial.transfer(1)
        let ending = TransferStateMachine.Ending(
            identifier: transfer.identifier, outcome: .refused(reason: "a fault"), code: 7014)
        #expect(
            trial.tell { $0.queued(transfer, replacing: nil, failing: ending, at: $1) } == ["record [\"1\"]"])
        #expect(trial.tell { $0.recorded(at: $1) } == ["tell end 1: a fault"])
        #expect(trial.engine.pendingTransfers == 0)
    }

    @Test("The newest complication transfer is the current one; the one before it becomes plain")
    mutating func complication() {
        let first = trial.queue(trial.transfer(1, .complication))
        #expect(!first.contains { $0.hasPrefix("demote(") }, "\(first)")
        let second = trial.queue(trial.transfer(2, .complication))
        #expect(second.filter { $0.hasPrefix("demote(") } == ["demote(\(EngineTrial.identifier(1)))"])
    }

    @Test("The watch is told of a transfer that is taken back under way")
    mutating func withdrawn() {
        _ = trial.queue(trial.transfer(1))
        var kind: TransferKind?
        let effects = trial.tell { kind = $0.cancelled(EngineTrial.identifier(1), at: $1) }
        #expect(kind == .userInfo)
        #expect(effects.first == "forget [\"1\"], 1 notes")
        #expect(effects.dropFirst().contains { $0.hasPrefix("write Cancel") }, "\(effects)")
        #expect(trial.noted.map(\.state) == [.sent])
        // Its answer may still come.
        #expect(trial.answer(1) == [])
        #expect(trial.engine.pendingTransfers == 0)
    }

    @Test("An end has the code of the refusal, a general one if there is none, and no code after a success")
    func endings() {
        func code(_ outcome: OutboxStateMachine.Outcome, _ code: Int? = nil) -> Int? {
            OutgoingTransfer.Ending(
                TransferStateMachine.Ending(identifier: UUID(), outcome: outcome, code: code)
            ).code
        }
        let success = code(.replied)
        #expect(success == nil)
        let general = code(.refused(reason: "no"))
        #expect(general == SessionErrorCode.genericError.rawValue)
        let own = code(.refused(reason: "no"), 7014)
        #expect(own == 7014)
    }

    @Test("A transfer that has not ended is not told as ended")
    mutating func notEnded() {
        let transfer = trial.transfer(1)
        #expect(trial.tell { engine, _ in engine.endedRead([transfer]) } == [])
    }
}
