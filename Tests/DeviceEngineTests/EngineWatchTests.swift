import DeviceEngine
import Foundation
import LinkProtocol
import Testing

@Suite("A watch's engine")
struct EngineWatchTests {
    private static let phone = Device(identifier: EngineTrial.identifier(200), role: .host, name: "phone")
    private static let moment = Moment(MonotonicTime(nanoseconds: 0), Date(timeIntervalSince1970: 0))
    private var engine = DeviceEngine(
        PresenceStateMachine(role: .companion, policy: CompanionPolicy(), state: DeviceState(), companions: []),
        times: LinkTimes(), retry: .delivery, faults: FaultStateMachine(Chance(seed: 1)), seed: 1)

    init() {
        engine.activate(at: Self.moment)
        engine.connected(Self.phone, DeviceState(), said: engine.presence.hello, at: Self.moment)
        _ = effects()
    }

    /// Returns the effects since the last call.
    private mutating func effects() -> [DeviceEngine.Effect] {
        var effects: [DeviceEngine.Effect] = []
        _ = engine.takeEffects(into: &effects)
        return effects
    }

    private mutating func news() -> [AppNotification] {
        effects().compactMap { if case .news(let news) = $0 { news } else { nil } }
    }

    private func package(_ command: Command) -> MessagePackage {
        MessagePackage(
            identifier: EngineTrial.identifier(1), command: command, status: .sent, dataPackage: Data([1]),
            timestamp: Date(timeIntervalSince1970: 0))
    }

    @Test("A transfer wakes the app with background time; a message to it is refused")
    mutating func waking() {
        engine.change(at: Self.moment) { $0.enter(.suspended) }
        let suspended = news()
        #expect(suspended == [.hold, .reachability(Self.phone.identifier, false)])
        engine.received(package(.sendMessage), from: Self.phone, bytes: 1, at: Self.moment)
        let refused = news()
        #expect(refused == [])
        engine.received(package(.transferUserInfo), from: Self.phone, bytes: 1, at: Self.moment)
        engine.kept([.stored(replaced: nil)], at: Self.moment)
        let woken = news()
        #expect(woken == [.release, .refreshTask])
        engine.drained(at: Self.moment)
        let drained = news()
        #expect(drained == [.hold])
    }

    @Test("The app learns when the phone's app goes or comes")
    mutating func companionApp() {
        for isInstalled in [false, true] {
            engine.change(at: Self.moment) { presence in
                var state = DeviceState()
                state.isAppInstalled = isInstalled
                return presence.peerChanged(Self.phone.identifier, state)
            }
            let news = news()
            #expect(news == [.companionApp, .reachability(Self.phone.identifier, isInstalled)])
        }
    }

    @Test("Transfers go to the phone, whichever it is, and are assigned to nobody")
    mutating func transfers() {
        let transfer = OutgoingTransfer(
            identifier: EngineTrial.identifier(2), peer: .unknownPeer, kind: .userInfo, payload: Data([2]),
            queuedAt: Date(timeIntervalSince1970: 0))
        engine.queued(transfer, replacing: nil, at: Self.moment)
        let effects = effects()
        let written = effects.compactMap { effect in
            if case .write(let package, Self.phone.identifier, _) = effect { package.identifier } else { nil }
        }
        #expect(written == [transfer.identifier])
        let isAdopted = effects.contains { if case .adopt = $0 { true } else { false } }
        #expect(!isAdopted)
        #expect(engine.pendingTransfers == 1)
    }

    @Test("An arrival belongs to the phone, whichever it is")
    mutating func arrivals() {
        engine.received(package(.transferUserInfo), from: Self.phone, bytes: 1, at: Self.moment)
        let peers = effects().flatMap { effect in
            if case .keep(let arrivals) = effect { arrivals.map(\.transfer.peer) } else { [] as [UUID] }
        }
        #expect(peers == [.unknownPeer])
        #expect(engine.counterpart(Self.phone.identifier) == .unknownPeer)
    }
}
