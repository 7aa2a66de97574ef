import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("The engine's effects")
struct EngineEffectTests {
    private var trial: EngineTrial
    private static let watch = EngineTrial.watch

    init() throws { trial = try EngineTrial() }

    private func package(
        _ number: UInt8, _ command: Command = .sendMessage, _ status: DeliveryStatus = .sent, answers: UUID? = nil,
        _ data: Data? = Data([1])
    ) -> MessagePackage {
        MessagePackage(
            identifier: EngineTrial.identifier(number), command: command, status: status, dataPackage: data,
            answers: answers, wantsReply: true, timestamp: Date(timeIntervalSince1970: 0))
    }

    private mutating func received(_ package: MessagePackage) -> [DeviceEngine.Effect] {
        trial.effects { $0.received(package, from: EngineTrial.device, bytes: 1, at: $1) }
    }

    // MARK: - The list

    @Test("Effects are added to those that were not performed yet, and each is taken once")
    mutating func taken() {
        let moment = trial.moment
        var list: [DeviceEngine.Effect] = [.settled(1)]
        trial.engine.delegateIsReady(at: moment)
        let taken = trial.engine.takeEffects(into: &list)
        #expect(taken)
        let expected: [DeviceEngine.Effect] = [.settled(1), .readEnded, .readInbox(after: 0, limit: 64)]
        #expect(list == expected)
        let again = trial.engine.takeEffects(into: &list)
        #expect(!again)
        #expect(list == expected)
    }

    @Test("A drained list has passed each effect on in order; its memory is kept up to the given room")
    func drained() {
        for (count, isKept) in [(2, true), (3, false)] {
            let former = (0..<count).map { DeviceEngine.Effect.closeSource(EngineTrial.identifier(UInt8($0))) }
            var effects = former
            var passed: [DeviceEngine.Effect] = []
            effects.drain(keeping: 2) { passed.append($0) }
            #expect(passed == former)
            #expect(effects == [])
            #expect((effects.capacity > 0) == isKept, "\(count) effects")
        }
    }

    @Test("Packages of the engine have different identifiers of version 4")
    mutating func identifiers() {
        var identifiers: Set<UUID> = []
        for number: UInt8 in 1...20 {
            let message = package(number)
            _ = received(message)
            let effects = trial.effects { $0.answer(message, of: Self.watch, with: .reply(nil), at: $1) }
            for case .write(let answer, _, _) in effects { identifiers.insert(answer.identifier) }
        }
        #expect(identifiers.count == 20)
        let versions = Set(identifiers.map { $0.uuid.6 >> 4 })
        #expect(versions == [4])
        let variants = Set(identifiers.map { $0.uuid.8 >> 6 })
        #expect(variants == [2])
    }

    @Test("Lines are made for a log that is read, and by default it is")
    func logs() {
        for isLogged in [nil, true, false] as [Bool?] {
            let presence = PresenceStateMachine(
                role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
            let faults = FaultStateMachine(Chance(seed: 1))
            var engine =
                if let isLogged {
                    DeviceEngine(
                        presence, times: LinkTimes(), retry: .delivery, faults: faults, seed: 1, isLogged: isLogged)
                } else {
                    DeviceEngine(presence, times: LinkTimes(), retry: .delivery, faults: faults, seed: 1)
                }
            // An answer to nobody.
            let moment = Moment(MonotonicTime(nanoseconds: 0), Date(timeIntervalSince1970: 0))
            engine.answer(package(1), of: Self.watch, with: .reply(nil), at: moment)
            var effects: [DeviceEngine.Effect] = []
            _ = engine.takeEffects(into: &effects)
            let lines = effects.count { if case .log = $0 { true } else { false } }
            #expect(lines == (isLogged == false ? 0 : 1))
        }
    }

    // MARK: - Presence

    private static func news(_ effects: [DeviceEngine.Effect]) -> [AppNotification] {
        effects.compactMap { if case .news(let news) = $0 { news } else { nil } }
    }

    private mutating func enter(_ application: ApplicationState) -> [DeviceEngine.Effect] {
        trial.effects { engine, moment in engine.change(at: moment) { $0.enter(application) } }
    }

    @Test("A change of presence says what was before, and which state the next hello reports")
    mutating func presence() {
        let former = trial.engine.presence
        let effects = enter(.background)
        let expected: [DeviceEngine.Effect] = [
            .presenceChanged(from: former.outline), .greet(trial.engine.presence.hello),
        ]
        #expect(Array(effects.prefix(2)) == expected)
        #expect(former.outline != trial.engine.presence.outline)
    }

    @Test("The app's side learns of each change of its life, in order")
    mutating func life() {
        var news = [Self.news(enter(.suspended)), Self.news(received(package(1)))]
        news.append(Self.news(trial.effects { $0.drained(at: $1) }))
        news.append(Self.news(enter(.terminated)))
        news.append(Self.news(received(package(2))))
        let expected: [[AppNotification]] = [
            [.hold], [.release], [.hold],
            [.hold, .dropHandlers, .activation(.notActivated), .reachability(Self.watch, false)],
            [.release, .launch],
        ]
        #expect(news == expected)
    }

    @Test("The app's side learns of a switch to another watch, and of its end, in order")
    mutating func switched() {
        let other = EngineTrial.other.identifier
        _ = trial.connectOther()
        let began = trial.effects { engine, moment in
            engine.change(at: moment) { presence in
                do throws(PairingError) {
                    return try presence.switchTo(other)
                } catch {
                    Issue.record("\(error)")
                    return []
                }
            }
        }
        let expected: [AppNotification] = [
            .activation(.inactive), .abandonMessages, .reachability(Self.watch, false), .didBecomeInactive,
        ]
        #expect(Self.news(began) == expected)
        let ended = trial.effects { $0.drained(at: $1) }
        let expectedEnd: [AppNotification] = [.activation(.notActivated), .didDeactivate, .watchState(other)]
        #expect(Self.news(ended) == expectedEnd)
        let activated = Self.news(trial.effects { $0.activate(at: $1) })
        let expectedStart: [AppNotification] = [
            .activation(.activated), .didActivate, .reachability(other, true),
        ]
        #expect(activated == expectedStart)
    }

    @Test("A host at its limit of watches has the record of a forgotten one deleted")
    func forgotten() {
        var known = (0..<LinkLimits.companions).map { _ in Companion(identifier: UUID(), name: "w") }
        known[7].isPaired = false
        var engine = DeviceEngine(
            PresenceStateMachine(role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: known),
            times: LinkTimes(), retry: .delivery, faults: FaultStateMachine(Chance(seed: 1)), seed: 1)
        let moment = Moment(MonotonicTime(nanoseconds: 0), Date(timeIntervalSince1970: 0))
        engine.connected(EngineTrial.device, DeviceState(), said: DeviceState(), at: moment)
        var effects: [DeviceEngine.Effect] = []
        _ = engine.takeEffects(into: &effects)
        #expect(effects.contains(.forgetCompanion(known[7].identifier)))
    }

    // MARK: - Connections

    @Test("A package that does not fit its command ends the connection as misbehaviour")
    mutating func misbehaved() {
        let effects = received(package(1, .state, .sent, nil))
        let expected: [DeviceEngine.Effect] = [
            .disconnect(Self.watch, reason: "bad state: no content", misbehaved: true)
        ]
        #expect(effects == expected)
    }

    @Test("A peer that does not read its answers, or the phone's state, misbehaves")
    mutating func deaf() {
        let answer = package(9, .sendMessageData, .replied, answers: EngineTrial.identifier(1))
        let unanswered = trial.effects { $0.unwritten(answer, to: Self.watch, of: nil, .queueFull, at: $1) }
        let state = package(9, .state)
        let untold = trial.effects { $0.unwritten(state, to: Self.watch, of: nil, .queueFull, at: $1) }
        let expected: [DeviceEngine.Effect] = [
            .disconnect(Self.watch, reason: LinkSendError.deaf, misbehaved: true)
        ]
        #expect(unanswered == expected)
        #expect(untold == expected)
        let heartbeat = package(9, .heartbeat)
        let unheard = trial.effects { $0.unwritten(heartbeat, to: Self.watch, of: nil, .queueFull, at: $1) }
        #expect(unheard == [])
    }

    @Test("A watch without the pairing code is refused, but does not misbehave; with the code it is recorded")
    mutating func refused() throws {
        var policy = CompanionPolicy()
        policy.pairing = .code
        trial = try EngineTrial(isConnected: false, policy: policy)
        let refused = trial.effects {
            $0.connected(EngineTrial.device, DeviceState(), said: DeviceState(), at: $1)
        }
        let refusals = refused.compactMap { effect in
            if case .disconnect(Self.watch, _, let misbehaved) = effect { misbehaved } else { nil }
        }
        #expect(refusals == [false])
        let admitted = trial.effects {
            $0.connected(EngineTrial.device, DeviceState(), said: DeviceState(), hasShownCode: true, at: $1)
        }
        let isRecorded = admitted.contains { if case .recordCompanion = $0 { true } else { false } }
        #expect(isRecorded)
        let isRefused = admitted.contains { if case .disconnect = $0 { true } else { false } }
        #expect(!isRefused)
    }

    @Test("A watch too far ahead of the app is not read from, until half of its messages were handled")
    mutating func backPressure() {
        var readings: [Int: Bool] = [:]
        func note(_ effects: [DeviceEngine.Effect], _ step: Int) {
            for case .setReading(Self.watch, let isReading) in effects { readings[step] = isReading }
        }
        let limit = LinkLimits.undeliveredMessages
        for step in 1...limit {
            let message = MessagePackage(
                identifier: UUID(), command: .sendMessage, status: .sent, timestamp: Date(timeIntervalSince1970: 0))
            note(received(message), step)
        }
        for step in 1...limit {
            note(trial.effects { $0.handled(Self.watch, bytes: 1, at: $1) }, limit + step)
        }
        #expect(readings == [limit: false, limit + limit / 2: true])
    }

    // MARK: - Notes

    @Test("A message that cannot be accepted is noted as received, and as failed with the reason")
    mutating func refusedMessage() {
        trial.lock(true)
        let message = package(1)
        let effects = trial.tell { $0.received(message, from: EngineTrial.device, bytes: 1, at: $1) }
        #expect(effects == ["write Failed to 1"])
        #expect(trial.noted.map(\.state) == [.received, .failed])
        #expect(trial.noted.last?.cause == "the counterpart's app cannot be reached now")
        #expect(trial.engine.undeliveredPackages == 0)
    }

    @Test("An arrival is noted as the store took it: new, in place of another, once more, or not at all")
    mutating func arrivals() throws {
        let effects = received(package(1, .updateApplicationContext))
        guard case .keep(let arrivals)? = effects.first, let arrival = arrivals.first else {
            Issue.record("\(effects)")
            return
        }
        let (context, former) = (EngineTrial.identifier(1), EngineTrial.identifier(2))
        let time = Date(timeIntervalSince1970: 5)
        func note(_ cause: String? = nil, related: UUID? = nil) -> LedgerNote {
            LedgerNote(
                context, .incoming, .context, device: Self.watch, bytes: 1, .received, at: time, cause: cause,
                related: related)
        }
        let coalesced = LedgerNote(
            former, .incoming, .context, device: Self.watch, .coalesced, at: time,
            cause: "a newer context replaced it", related: context)
        let outcomes: [ReceiveOutcome] = [
            .stored(replaced: nil), .stored(replaced: former), .repeated, .full(capacity: 1),
        ]
        let notes = outcomes.map { arrival.notes($0, at: time) }
        let expected: [[LedgerNote]] = [
            [note()], [note(), coalesced], [note("a duplicate of an earlier transfer", related: context)], [],
        ]
        #expect(notes == expected)
    }

    @Test("Only a refusal is final")
    func answers() {
        let answers: [TransferAnswer] = [.arrived, .later("full"), .refused(.deliveryFailed, reason: "no")]
        let final = answers.map(\.isFinal)
        #expect(final == [false, false, true])
    }
}
