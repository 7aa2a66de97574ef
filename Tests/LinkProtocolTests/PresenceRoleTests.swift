import Foundation
import Testing

@testable import LinkProtocol

@Suite("Presence of a phone and of a watch")
struct PresenceRoleTests {
    private typealias Base = PresenceStateMachineTests
    private static let watch = Base.watch.identifier
    private static let other = Base.other.identifier

    /// Returns an activated phone with two connected watches, the first of them active.
    private static func host(_ serving: CompanionPolicy.Serving) -> PresenceStateMachine {
        var machine = Base.host { $0.serving = serving }
        _ = machine.connected(Base.other, DeviceState(), said: machine.hello, at: at(0))
        return machine
    }

    @Test("A watch has no watches to change")
    func notHost() {
        var machine = Base.companion()
        let former = machine
        #expect(throws: PairingError.notHost) { try machine.switchTo(Self.watch) }
        #expect(throws: PairingError.notHost) { try machine.pair(Self.watch) }
        #expect(throws: PairingError.notHost) { try machine.unpair(Self.watch) }
        #expect(throws: PairingError.notHost) { try machine.setAppInstalled(false, Self.watch) }
        #expect(throws: PairingError.notHost) { try machine.setComplication(true, Self.watch) }
        #expect(machine == former)
    }

    @Test("A phone that serves all watches switches at once, and stays activated and reachable")
    func switchAll() throws {
        var machine = Self.host(.all)
        let actions = try machine.switchTo(Self.other)
        #expect(actions.last == .watchState(Self.other))
        #expect(!actions.contains(.abandonMessages))
        #expect(machine.activation == .activated)
        #expect(machine.active?.identifier == Self.other)
        let reachable = [Self.watch, Self.other].map { machine.isReachable($0) }
        #expect(reachable == [true, true])
        #expect(!machine.awaitsDrain)
    }

    @Test("A phone whose session is not activated switches at once, as there is nothing to deliver")
    func switchInactive() throws {
        var machine = PresenceStateMachine(
            role: .host, policy: CompanionPolicy(), state: DeviceState(), companions: [])
        for device in [Base.watch, Base.other] {
            _ = machine.connected(device, DeviceState(), said: machine.hello, at: at(0))
        }
        let actions = try machine.switchTo(Self.other)
        #expect(actions.last == .watchState(Self.other))
        #expect(machine.activation == .notActivated)
        #expect(machine.active?.identifier == Self.other)
    }

    @Test("A watch takes messages only while its app can receive them, and transfers always")
    func watchMessages() {
        for (state, isInteractive) in Base.interactive {
            var machine = PresenceStateMachine(
                role: .companion, policy: CompanionPolicy(), state: state, companions: [])
            _ = machine.activate()
            _ = machine.connected(Base.phone, DeviceState(), said: machine.hello, at: at(0))
            let takesMessages = machine.acceptsMessage(from: Base.phone.identifier)
            #expect(takesMessages == isInteractive, "\(state)")
            let takesTransfers = machine.accepts(Base.phone.identifier)
            #expect(takesTransfers, "\(state)")
        }
    }

    @Test("A phone takes messages whatever its app does, but not from a stranger, nor while it is locked")
    func phoneMessages() {
        for application in ApplicationState.allCases {
            var machine = Base.host()
            _ = machine.enter(application)
            let takes = [Self.watch, Self.other].map { machine.acceptsMessage(from: $0) }
            #expect(takes == [true, false], "\(application)")
        }
        var locked = Base.host()
        _ = locked.change { $0.isLocked = true }
        let takes = locked.acceptsMessage(from: Self.watch)
        #expect(!takes)
        var empty = Base.host()
        _ = empty.change { $0.isAppInstalled = false }
        let takesWithoutApp = empty.acceptsMessage(from: Self.watch)
        #expect(!takesWithoutApp)
    }

    @Test("Before it knows a watch, only a phone that serves all says that it serves it; a watch always does")
    func hellos() {
        let serves = [Self.host(.active).hello.serves, Self.host(.all).hello.serves, Base.companion().hello.serves]
        #expect(serves == [false, true, true])
    }

    @Test("Only a phone asks for a pairing code, and only unknown watches")
    func codes() {
        var policy = CompanionPolicy()
        policy.pairing = .code
        var known = Companion(identifier: Self.watch, name: "w")
        known.isActive = true
        let mustShow = DeviceRole.allCases.map { role in
            let machine = PresenceStateMachine(role: role, policy: policy, state: DeviceState(), companions: [known])
            return [Self.watch, Self.other].map { machine.mustShowCode($0) }
        }
        #expect(mustShow == [[false, true], [false, false]])
    }

    @Test("The phone's app is news for a watch when it comes or goes, not when something else changes")
    func companionApp() {
        var machine = Base.companion()
        let phone = Base.phone.identifier
        let news = [
            machine.peerChanged(phone, Base.state { $0.isAppInstalled = false }),
            machine.peerChanged(
                phone,
                Base.state {
                    $0.isAppInstalled = false
                    $0.isLocked = true
                }), machine.peerChanged(phone, Base.state()), machine.peerChanged(UUID(), Base.state()),
        ].map { $0.contains(.companionApp) }
        #expect(news == [true, false, true, false])
        var host = Base.host()
        let ofWatch = host.peerChanged(Self.watch, Base.state { $0.isAppInstalled = false })
        #expect(!ofWatch.contains(.companionApp))
    }

    @Test("Of several watches that may be forgotten, the one with the lowest identifier makes room")
    func forgotten() throws {
        let known = (0..<LinkLimits.companions).map { number in
            var companion = Companion(identifier: UUID(), name: "w")
            companion.isPaired = number >= 3
            return companion
        }
        var pairing = Pairing(known, CompanionPolicy())
        let changes = try pairing.pair(UUID()) { _ in false }
        let lowest = known.prefix(3).map(\.identifier.uuidString).min()
        let expected = try #require(lowest.flatMap(UUID.init(uuidString:)))
        #expect(changes.first == .forget(expected))
        #expect(changes.count == 4)
    }

    @Test("A watch is presumed only by a phone that knows none and pairs automatically")
    func presumed() {
        let presumed = CompanionPolicy.Pairing.allCases.map { rule in
            var policy = CompanionPolicy()
            policy.pairing = rule
            let known = [Companion(identifier: Self.watch, name: "w")]
            return [[], known].map { Pairing($0, policy).presumesCompanion }
        }
        #expect(presumed == [[true, false], [false, false], [false, false]])
    }

    @Test("A watch that lacks the app has no complication either; its record and other watches are unchanged")
    func withoutApp() {
        var known = [Self.watch, Self.other].map { Companion(identifier: $0, name: "w") }
        for index in known.indices { known[index].hasComplication = true }
        var pairing = Pairing(known, CompanionPolicy())
        _ = pairing.said(isAppInstalled: false, by: Self.watch)
        let lacking = pairing.companions[Self.watch]
        #expect(lacking?.isAppInstalled == false)
        #expect(lacking?.hasComplication == false)
        #expect(pairing.companions[Self.other] == known[1])
        #expect(pairing.record(of: Self.watch) == known[0])
    }

    @Test("A new watch is paired and has the app, but no complication, and is not active")
    func newWatch() {
        let companion = Companion(identifier: Self.watch, name: "w")
        #expect(companion.isPaired)
        #expect(companion.isAppInstalled)
        #expect(!companion.hasComplication)
        #expect(!companion.isActive)
    }

    @Test("A change is told to all watches, in the order of their identifiers")
    func told() {
        var machine = Base.host { $0.serving = .all }
        let watches = [Self.watch] + (0..<7).map { _ in UUID() }
        for watch in watches.dropFirst() {
            let device = Device(identifier: watch, role: .companion, name: "w")
            _ = machine.connected(device, DeviceState(), said: machine.hello, at: at(0))
        }
        let told = machine.change { $0.isLocked = true }.compactMap { action -> UUID? in
            if case .tell(let watch, _) = action { watch } else { nil }
        }
        #expect(told == watches.sorted { $0.uuidString < $1.uuidString })
    }

    @Test("The budget of the complication is never below nothing, and begins anew on every other day")
    func budget() {
        var budget = ComplicationBudget(day: 7, used: 60)
        let left = [6, 7, 8].map { budget.remaining(on: $0) }
        #expect(left == [50, 0, 50])
        let used = [7, 6, 7].map { budget.use(on: $0) }
        #expect(used == [false, true, true])
        #expect(budget == ComplicationBudget(day: 7, used: 1))
        var last = ComplicationBudget(day: 7, used: 49)
        let lastUses = [0, 1].map { _ in last.use(on: 7) }
        #expect(lastUses == [true, false])
        #expect(last.used == 50)
    }

    @Test("A phone that serves all watches does so before its session is activated, and without a switch")
    func allBeforeActivation() {
        var policy = CompanionPolicy()
        policy.serving = .all
        var machine = PresenceStateMachine(role: .host, policy: policy, state: DeviceState(), companions: [])
        let actions = machine.connected(Base.watch, DeviceState(), said: machine.hello, at: at(0))
        #expect(actions.contains(.transfers(Self.watch, true)))
        let accepts = machine.accepts(Self.watch)
        #expect(accepts)
        let isReachable = machine.isReachable(Self.watch)
        #expect(!isReachable)
    }

    @Test("Nothing is accepted from a device that is not connected", arguments: DeviceRole.allCases)
    func strangers(_ role: DeviceRole) {
        let machine = role == .host ? Base.host() : Base.companion()
        let stranger = UUID()
        let accepts = [machine.accepts(stranger), machine.acceptsMessage(from: stranger)]
        #expect(accepts == [false, false])
    }
}
