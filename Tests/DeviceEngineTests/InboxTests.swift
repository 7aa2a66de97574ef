import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's inbox")
struct InboxTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    private func arrived(_ number: UInt8, at position: Int64) -> ReceivedTransfer {
        var transfer = ReceivedTransfer(
            identifier: EngineTrial.identifier(number), peer: EngineTrial.watch, kind: .userInfo, payload: Data(),
            receivedAt: Date())
        transfer.position = position
        return transfer
    }

    @Test(
        "One commit at a time; what comes meanwhile is kept together behind it"
    )
    mutating func commits() {
        #expect(trial.receive(1, .transferUserInfo) == ["keep [\"1\"]"])
        #expect(trial.receive(2, .transferUserInfo) == [])
        #expect(trial.receive(3, .transferUserInfo) == [])
        #expect(
            trial.tell { $0.kept([.stored(replaced: nil)], at: $1) } == [
                "write Replied to 1", "arrived(1, isOpen: true)", "read inbox after 0, up to 64", "keep [\"2\", \"3\"]",
            ])
        #expect(
            trial.tell { $0.kept([.repeated, .stored(replaced: nil)], at: $1) } == [
                "write Replied to 2", "write Replied to 3", "arrived(1, isOpen: true)",
            ])
    }

    @Test("A context waits for the delegate, even if the one it replaces was delivered and could not be removed")
    mutating func undeletedContext() {
        var first = ReceivedTransfer(
            identifier: EngineTrial.identifier(1), peer: EngineTrial.watch, kind: .context, payload: Data(),
            receivedAt: Date())
        first.position = 1
        _ = trial.receive(1, .updateApplicationContext)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        _ = trial.tell { engine, _ in engine.inboxRead([first]) }
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        _ = trial.waitOn()
        _ = trial.tell { $0.removed(at: $1) }
        _ = trial.receive(2, .updateApplicationContext)
        let effects = trial.tell { $0.kept([.stored(replaced: first.identifier)], at: $1) }
        #expect(effects.contains("arrived(1, isOpen: true)"), "\(effects)")
    }

    @Test("Behind one that cannot be kept none is, until its sender begins anew")
    mutating func putOff() {
        _ = trial.receive(1, .transferUserInfo)
        #expect(trial.receive(2, .transferUserInfo) == [])
        #expect(
            trial.tell { $0.notKept(reason: "full", at: $1) } == ["write Failed to 1", "write Failed to 2"])
        #expect(trial.receive(3, .transferUserInfo) == ["write Failed to 3"])
        #expect(trial.receive(1, .transferUserInfo, startsRound: true) == ["keep [\"1\"]"])
    }

    @Test("Behind one that came while the phone was locked none is kept, until its sender begins anew")
    mutating func locked() {
        _ = trial.tell { $0.change(at: $1) { $0.reboot() } }
        #expect(trial.receive(1, .transferUserInfo) == [])
        _ = trial.tell { $0.change(at: $1) { $0.enter(.foreground) } }
        // A phone that serves one watch takes what comes when its app has activated the session again.
        _ = trial.tell { $0.activate(at: $1) }
        #expect(trial.receive(2, .transferUserInfo) == ["write Failed to 2"])
        #expect(trial.receive(1, .transferUserInfo, startsRound: true) == ["keep [\"1\"]"])
    }

    @Test("One that was left stands in its place: what came before it does not let in what came behind it")
    mutating func leftInItsPlace() {
        #expect(trial.receive(1, .transferUserInfo) == ["keep [\"1\"]"])
        // While the first is being kept: a new round, one that the locked phone leaves, and one behind that.
        #expect(trial.receive(1, .transferUserInfo, startsRound: true) == [])
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.change { $0.isLocked = true } } }
        #expect(trial.receive(2, .transferUserInfo) == [])
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.change { $0.isLocked = false } } }
        #expect(trial.receive(3, .transferUserInfo) == [])
        let effects = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        #expect(effects.contains("keep [\"1\"]"), "\(effects)")
        #expect(effects.contains("write Failed to 3"), "\(effects)")
    }

    @Test("A full inbox puts off as well, and so it does what is behind it")
    mutating func full() {
        _ = trial.receive(1, .transferUserInfo)
        #expect(trial.tell { $0.kept([.full(capacity: 10)], at: $1) } == ["write Failed to 1"])
        #expect(trial.receive(2, .transferUserInfo) == ["write Failed to 2"])
    }

    @Test("What a watch sent on a connection that is gone is not kept behind what it sends on the next one")
    mutating func gone() {
        _ = trial.receive(1, .transferUserInfo)
        #expect(trial.receive(2, .transferUserInfo) == [])
        _ = trial.disconnect()
        let effects = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        #expect(effects.filter { $0.hasPrefix("keep") } == [])
    }

    @Test("The delegate has 64 at once, and those that it had are removed together")
    mutating func window() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let first = (1...64).map { arrived(UInt8($0), at: Int64($0)) }
        let given = trial.tell { engine, _ in engine.inboxRead(first) }
        let expected = (1...64).map { "give \($0), opening 1" }
        #expect(given == expected)
        #expect(trial.tell { $0.given(1, .delivered, opening: 1, at: $1) } == [])
        #expect(trial.tell { $0.given(2, .failed("no method"), opening: 1, at: $1) } == [])
        #expect(trial.wait(2) == ["remove [1, 2]"])
        #expect(trial.tell { $0.removed(at: $1) } == ["settled(2)", "read inbox after 64, up to 2"])
    }

    @Test("A context that is replaced while the delegate has it leaves one more to wait for, and each is settled once")
    mutating func replaced() {
        _ = trial.receive(1, .updateApplicationContext)
        #expect(trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }.contains("arrived(1, isOpen: true)"))
        let former = arrived(1, at: 1)
        _ = trial.tell { engine, _ in engine.inboxRead([former]) }
        _ = trial.receive(2, .updateApplicationContext)
        let replaced = EngineTrial.identifier(1)
        #expect(trial.tell { $0.kept([.stored(replaced: replaced)], at: $1) }.contains("arrived(1, isOpen: true)"))
        let next = arrived(2, at: 2)
        _ = trial.tell { engine, _ in engine.inboxRead([next]) }
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        _ = trial.tell { $0.given(2, .delivered, opening: 1, at: $1) }
        _ = trial.wait(2)
        #expect(trial.tell { $0.removed(at: $1) }.contains("settled(2)"))
    }

    @Test("A context that is replaced while the delegate has it, and that the app leaves behind, is waited for no more")
    mutating func replacedAndDiscarded() {
        _ = trial.receive(1, .updateApplicationContext)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let former = arrived(1, at: 1)
        _ = trial.tell { engine, _ in engine.inboxRead([former]) }
        _ = trial.receive(2, .updateApplicationContext)
        let replaced = EngineTrial.identifier(1)
        #expect(trial.tell { $0.kept([.stored(replaced: replaced)], at: $1) }.contains("arrived(1, isOpen: true)"))
        _ = trial.tell { $0.given(1, .discarded, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove []"])
        #expect(trial.tell { $0.removed(at: $1) } == ["settled(1)"])
    }

    @Test("A context that is replaced before the delegate has it leaves as many as before")
    mutating func replacedUnseen() {
        _ = trial.receive(1, .updateApplicationContext)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        _ = trial.receive(2, .updateApplicationContext)
        let replaced = EngineTrial.identifier(1)
        #expect(trial.tell { $0.kept([.stored(replaced: replaced)], at: $1) }.contains("arrived(0, isOpen: true)"))
    }

    @Test("What the app left behind is given again, and what it had is not")
    mutating func discarded() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let both = [arrived(1, at: 1), arrived(2, at: 2)]
        _ = trial.tell { engine, _ in engine.inboxRead(both) }
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        _ = trial.tell { $0.given(2, .discarded, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove [1]"])
        #expect(trial.tell { $0.removed(at: $1) } == ["settled(1)"])
        #expect(trial.tell { $0.delegateIsReady(at: $1) } == ["readEnded", "read inbox after 1, up to 64"])
        #expect(trial.tell { engine, _ in engine.inboxRead([both[1]]) } == ["give 2, opening 2"])
    }

    @Test("What the app left behind is given before what was read meanwhile")
    mutating func discardedWhileReading() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let both = [arrived(1, at: 1), arrived(2, at: 2)]
        _ = trial.tell { engine, _ in engine.inboxRead([both[0]]) }
        _ = trial.tell { $0.given(1, .discarded, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove []"])
        // The delegate is there again, and the next one is being read, before the removal is known to be done.
        #expect(trial.tell { $0.delegateIsReady(at: $1) } == ["readEnded", "read inbox after 1, up to 63"])
        #expect(trial.tell { $0.removed(at: $1) } == [])
        #expect(trial.tell { engine, _ in engine.inboxRead([both[1]]) } == ["read inbox after 0, up to 64"])
        #expect(
            trial.tell { engine, _ in engine.inboxRead(both) } == ["give 1, opening 2", "give 2, opening 2"])
    }

    @Test("A delegate that comes while the lack of one is being noted is given what waits")
    mutating func reopened() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let transfer = arrived(1, at: 1)
        _ = trial.tell { engine, _ in engine.inboxRead([transfer]) }
        // The delegate is set between the look for one and the note that there was none.
        _ = trial.tell { $0.delegateIsReady(at: $1) }
        _ = trial.tell { $0.given(1, .discarded, opening: 1, at: $1) }
        _ = trial.tell { engine, _ in engine.inboxRead([transfer]) }
        _ = trial.wait(2)
        #expect(trial.tell { $0.removed(at: $1) } == ["read inbox after 0, up to 64"])
        #expect(trial.tell { engine, _ in engine.inboxRead([transfer]) } == ["give 1, opening 2"])
    }

    @Test("Arrivals that are kept back are announced when their time has come, and nothing is given before")
    mutating func keptBack() {
        _ = trial.receive(1, .transferUserInfo)
        #expect(
            trial.tell { $0.kept([.stored(replaced: nil)], keepingBack: .seconds(3), at: $1) }
                == ["write Replied to 1"])
        #expect(trial.tell { $0.delegateIsReady(at: $1) } == ["readEnded"])
        #expect(trial.wait(3_000) == ["arrived(1, isOpen: true)", "read inbox after 0, up to 64"])
    }

    @Test("At the end all that is known is written down at once")
    mutating func finish() {
        _ = trial.queue(trial.transfer(7))
        _ = trial.answer(7)
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let transfer = arrived(1, at: 1)
        _ = trial.tell { engine, _ in engine.inboxRead([transfer]) }
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        #expect(trial.tell { $0.finish(at: $1) } == ["remove [1]", "record [\"7\"]"])
    }

    // MARK: - Limits and repeats

    @Test("Of a repeat the sender is told, and nobody else")
    mutating func repeated() {
        _ = trial.receive(1, .transferUserInfo)
        #expect(trial.tell { $0.kept([.repeated], at: $1) } == ["write Replied to 1"])
    }

    @Test("With 64 at the delegate no more are read, and one more when it has had one")
    mutating func fullWindow() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let first = (1...64).map { arrived(UInt8($0), at: Int64($0)) }
        _ = trial.tell { engine, _ in engine.inboxRead(first) }
        _ = trial.receive(65, .transferUserInfo)
        #expect(
            trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
                == ["write Replied to 65", "arrived(1, isOpen: true)"])
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        _ = trial.wait(2)
        #expect(trial.tell { $0.removed(at: $1) } == ["settled(1)", "read inbox after 64, up to 1"])
    }

    @Test("One that the delegate has already is not given again when it is read again")
    mutating func readAgain() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let transfer = arrived(1, at: 1)
        #expect(trial.tell { engine, _ in engine.inboxRead([transfer, transfer]) } == ["give 1, opening 1"])
    }

    @Test("Nothing is given once the delegate is gone, and all is read again when there is one")
    mutating func closed() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        _ = trial.tell { engine, _ in engine.close() }
        let transfer = arrived(1, at: 1)
        #expect(trial.tell { engine, _ in engine.inboxRead([transfer]) } == [])
        _ = trial.receive(2, .transferUserInfo)
        #expect(
            trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
                == ["write Replied to 2", "arrived(1, isOpen: false)"])
        #expect(trial.tell { $0.delegateIsReady(at: $1) } == ["readEnded", "read inbox after 0, up to 64"])
    }

    @Test("What is said of transfers that the delegate does not have changes nothing")
    mutating func unknown() {
        #expect(trial.tell { $0.given(9, .delivered, opening: 1, at: $1) } == [])
        let next = trial.engine.nextDeadline
        #expect(next == nil)
        #expect(trial.tell { $0.removed(at: $1) } == [])
    }

    @Test("The inbox and the untold ends are read again a second after they could not be")
    mutating func unread() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        #expect(trial.tell { $0.inboxUnread(at: $1) } == [])
        #expect(trial.wait(1_000) == ["read inbox after 0, up to 64"])
        #expect(trial.tell { $0.endedUnread(at: $1) } == [])
        #expect(trial.wait(1_000) == ["readEnded"])
    }

    @Test("Of arrivals that are kept back each is announced at its time, and all are read after the last")
    mutating func keptBackTwice() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], keepingBack: .seconds(5), at: $1) }
        _ = trial.receive(2, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], keepingBack: .seconds(3), at: $1) }
        #expect(trial.wait(3_000) == ["arrived(1, isOpen: true)"])
        #expect(trial.wait(2_000) == ["arrived(1, isOpen: true)", "read inbox after 0, up to 64"])
    }

    @Test("Nothing is done before its time")
    mutating func notDue() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.kept([.stored(replaced: nil)], at: $1) }
        let transfer = arrived(1, at: 1)
        _ = trial.tell { engine, _ in engine.inboxRead([transfer]) }
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        #expect(trial.tell { $0.deadlinePassed(at: $1) } == [])
        #expect(trial.wait(2) == ["remove [1]"])
    }

    @Test("What was put off on one connection may come at once on the next one")
    mutating func reconnected() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.notKept(reason: "full", at: $1) }
        _ = trial.disconnect()
        _ = trial.connect()
        #expect(trial.receive(1, .transferUserInfo) == ["keep [\"1\"]"])
    }

    @Test("One kind that is put off does not hold another kind up")
    mutating func kinds() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.notKept(reason: "full", at: $1) }
        #expect(trial.receive(2, .transferUserInfo) == ["write Failed to 2"])
        #expect(trial.receive(3, .updateApplicationContext) == ["keep [\"3\"]"])
    }

    @Test("At the end what the delegate was told is forgotten, and what is known of watches is kept")
    mutating func finishTold() {
        let identifier = EngineTrial.identifier(7)
        var ended = trial.transfer(7)
        ended.ending = OutgoingTransfer.Ending(code: nil, reason: nil)
        _ = trial.tell { engine, _ in engine.endedRead([ended]) }
        _ = trial.tell { $0.told(identifier, wasTold: true, at: $1) }
        _ = trial.tell { $0.companionUnrecorded(EngineTrial.watch, at: $1) }
        #expect(trial.tell { $0.finish(at: $1) } == ["forget [\"7\"], 0 notes", "keep watch"])
        #expect(trial.tell { $0.finish(at: $1) } == [])
    }
}
