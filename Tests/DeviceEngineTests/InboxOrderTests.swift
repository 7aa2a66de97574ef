import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's inbox: order, waking and other devices")
struct InboxOrderTests {
    private var trial: EngineTrial

    init() throws { trial = try EngineTrial() }

    private func arrived(_ number: UInt8, at position: Int64) -> ReceivedTransfer {
        var transfer = ReceivedTransfer(
            identifier: EngineTrial.identifier(number), peer: EngineTrial.watch, kind: .userInfo, payload: Data(),
            receivedAt: Date(timeIntervalSince1970: 0))
        transfer.position = position
        return transfer
    }

    private mutating func kept(_ count: Int = 1, keepingBack span: Duration? = nil) -> [String] {
        let outcomes = [ReceiveOutcome](repeating: .stored(replaced: nil), count: count)
        return trial.tell { $0.kept(outcomes, keepingBack: span, at: $1) }
    }

    private mutating func read(_ transfers: ReceivedTransfer...) -> [String] {
        trial.tell { engine, _ in engine.inboxRead(transfers) }
    }

    // MARK: - Reading

    @Test("What is stored while the inbox is read is read afterwards, once")
    mutating func more() {
        _ = trial.receive(1, .transferUserInfo)
        let first = kept()
        #expect(first.last == "read inbox after 0, up to 64")
        _ = trial.receive(2, .transferUserInfo)
        let second = kept()
        #expect(second.last == "arrived(1, isOpen: true)")
        let given = read(arrived(1, at: 1))
        #expect(given == ["give 1, opening 1", "read inbox after 1, up to 63"])
        let rest = read(arrived(2, at: 2))
        #expect(rest == ["give 2, opening 1"])
    }

    @Test("What was read before later arrivals were kept back is not given, and all is read after their release")
    mutating func keptBackMeanwhile() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = trial.receive(2, .transferUserInfo)
        _ = kept(keepingBack: .seconds(3))
        let given = read(arrived(1, at: 1))
        #expect(given == [])
        let released = trial.wait(3_000)
        #expect(released == ["arrived(1, isOpen: true)", "read inbox after 0, up to 64"])
    }

    @Test("A failed read is repeated once, a second later")
    mutating func unread() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = trial.tell { $0.inboxUnread(at: $1) }
        let again = trial.wait(1_000)
        #expect(again == ["read inbox after 0, up to 64"])
        let next = trial.engine.nextDeadline
        #expect(next == nil)
    }

    // MARK: - The app

    @Test(
        "An arrival wakes a suspended app, also one that is kept back from the delegate",
        arguments: [nil, 3] as [Int?])
    mutating func waking(_ seconds: Int?) {
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.enter(.suspended) } }
        _ = trial.receive(1, .transferUserInfo)
        #expect(trial.engine.presence.own.application == .suspended)
        let effects = kept(keepingBack: seconds.map { Duration.seconds($0) })
        #expect(effects.contains("news release"), "\(effects)")
        #expect(trial.engine.presence.own.application == .background)
    }

    @Test("A repeat wakes nobody")
    mutating func repeated() {
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.enter(.suspended) } }
        _ = trial.receive(1, .transferUserInfo)
        let effects = trial.tell { $0.kept([.repeated], at: $1) }
        #expect(effects == ["write Replied to 1"])
        #expect(trial.engine.presence.own.application == .suspended)
    }

    @Test("Until the session is activated, arrivals are announced but not read")
    mutating func notActivated() throws {
        var policy = CompanionPolicy()
        policy.serving = .all
        trial = try EngineTrial(isConnected: false, policy: policy)
        _ = trial.connect()
        let keeping = trial.receive(1, .transferUserInfo)
        #expect(keeping == ["keep [\"1\"]"])
        let effects = kept()
        #expect(effects == ["write Replied to 1", "arrived(1, isOpen: false)"])
        let activated = trial.tell { $0.activate(at: $1) }
        #expect(activated.contains("read inbox after 0, up to 64"), "\(activated)")
    }

    @Test("While a session is inactive before a switch, the delegate is still given what waits")
    mutating func inactive() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.connectOther()
        _ = trial.tell { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try presence.switchTo(EngineTrial.other.identifier)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
        let effects = kept()
        #expect(effects.contains("arrived(1, isOpen: true)"), "\(effects)")
    }

    @Test("What comes for an app that ended is announced as waiting")
    mutating func terminated() {
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { engine, moment in engine.change(at: moment) { $0.enter(.terminated) } }
        let effects = kept()
        #expect(effects.contains("arrived(1, isOpen: false)"), "\(effects)")
        #expect(!effects.contains { $0.hasPrefix("read inbox") }, "\(effects)")
    }

    @Test("Delivered and failed transfers are noted with the cause, and a discarded one is not")
    mutating func notes() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = read(arrived(1, at: 1), arrived(2, at: 2), arrived(3, at: 3))
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        _ = trial.tell { $0.given(2, .failed("no method"), opening: 1, at: $1) }
        _ = trial.tell { $0.given(3, .discarded, opening: 1, at: $1) }
        let date = trial.moment.date
        let effects = trial.effects { $0.finish(at: $1) }
        let notes = [
            LedgerNote(
                EngineTrial.identifier(1), .incoming, .userInfo, device: EngineTrial.watch, .delivered, at: date),
            LedgerNote(
                EngineTrial.identifier(2), .incoming, .userInfo, device: EngineTrial.watch, .failed, at: date,
                cause: "no method"),
        ]
        let expected: [DeviceEngine.Effect] = [.remove([1, 2], notes)]
        #expect(effects == expected)
        _ = trial.tell { $0.removed(at: $1) }
        #expect(trial.logged.filter { $0 == "transfer delivered" }.count == 1)
        #expect(trial.logged.filter { $0 == "transfer failed" }.count == 1)
    }

    @Test("Each transfer is removed once, also while an earlier removal is under way, and each removal is settled")
    mutating func removals() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = read(arrived(1, at: 1), arrived(2, at: 2))
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        let first = trial.wait(2)
        #expect(first == ["remove [1]"])
        _ = trial.tell { $0.given(2, .delivered, opening: 1, at: $1) }
        let second = trial.wait(2)
        #expect(second == ["remove [2]"])
        let removed = [trial.tell { $0.removed(at: $1) }, trial.tell { $0.removed(at: $1) }]
        #expect(removed == [["settled(1)", "read inbox after 2, up to 63"], ["settled(1)"]])
        let nothing = trial.tell { $0.removed(at: $1) }
        #expect(nothing == [])
    }

    @Test("A removal that the store refuses is repeated with its note, together with later ones, until it succeeds")
    mutating func refusedRemoval() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = read(arrived(1, at: 1), arrived(2, at: 2))
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        let date = trial.moment.date
        let note = LedgerNote(
            EngineTrial.identifier(1), .incoming, .userInfo, device: EngineTrial.watch, .delivered, at: date)
        let first = trial.effects { $0.finish(at: $1) }
        #expect(first == [.remove([1], [note])])
        let refused = trial.tell { $0.notRemoved(at: $1) }
        #expect(refused == ["settled(1)", "read inbox after 2, up to 63"], "the delegate had it all the same")
        let again = trial.effects { $0.finish(at: $1) }
        #expect(again == [.remove([1], [note])], "the note says when it was delivered")
        _ = trial.tell { $0.notRemoved(at: $1) }
        _ = trial.tell { $0.given(2, .delivered, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove [1, 2]"])
        #expect(trial.tell { $0.removed(at: $1) } == ["settled(1)"])
        let nothing = trial.effects { $0.finish(at: $1) }
        #expect(nothing == [])
    }

    @Test("Without further transfers, a refused removal is repeated after the retry time of databases")
    mutating func refusedRemovalAlone() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        _ = read(arrived(1, at: 1))
        _ = trial.tell { $0.given(1, .delivered, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove [1]"])
        _ = trial.tell { $0.notRemoved(at: $1) }
        let early = trial.wait(999)
        #expect(early == ["the next deadline is after 1000 ms"])
        #expect(trial.wait(1_000) == ["remove [1]"])
    }

    @Test("A delivered transfer that could not be removed is not given again when one before it is read again")
    mutating func leftover() {
        _ = trial.receive(1, .transferUserInfo)
        _ = kept()
        let all = [arrived(1, at: 1), arrived(2, at: 2), arrived(3, at: 3)]
        _ = read(all[0], all[1])
        _ = trial.tell { $0.given(2, .delivered, opening: 1, at: $1) }
        #expect(trial.wait(2) == ["remove [2]"])
        _ = trial.tell { $0.given(1, .discarded, opening: 1, at: $1) }
        _ = trial.tell { $0.notRemoved(at: $1) }
        #expect(trial.wait(2) == ["remove [2]"])
        _ = trial.tell { $0.notRemoved(at: $1) }
        _ = trial.tell { $0.delegateIsReady(at: $1) }
        #expect(read() == ["read inbox after 0, up to 64"], "the read under way was of those after the second")
        let given = read(all[0], all[1], all[2])
        #expect(given == ["give 1, opening 2", "give 3, opening 2", "read inbox after 3, up to 62"])
    }

    // MARK: - Connections

    @Test("A transfer that was left on a connection that is gone keeps nothing out on the next one")
    mutating func leftAndGone() {
        _ = trial.receive(1, .transferUserInfo)
        trial.lock(true)
        _ = trial.receive(2, .transferUserInfo)
        trial.lock(false)
        _ = trial.disconnect()
        _ = trial.connect()
        let waiting = trial.receive(3, .transferUserInfo)
        #expect(waiting == [])
        let effects = kept()
        #expect(effects.contains("keep [\"3\"]"), "\(effects)")
    }

    /// Starts over with a phone that serves two watches.
    private mutating func serveAll() throws {
        var policy = CompanionPolicy()
        policy.serving = .all
        trial = try EngineTrial(policy: policy)
        _ = trial.connectOther()
    }

    private mutating func disconnectOther() {
        _ = trial.tell { $0.disconnected(EngineTrial.other.identifier, reason: "gone", at: $1) }
    }

    @Test("A device that disconnects takes only its own arrivals with it")
    mutating func othersArrivals() throws {
        try serveAll()
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.receive(2, .transferUserInfo)
        _ = trial.receive(3, .transferUserInfo, from: EngineTrial.other)
        disconnectOther()
        let effects = kept()
        #expect(effects.contains("keep [\"2\"]"), "\(effects)")
    }

    @Test("A transfer that one device left keeps out what it sent behind it, whoever disconnects")
    mutating func othersLeft() throws {
        try serveAll()
        _ = trial.receive(1, .transferUserInfo)
        trial.lock(true)
        _ = trial.receive(2, .transferUserInfo)
        trial.lock(false)
        _ = trial.receive(3, .transferUserInfo)
        _ = trial.receive(4, .updateApplicationContext)
        disconnectOther()
        let effects = kept()
        #expect(effects.contains("write Failed to 3"), "\(effects)")
        #expect(effects.contains("keep [\"4\"]"), "\(effects)")
    }

    @Test("Only the device whose transfer could not be kept must begin anew, also when another one disconnects")
    mutating func othersGate() throws {
        try serveAll()
        _ = trial.receive(1, .transferUserInfo)
        _ = trial.tell { $0.notKept(reason: "full", at: $1) }
        let others = trial.receive(2, .transferUserInfo, from: EngineTrial.other)
        #expect(others == ["keep [\"2\"]"])
        _ = kept()
        disconnectOther()
        let own = trial.receive(3, .transferUserInfo)
        #expect(own == ["write Failed to 3"])
    }

    @Test("A whole file that waits to be kept stays when its connection ends")
    mutating func wholeFile() throws {
        let key = FileKey(device: EngineTrial.watch, transfer: EngineTrial.identifier(2))
        let date = Date(timeIntervalSince1970: 0)
        let offer = MessagePackage(
            identifier: key.transfer, command: .transferFile, status: .sent,
            dataPackage: try FileOffer(name: "f", size: 0, metadata: nil).data(), timestamp: date)
        let chunk = FilePackage.Chunk(transfer: key.transfer, offset: 0, bytes: Data(), checksum: 0)
        let package = try FilePackage.chunk(chunk, identifier: EngineTrial.identifier(98), timestamp: date)
        _ = trial.tell { $0.received(offer, from: EngineTrial.device, bytes: 1, at: $1) }
        _ = trial.tell { $0.partOpened(key, size: 0, at: $1) }
        _ = trial.tell { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
        _ = trial.receive(1, .transferUserInfo)
        let waiting = trial.tell { $0.fileArrived(key, path: "/inbox/f", held: 1, at: $1) }
        #expect(waiting == [])
        _ = trial.disconnect()
        let effects = kept()
        #expect(effects.contains("keep [\"2\"]"), "\(effects)")
    }
}
